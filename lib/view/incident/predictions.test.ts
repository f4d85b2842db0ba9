import { expect, test } from 'vitest'
import type { JournalEntry, PredictionFact } from '../journal'
import { predictionsOf } from './predictions'

const made: PredictionFact = {
  since: '2026-11-21T09:00:00.000Z',
  lost: ['m1'],
  fate: 'moves',
  before: [{ name: 'm1', replicas: 2 }],
  predicted: [{ name: 'm2', replicas: 2 }],
  basis: 'x',
}

function entriesOf(facts: readonly (readonly [string, Partial<PredictionFact>])[]): JournalEntry[] {
  return facts.map(([workload, change], at) => ({
    seq: at + 1,
    at: made.since,
    what: 'prediction',
    workload,
    cluster: 'm1',
    after: { ...made, ...change },
  }))
}

test('the latest word about each workload counts, and differences come first', () => {
  const endedIn = (name: string, error: number) => ({
    actual: { fate: 'moves' as const, clusters: [{ name, replicas: 2 }], error },
  })
  const { workloads, ...sums } = predictionsOf(
    entriesOf([
      ['a', {}],
      ['b', {}],
      ['c', {}],
      ['d', {}],
      ['a', { result: 'exact', ...endedIn('m2', 0) }],
      ['c', { result: 'elsewhere', ...endedIn('m3', 2) }],
      ['d', { result: 'changed' }],
    ]),
  )
  expect(sums).toEqual({ exact: 1, judged: 2, open: 1 })
  expect(workloads.map(({ workload, result }) => `${workload} ${result}`)).toEqual([
    'c elsewhere',
    'b open',
    'd changed',
    'a exact',
  ])
  expect(workloads[0]).toMatchObject({
    predicted: [{ cluster: 'm2', replicas: 2 }],
    actual: [{ cluster: 'm3', replicas: 2 }],
  })
})

test('an incident without predictions has none', () => {
  expect(predictionsOf([])).toEqual({ workloads: [], exact: 0, judged: 0, open: 0 })
})
