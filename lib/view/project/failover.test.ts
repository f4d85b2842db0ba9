import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FailoverStage, Failover } from '@/lib/domain/failover'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { parseTime } from '@/lib/std/clock'
import type { OpenFailover } from './past-failovers'
import { FAILOVER_STAGES, projectIncident, projectFailover } from './failover'

const AT = Date.UTC(2026, 10, 21, 9, 0, 0)
const iso = (seconds: number): string => new Date(AT + seconds * 1000).toISOString()

function failover(more: Partial<Failover> = {}): Failover {
  return {
    binding: { kind: 'ResourceBinding', namespace: 'demo', name: 'web-deployment' },
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'web' },
    cluster: 'm1',
    cause: 'application',
    stage: 'toleration',
    kept: false,
    successors: [],
    ...more,
  }
}

const evicted = { producer: 'TaintManager', reason: 'TaintUntolerated', purgeMode: 'Gracefully' as const, replicas: 2 }
const healthy = [{ cluster: 'm2', replicas: 2, health: 'Healthy' }]
const starting = [{ cluster: 'm2', replicas: 2, health: 'Unhealthy' }]

describe('a failover on the monitor', () => {
  test.each<[string, Partial<Failover>, { marks: string; state: string; actions: string; says: string }]>([
    [
      'fails, and nothing counts',
      { stage: 'unhealthy' },
      {
        marks: 'warn none none none none',
        state: 'warn',
        actions: 'evict',
        says: 'Unhealthy in m1, not counted as a failure',
      },
    ],
    [
      'is tolerated',
      { stage: 'toleration' },
      { marks: 'ok warn none none none', state: 'warn', actions: 'evict', says: 'Tolerating the failure in m1' },
    ],
    [
      'tolerates its cluster',
      { stage: 'toleration', cause: 'cluster' },
      { marks: 'ok warn none none none', state: 'warn', actions: 'evict', says: 'Tolerating the taints of m1' },
    ],
    [
      'was evicted, and no cluster took it',
      { stage: 'evicting', ...evicted },
      { marks: 'ok ok fail none none', state: 'fail', actions: 'keep', says: 'No cluster has taken the workload yet' },
    ],
    [
      'waits for its replacement',
      { stage: 'evicting', ...evicted, successors: starting },
      { marks: 'ok ok active none none', state: 'active', actions: 'keep', says: '2 → m2 2; waiting for m2' },
    ],
    [
      'is replaced',
      { stage: 'replaced', ...evicted, successors: healthy },
      {
        marks: 'ok ok ok active none',
        state: 'active',
        actions: 'keep',
        says: 'The new replicas are healthy; the old replicas are removed next',
      },
    ],
    [
      'is replaced and kept',
      { stage: 'replaced', ...evicted, kept: true, successors: healthy },
      {
        marks: 'ok ok ok held none',
        state: 'held',
        actions: 'release',
        says: 'The old replicas are kept until an operator releases them',
      },
    ],
    [
      'is kept while no cluster took it',
      { stage: 'evicting', ...evicted, kept: true },
      {
        marks: 'ok ok held none none',
        state: 'held',
        actions: 'release',
        says: 'The old replicas are kept, and no cluster has taken the workload',
      },
    ],
  ])('that %s', (_, told, { marks, state, actions, says }) => {
    const view = projectFailover({ failover: failover(told) })
    expect(view.steps.map((step) => step.state).join(' ')).toBe(marks)
    expect([view.state.state, view.actions.join(' '), english.of(view.state.reason)]).toEqual([state, actions, says])
  })

  test('gives the reason why it is not counted, if known', () => {
    const blocker = message('failover.blocker.noFailoverRule', { cluster: 'm1' })
    expect(projectFailover({ failover: failover({ stage: 'unhealthy' }), blocker }).state.reason).toEqual(blocker)
  })

  test('takes the times of its stages from the journal, and from the objects what it did not see', () => {
    const open: OpenFailover = {
      workload: 'w',
      cluster: 'm1',
      unhealthySince: iso(0),
      evictedAt: iso(30),
      replacedAt: iso(40),
      hasGap: false,
      task: { producer: 'p', reason: 'r', replaced: true },
    }
    const seen = projectFailover({
      failover: failover({ stage: 'replaced', ...evicted, since: AT + 29_000, successors: healthy }),
      open,
    })
    expect(seen.steps.map(({ at }) => at)).toEqual([iso(0), undefined, iso(30), iso(40), undefined])
    const unseen = projectFailover({ failover: failover({ stage: 'evicting', ...evicted, since: AT + 29_000 }) })
    expect([unseen.since, unseen.steps[2]?.at]).toEqual([iso(29), iso(29)])
    expect(
      projectFailover({ failover: failover({ since: AT }), failingSince: iso(-3) }).steps.map(({ at }) => at),
    ).toEqual([iso(-3), iso(0), undefined, undefined, undefined])
  })

  test('is kept out for good where no time ends that', () => {
    expect(projectFailover({ failover: failover({ blockedUntil: Infinity }) }).blockedUntil).toBe('permanently')
    expect(projectFailover({ failover: failover({ blockedUntil: AT }) }).blockedUntil).toBe(iso(0))
  })

  test('never goes back in time, for any recorded times', () => {
    const second = fc.integer({ min: -100, max: 100 })
    const stage = fc.constantFrom<FailoverStage>(...FAILOVER_STAGES)
    const times = fc.record({
      at: stage,
      since: second,
      began: second,
      out: fc.option(second),
      replaced: fc.option(second),
      isOut: fc.boolean(),
    })
    fc.assert(
      fc.property(times, ({ at, since, began, out, replaced, isOut }) => {
        const open: OpenFailover | undefined =
          out === null
            ? undefined
            : {
                workload: 'w',
                cluster: 'm1',
                unhealthySince: iso(began),
                evictedAt: iso(out),
                hasGap: false,
                task: { producer: 'p', reason: 'r', replaced: true },
                ...(replaced !== null && { replacedAt: iso(replaced) }),
              }
        const { steps } = projectFailover({
          failover: failover({ stage: at, since: AT + since * 1000, ...(isOut && evicted) }),
          open,
          failingSince: iso(began),
        })
        const told = steps.flatMap((step) => (step.at === undefined ? [] : [parseTime(step.at)]))
        expect(told).toEqual(told.toSorted((a, b) => a - b))
        const reached = steps.map((step) => step.state !== 'none')
        expect(reached).toEqual(reached.toSorted((a, b) => Number(b) - Number(a)))
      }),
      { seed: 7 },
    )
  })
})

