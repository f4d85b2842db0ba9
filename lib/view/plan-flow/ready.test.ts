import { describe, expect, test } from 'vitest'
import type { IncidentRecord } from '../failover-model'
import type { JournalEntry, ReplicasFact } from '../journal'
import type { PlanRunView } from '../rebalance-model'
import { readyAhead, readyOver } from './ready'

const START = Date.parse('2026-11-21T09:00:00.000Z')
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString()
const note = (seconds: number, workload: string, cluster: string, after: Omit<ReplicasFact, 'desired'>) => ({
  at: iso(seconds),
  what: 'replicas',
  workload,
  cluster,
  after: { ...after, desired: 4 },
})

const record: IncidentRecord = {
  since: iso(0),
  endedAt: iso(60),
  now: iso(90),
  readiness: {},
  partial: false,
  truncated: false,
  entries: [
    note(1, 'w', 'a', { placed: 2, ready: 2, old: 2 }),
    note(1, 'w', 'b', { placed: 2, ready: 0 }),
    note(5, 'w', 'b', { placed: 2, ready: 2 }),
    note(8, 'w', 'a', { placed: 2, ready: 2 }),
    note(30, 'v', 'a', { placed: 2, ready: 1 }),
    note(40, 'v', 'a', { placed: 2, ready: 2 }),
  ].map((entry, index) => ({ seq: index + 1, ...entry }) as JournalEntry),
}

const target = (id: string, wave: number, expected: number) => ({
  id,
  stage: 'Done',
  wave,
  ready: { floor: 1, expected },
})
const plan = {
  targets: [target('w', 1, 4), target('v', 2, 0), { ...target('still', 3, 3), stage: 'Pending', wave: undefined }],
  waves: [
    { number: 1, workloads: 1, replicasMoved: 2, startedAt: iso(0), finishedAt: iso(10) },
    { number: 2, workloads: 1, replicasMoved: 2, startedAt: iso(30) },
  ],
} as unknown as PlanRunView

describe('the ready replicas of a plan', () => {
  const ready = readyOver(record, plan, (id) => (id === 'still' ? 3 : undefined))!

  test('begin with what every workload had, also those that have not moved', () => {
    expect(ready.before).toBe(4 + 1 + 3)
    expect(ready.floor).toBe(3)
  })

  test('count old replicas while they are ready, and never a half-noted workload', () => {
    expect(ready.measured.times.map((at, index) => [(at - START) / 1000, ready.measured.values[index]])).toEqual([
      [1, 8],
      [5, 10],
      [8, 8],
      [40, 9],
    ])
    expect(ready.lowest).toBe(8)
  })

  test('come with the waves that have begun', () => {
    expect(ready.waves.map(({ number, from, to, isOver }) => [number, from - START, to - START, isOver])).toEqual([
      [1, 0, 10_000, true],
      [2, 30_000, 60_000, false],
    ])
    expect([...ready.initial]).toEqual([
      ['w', 4],
      ['v', 1],
      ['still', 3],
    ])
  })

  test('are not guessed where a workload is not known', () => {
    expect(readyOver(record, plan, () => undefined)).toBeUndefined()
  })
})

describe('the ready replicas of a plan that has not begun', () => {
  test('are those of now, with the sum of the budgets, and unknown while one workload is', () => {
    const { floor, before, waves, measured } = readyAhead(plan, (id) => ({ w: 4, v: 2, still: 3 })[id])!
    expect([before, floor, waves, measured.values]).toEqual([9, 3, [], []])
    expect(readyAhead(plan, (id) => ({ w: 4, v: 2 })[id])).toBeUndefined()
  })
})
