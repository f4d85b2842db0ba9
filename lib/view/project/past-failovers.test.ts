import type { MessageCode } from '@/lib/messages'
import { describe, expect, test } from 'vitest'
import type { JournalEntry, JournalFact, TaskFact } from '../journal'
import { FailoverHistory } from './past-failovers'

const WEB = 'apps~v1/Deployment/demo/web'
const iso = (second: number): string => new Date(Date.UTC(2026, 10, 21, 9, 0, second)).toISOString()
const task = (more: Partial<TaskFact> = {}): TaskFact => ({
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  purgeMode: 'Gracefully',
  replaced: false,
  ...more,
})
const of = { workload: WEB, cluster: 'm1' }
const unready = { status: 'False' as const, reason: 'ClusterNotReachable', message: 'gone' }
const isReady = { status: 'True' as const, reason: 'ClusterReady', message: '' }

/** Facts with the seconds at which they were seen. */
function told(...facts: (readonly [second: number, fact: JournalFact, late?: true])[]): FailoverHistory {
  const history = new FailoverHistory()
  facts.forEach(([second, fact, late], index) =>
    history.note({ seq: index, at: iso(second), ...fact, ...(late && { late }) } as JournalEntry),
  )
  return history
}

const created = (more: Partial<TaskFact> = {}): JournalFact => ({ what: 'task', ...of, after: task(more) })
const dropped = (more: Partial<TaskFact> = {}): JournalFact => ({ what: 'task', ...of, before: task(more) })
const lost: JournalFact = { what: 'ready', cluster: 'm1', before: isReady, after: unready }
const back: JournalFact = { what: 'ready', cluster: 'm1', before: unready, after: isReady }

describe('a failover that ended', () => {
  test('tells from the first symptom to the end', () => {
    const history = told(
      [0, lost],
      [5, created()],
      [
        5,
        { what: 'placement', workload: WEB, before: [{ cluster: 'm1', replicas: 2 }], after: [], trigger: 'failover' },
      ],
      [
        6,
        { what: 'placement', workload: WEB, before: [], after: [{ cluster: 'm2', replicas: 2 }], trigger: 'failover' },
      ],
      [9, { what: 'task', ...of, before: task(), after: task({ replaced: true }) }],
      [10, dropped({ replaced: true })],
    )
    expect(history.open(WEB, 'm1')).toBeUndefined()
    expect(history.past(0)).toMatchObject([
      {
        kind: 'workload',
        workload: WEB,
        cluster: 'm1',
        unhealthySince: iso(0),
        evictedAt: iso(5),
        replacedAt: iso(9),
        endedAt: iso(10),
        hasGap: false,
        before: [{ cluster: 'm1', replicas: 2 }],
        after: [{ cluster: 'm2', replicas: 2 }],
        state: { state: 'ok' },
      },
    ])
  })

  test.each<[string, JournalFact[], string, MessageCode]>([
    ['the replacement was healthy', [created(), dropped({ replaced: true })], 'ok', 'failover.ended.replaced'],
    [
      'an operator released it',
      [created({ suppressDeletion: true }), dropped({ suppressDeletion: false })],
      'ok',
      'failover.ended.released',
    ],
    [
      'it was purged at once',
      [created({ purgeMode: 'Directly' }), dropped({ purgeMode: 'Directly' })],
      'ok',
      'failover.ended.directly',
    ],
    [
      'the grace ended',
      [created({ createdAt: iso(0), gracePeriodSeconds: 1 }), dropped({ createdAt: iso(0), gracePeriodSeconds: 1 })],
      'warn',
      'failover.ended.graceOver',
    ],
    [
      'no cluster took it',
      [
        created(),
        { what: 'placement', workload: WEB, before: [{ cluster: 'm1', replicas: 1 }], after: [], trigger: 'failover' },
        dropped(),
      ],
      'fail',
      'failover.ended.unplaced',
    ],
    ['the cause is unknown', [created(), dropped()], 'ok', 'failover.ended.removed'],
  ])('because %s', (_, facts, state, code) => {
    expect(told(...facts.map((fact, index) => [index * 5, fact] as const)).past(0)[0]?.state).toEqual({
      state,
      reason: { code },
    })
  })

  test('begins with the failure of the workload, where that is why it was evicted', () => {
    const failed: JournalFact = { what: 'health', ...of, before: 'Healthy', after: 'Unhealthy' }
    expect(told([0, failed], [7, created({ reason: 'ApplicationFailure' })], [8, dropped()]).past(0)).toMatchObject([
      { unhealthySince: iso(0) },
    ])
    const recovered: JournalFact = { what: 'health', ...of, before: 'Unhealthy', after: 'Healthy' }
    expect(
      told([0, failed], [3, recovered], [7, created({ reason: 'ApplicationFailure' })], [8, dropped()]).past(0)[0]
        ?.unhealthySince,
    ).toBeUndefined()
  })

  test('says when a part of it was not watched', () => {
    expect(
      told([0, created()], [20, { what: 'gap', from: iso(5), why: 'stopped' }], [20, dropped()]).past(0),
    ).toMatchObject([{ hasGap: true }])
    expect(told([20, created({ createdAt: iso(3) }), true], [25, dropped()]).past(0)).toMatchObject([
      { hasGap: true, evictedAt: iso(3) },
    ])
  })

  test('of a replacement that fell ill again knows no time of replacement', () => {
    const history = told(
      [0, created({ replaced: true })],
      [1, { what: 'task', ...of, before: task({ replaced: true }), after: task() }],
    )
    expect(history.open(WEB, 'm1')?.replacedAt).toBeUndefined()
  })

  test('is left out once it is older than asked for', () => {
    expect(told([0, created()], [1, dropped()]).past(Date.parse(iso(2)))).toEqual([])
  })
})

describe('an outage of a cluster', () => {
  test('counts the workloads that left', () => {
    expect(told([0, lost], [3, created()], [60, back]).past(0)).toMatchObject([
      {
        kind: 'cluster',
        cluster: 'm1',
        unhealthySince: iso(0),
        endedAt: iso(60),
        workloads: 1,
        state: { state: 'ok', reason: { code: 'failover.ended.withEvictions', args: { workloads: 1 } } },
      },
    ])
  })

  test('is not the first minute of a new cluster', () => {
    expect(
      told(
        [0, { what: 'ready', cluster: 'm1', after: { status: 'Missing', reason: '', message: '' } }],
        [2, back],
      ).past(0),
    ).toEqual([])
  })

  test('may end with the cluster', () => {
    expect(told([0, lost], [9, { what: 'ready', cluster: 'm1', before: unready }]).past(0)).toMatchObject([
      { state: { state: 'warn' } },
    ])
  })
})