describe('a cluster on the monitor', () => {
  const facts = {
    cluster: 'm1',
    trouble: { state: 'fail' as const, reason: 'Not ready' },
    ready: false,
    drained: false,
    since: iso(0),
    placed: 0,
  }
  const at = (stage: FailoverStage, more: Partial<Failover> = {}) =>
    projectFailover({ failover: failover({ stage, cause: 'cluster', ...more }) })

  test.each<[string, FailoverStage[], FailoverStage]>([
    ['with workloads on their way', ['replaced', 'evicting', 'toleration'], 'evicting'],
    ['with workloads that tolerate it', ['replaced', 'toleration', 'unhealthy'], 'toleration'],
    ['whose workloads are all replaced', ['replaced', 'replaced'], 'replaced'],
    ['that nothing drives workloads out of', ['unhealthy'], 'unhealthy'],
    ['that is empty', [], 'done'],
  ])('%s', (_, stages, stage) => {
    const view = projectIncident({
      ...facts,
      failovers: stages.map((each) => at(each, each === 'evicting' || each === 'replaced' ? evicted : {})),
    })
    expect(view).toMatchObject({ stage, since: iso(0), actions: ['drain'] })
  })

  test('counts its workloads by stage, and counts down to the next of them', () => {
    const deadline = (seconds: number) => ({ deadline: { at: AT + seconds * 1000, meaning: 'toleration' as const } })
    const failovers = [at('toleration', deadline(50)), at('toleration', deadline(20)), at('unhealthy')]
    expect(projectIncident({ ...facts, failovers })).toMatchObject({
      workloads: { unhealthy: 1, toleration: 2, evicting: 0 },
      deadline: { at: iso(20) },
      state: { reason: message('failover.incident.affected', { state: 'Not ready', workloads: 3 }) },
    })
  })

  test('without reports for its workloads shows their number', () => {
    expect(projectIncident({ ...facts, placed: 6, failovers: [] })).toMatchObject({
      stage: 'unhealthy',
      state: { reason: message('failover.incident.affected', { state: 'Not ready', workloads: 6 }) },
    })
  })

  test('that was drained may be put back into service', () => {
    expect(projectIncident({ ...facts, ready: true, drained: true, failovers: [] })).toMatchObject({
      actions: ['undrain'],
      cause: 'request',
      state: { state: 'held' },
    })
  })
})
