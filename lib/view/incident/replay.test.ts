import { describe, expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import type { IncidentRecord } from '../failover-model'
import type { JournalEntry, JournalFact, ReplicasFact } from '../journal'
import { type IncidentCounts, replayOf } from './replay'
import {
  answersAfter,
  lanesOf,
  NO_WORKLOAD,
  PHASES,
  type RecordedWorkload,
  silentBefore,
  statusOf,
  takeEntry,
} from './state'

const START = Date.parse('2026-11-21T09:00:00.000Z')
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString()
const CLUSTERS = ['lost', 'm2', 'm3']
const WORKLOADS = ['apps~v1/Deployment/a/web', 'apps~v1/Deployment/a/api', 'apps~v1/Deployment/b/db']

const entriesOf = (facts: readonly (JournalFact & { after_s: number })[]): JournalEntry[] =>
  facts.map(({ after_s, ...fact }, index) => ({ ...fact, seq: index + 1, at: iso(after_s) }) as JournalEntry)

const recordOf = (entries: JournalEntry[], more: Partial<IncidentRecord> = {}): IncidentRecord => ({
  cluster: 'lost',
  since: iso(0),
  now: iso(600),
  readiness: { lost: 'True', m2: 'True', m3: 'True' },
  partial: false,
  truncated: false,
  entries,
  ...more,
})

/** The totals of the entries so far, recomputed. */
function countAnew(record: IncidentRecord, until: number): IncidentCounts & { lanes: Record<string, unknown> } {
  const silent = silentBefore(record)
  const known = new Map<string, RecordedWorkload>()
  for (const entry of record.entries.filter(({ at }) => Date.parse(at) <= until)) {
    if (entry.what === 'ready') {
      if (answersAfter(entry)) silent.delete(entry.cluster)
      else silent.add(entry.cluster)
    } else if ('workload' in entry)
      known.set(entry.workload, takeEntry(known.get(entry.workload) ?? NO_WORKLOAD, entry, record))
  }
  const counted = [...known.values()].filter(
    ({ isAffected, isDeleted, replicas }) => isAffected && !isDeleted && replicas.size > 0,
  )
  const statuses = counted.map((workload) => statusOf(workload, silent, 'lost'))
  const lanes: Record<string, { ready: number; starting: number; lost: number }> = {}
  for (const workload of counted) {
    for (const [cluster, { ready, starting, lost }] of lanesOf(workload, silent)) {
      const lane = (lanes[cluster] ??= { ready: 0, starting: 0, lost: 0 })
      lane.ready += ready
      lane.starting += starting
      lane.lost += lost
    }
  }
  const byPhase = Object.fromEntries(
    PHASES.map((phase) => [phase, statuses.filter((each) => each.phase === phase).length]),
  ) as Record<(typeof PHASES)[number], number>
  return {
    ...byPhase,
    affected: statuses.length,
    ready: statuses.reduce((sum, { ready }) => sum + ready, 0),
    desired: statuses.reduce((sum, { desired }) => sum + desired, 0),
    lanes,
  }
}

const replicas: fc.Arbitrary<ReplicasFact> = fc
  .record({ placed: fc.nat(5), ready: fc.nat(5), desired: fc.integer({ min: 1, max: 6 }) })
  .map(({ placed, ready, desired }) => ({ placed, ready: Math.min(placed, ready), desired }))
const task = { reason: 'TaintUntolerated', producer: 'TaintManager', replaced: false }
const aFact: fc.Arbitrary<JournalFact> = fc.oneof(
  fc.record({
    what: fc.constant('replicas' as const),
    workload: fc.constantFrom(...WORKLOADS),
    cluster: fc.constantFrom(...CLUSTERS),
    after: replicas,
  }),
  fc.record({
    what: fc.constant('ready' as const),
    cluster: fc.constantFrom(...CLUSTERS),
    after: fc
      .constantFrom('True' as const, 'False' as const, 'Unknown' as const)
      .map((status) => ({ status, reason: '', message: '' })),
  }),
  fc.record({
    what: fc.constant('task' as const),
    workload: fc.constantFrom(...WORKLOADS),
    cluster: fc.constantFrom(...CLUSTERS),
    after: fc.constantFrom(undefined, task, { ...task, suppressDeletion: true }) as fc.Arbitrary<typeof task>,
  }),
  fc.record({
    what: fc.constant('scheduled' as const),
    workload: fc.constantFrom(...WORKLOADS),
    after: fc.constantFrom('True', 'False').map((status) => ({ status, reason: 'x', message: 'no room' })),
  }),
)

describe('the replay of an incident', () => {
  test('equals the totals of the entries up to that time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(aFact, fc.nat(3)), { maxLength: 60 }), fc.nat(180), (facts, second) => {
        let at = 0
        const entries = entriesOf(facts.map(([fact, pause]) => ({ ...fact, after_s: (at += pause) })))
        const record = recordOf(entries)
        const { counts, lanes } = replayOf(record)
        const time = START + second * 1000
        const { lanes: expected, ...sums } = countAnew(record, time)
        expect(counts.at(time)).toEqual(sums)
        for (const cluster of CLUSTERS) {
          const none = { ready: 0, starting: 0, lost: 0 }
          expect(lanes.get(cluster)?.at(time) ?? none).toEqual(expected[cluster] ?? none)
        }
      }),
    )
  })

  test('of a prefix of the journal agrees with the replay of all of it until then', () => {
    fc.assert(
      fc.property(fc.array(aFact, { minLength: 1, maxLength: 40 }), fc.nat(40), (facts, length) => {
        const entries = entriesOf(facts.map((fact, index) => ({ ...fact, after_s: index })))
        const time = START + Math.min(length, entries.length) * 1000 - 1
        const prefix = replayOf(recordOf(entries.slice(0, length)))
        const whole = replayOf(recordOf(entries))
        expect(prefix.counts.at(time)).toEqual(whole.counts.at(time))
        for (const [id, steps] of prefix.workloads) expect(steps.at(time)).toEqual(whole.workloads.get(id)?.at(time))
      }),
    )
  })

  const outage: (JournalFact & { after_s: number })[] = [
    { after_s: 0, what: 'ready', cluster: 'lost', after: { status: 'False', reason: '', message: '' } },
    {
      after_s: 0,
      what: 'replicas',
      workload: WORKLOADS[0]!,
      cluster: 'lost',
      after: { placed: 2, ready: 2, desired: 3 },
    },
    {
      after_s: 0,
      what: 'replicas',
      workload: WORKLOADS[0]!,
      cluster: 'm2',
      after: { placed: 1, ready: 1, desired: 3 },
    },
    { after_s: 5, what: 'taint', cluster: 'lost', after: { key: 'k', effect: 'NoExecute' } },
    { after_s: 9, what: 'task', workload: WORKLOADS[0]!, cluster: 'lost', after: task },
    {
      after_s: 9,
      what: 'replicas',
      workload: WORKLOADS[0]!,
      cluster: 'lost',
      after: { placed: 0, ready: 0, desired: 3 },
    },
    {
      after_s: 10,
      what: 'replicas',
      workload: WORKLOADS[0]!,
      cluster: 'm3',
      after: { placed: 2, ready: 0, desired: 3 },
    },
    {
      after_s: 12,
      what: 'replicas',
      workload: WORKLOADS[0]!,
      cluster: 'm3',
      after: { placed: 2, ready: 2, desired: 3 },
    },
    { after_s: 60, what: 'ready', cluster: 'lost', after: { status: 'True', reason: '', message: '' } },
  ]

  test('has the replicas before, the milestones, and the losses in between', () => {
    const replay = replayOf(recordOf(entriesOf(outage), { readiness: { lost: 'True' } }))
    expect(Object.fromEntries(replay.before)).toEqual({ lost: 2, m2: 1 })
    expect(replay.milestones.map(({ kind, at }) => `${kind} ${(at - START) / 1000}`)).toEqual([
      'notReady 0',
      'tainted 5',
      'evicting 9',
      'evicted 9',
      'firstReady 12',
      'recovered 12',
      'readyAgain 60',
    ])
    expect(replay.lanes.get('lost')?.at(START + 1000)).toEqual({ ready: 0, starting: 0, lost: 2 })
    expect(replay.lanes.get('m3')?.at(START + 11_000)).toEqual({ ready: 0, starting: 2, lost: 0 })
    expect(replay.counts.at(START + 1000)).toMatchObject({ waiting: 1, ready: 1, desired: 3 })
  })

  test('a workload that keeps its ready replicas is not the first that recovers', () => {
    const spare = (cluster: string, placed: number) =>
      ({
        after_s: 0,
        what: 'replicas',
        workload: WORKLOADS[1]!,
        cluster,
        after: { placed, ready: placed, desired: 3 },
      }) as const
    const [ready, ...rest] = outage
    const entries = entriesOf([ready!, spare('lost', 1), spare('m2', 2), spare('m3', 1), ...rest])
    const { milestones, workloads } = replayOf(recordOf(entries))
    expect(workloads.get(WORKLOADS[1]!)?.at(START)?.phase).toBe('recovered')
    expect(milestones.find(({ kind }) => kind === 'firstReady')?.at).toBe(START + 12_000)
  })

  test('forgets what an ended recording held when the next one begins: another cluster failed meanwhile', () => {
    const noted = (after_s: number, cluster: string, placed: number, desired: number) => {
      const after = { placed, ready: placed, desired }
      return { after_s, what: 'replicas', workload: WORKLOADS[0]!, cluster, after } as const
    }
    const ended = (after_s: number, cluster: string) =>
      ({
        after_s,
        what: 'replicas',
        workload: WORKLOADS[0]!,
        cluster,
        before: { placed: 3, ready: 3, desired: 6 },
      }) as const
    const entries = entriesOf([
      outage[0]!,
      noted(0, 'lost', 3, 9),
      noted(0, 'm2', 3, 9),
      noted(0, 'm3', 3, 9),
      noted(5, 'lost', 0, 6),
      noted(5, 'm2', 3, 6),
      noted(5, 'm3', 3, 6),
      ended(6, 'lost'),
      ended(6, 'm2'),
      ended(6, 'm3'),
      // The replicas of m3 were given up unrecorded.
      noted(60, 'm2', 3, 3),
    ])
    const { workloads, lanes } = replayOf(recordOf(entries))
    expect(workloads.get(WORKLOADS[0]!)?.at(START + 7000)).toEqual({ phase: 'recovered', ready: 6, desired: 6 })
    expect(workloads.get(WORKLOADS[0]!)?.last()).toEqual({ phase: 'recovered', ready: 3, desired: 3 })
    expect(lanes.get('m3')?.last()).toEqual({ ready: 0, starting: 0, lost: 0 })
  })

  test('goes on in order when the clock is set back', () => {
    const entries = entriesOf([
      ...outage.slice(0, 6),
      {
        after_s: -3600,
        what: 'replicas',
        workload: WORKLOADS[0]!,
        cluster: 'm3',
        after: { placed: 2, ready: 2, desired: 3 },
      },
    ])
    const replay = replayOf(recordOf(entries))
    expect(replay.counts.at(START + 9_000)).toMatchObject({ recovered: 1, waiting: 0 })
    expect(replay.counts.at(START + 8_000)).toMatchObject({ recovered: 0, waiting: 1 })
  })

  test('marks the time in which nothing was observed', () => {
    const gap = { after_s: 20, what: 'gap', from: iso(12), why: 'stopped' } as const
    expect(replayOf(recordOf(entriesOf([...outage.slice(0, 4), gap]))).gaps).toEqual([
      { from: START + 12_000, to: START + 20_000 },
    ])
  })
})

test('copies of workloads without replicas are affected, and are no replicas', () => {
  const fact: ReplicasFact = { placed: 1, ready: 1, desired: 2, copies: true }
  const record = recordOf(
    entriesOf([
      {
        what: 'replicas',
        workload: WORKLOADS[0]!,
        cluster: 'lost',
        after: { placed: 2, ready: 2, desired: 2 },
        after_s: 0,
      },
      { what: 'replicas', workload: 'v1/ConfigMap/a/settings', cluster: 'lost', after: fact, after_s: 0 },
    ] as never),
  )
  expect(replayOf(record).counts.last()).toMatchObject({ affected: 2, ready: 2, desired: 2 })
})
