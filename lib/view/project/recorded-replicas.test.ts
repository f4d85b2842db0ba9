import { describe, expect, test } from 'vitest'
import { RUN_ANNOTATION } from '@/lib/domain/rebalance/run/record'
import { recordedReplicas } from './recorded-replicas'
import { placed, reportOf, sampleBinding, T0 } from './testing/samples'

const isTroubled = (cluster: string): boolean => cluster === 'm2'
const factsIn = (recorded: ReadonlyMap<string, unknown>) => Object.fromEntries(recorded)
const knownOf = (recorded: ReadonlyMap<string, unknown>) =>
  new Map([...recorded].map(([cluster, fact]) => [`replicas ${cluster}`, fact]))

describe('what is recorded of replicas', () => {
  test('none without an activity, even in the middle of a rollout', () => {
    const rolling = sampleBinding({ status: { aggregatedStatus: [reportOf('m1', 1), reportOf('m2', 1)] } })
    expect(factsIn(recordedReplicas(rolling, {}))).toEqual({})
  })

  test('every cluster of a workload from the moment that one of them fails', () => {
    expect(factsIn(recordedReplicas(sampleBinding(), { isTroubled }))).toEqual({
      m1: { placed: 2, ready: 2, desired: 3 },
      m2: { placed: 1, ready: 1, desired: 3 },
    })
  })

  test('what it left, with the old replicas there, until all are ready elsewhere', () => {
    const before = recordedReplicas(sampleBinding(), { isTroubled })
    const moved = { spec: { clusters: placed({ m1: 3 }) } }
    const leaving = sampleBinding({ ...moved, status: { aggregatedStatus: [reportOf('m1', 2), reportOf('m2', 1)] } })
    const during = recordedReplicas(leaving, { isTroubled, known: knownOf(before) })
    expect(factsIn(during)).toEqual({
      m1: { placed: 3, ready: 2, desired: 3 },
      m2: { placed: 0, ready: 0, old: 1, desired: 3 },
    })
    const gone = sampleBinding({ ...moved, status: { aggregatedStatus: [reportOf('m1', 2)] } })
    expect(factsIn(recordedReplicas(gone, { isTroubled, known: knownOf(during) }))).toMatchObject({
      m2: { placed: 0, ready: 0 },
    })
    const settled = sampleBinding({ ...moved, status: { aggregatedStatus: [reportOf('m1', 3)] } })
    const end = recordedReplicas(settled, { isTroubled, known: knownOf(during) })
    expect(factsIn(end)).toMatchObject({ m1: { placed: 3, ready: 3 }, m2: { placed: 0, ready: 0 } })
    expect(factsIn(recordedReplicas(settled, { isTroubled, known: knownOf(end) }))).toEqual({})
  })

  test('old replicas of a smaller share until they are gone, unless their cluster is in trouble', () => {
    const before = recordedReplicas(sampleBinding(), { isTroubled })
    const shrunk = { spec: { clusters: placed({ m1: 3, m2: 0 }) } }
    const released = sampleBinding({ ...shrunk, status: { aggregatedStatus: [reportOf('m1', 3), reportOf('m2', 1)] } })
    const during = recordedReplicas(released, { known: knownOf(before) })
    const still = recordedReplicas(released, { known: knownOf(during) })
    expect(factsIn(still)).toMatchObject({ m2: { placed: 0, old: 1 } })
    const gone = sampleBinding({ ...shrunk, status: { aggregatedStatus: [reportOf('m1', 3), reportOf('m2', 0)] } })
    const end = recordedReplicas(gone, { known: knownOf(still) })
    expect(factsIn(end)).toEqual({ m1: { placed: 3, ready: 3, desired: 3 }, m2: { placed: 0, ready: 0, desired: 3 } })
    expect(factsIn(recordedReplicas(gone, { known: knownOf(end) }))).toEqual({})
    const leftBehind = sampleBinding({
      spec: { clusters: placed({ m1: 3 }) },
      status: { aggregatedStatus: [reportOf('m1', 3), reportOf('m2', 1)] },
    })
    const left = recordedReplicas(leftBehind, { isTroubled, known: knownOf(before) })
    expect(factsIn(recordedReplicas(leftBehind, { isTroubled, known: knownOf(left) }))).toEqual({})
  })

  test('a plan that only changes the sizes of shares, from its first write until old replicas are gone', () => {
    const run = { plan: 'home', uid: 'u', generation: 2, at: T0, before: [], predicted: [], hold: ['m1'], keep: [] }
    const of = (released: string | undefined, m1: number, m2: number) =>
      sampleBinding({
        metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify({ ...run, released }) } },
        spec: { clusters: placed({ m1: 1, m2: 2 }) },
        status: { aggregatedStatus: [reportOf('m1', m1), reportOf('m2', m2)] },
      })
    const during = recordedReplicas(of(undefined, 2, 1), {})
    expect(factsIn(during)).toEqual({
      m1: { placed: 1, ready: 1, old: 1, desired: 3 },
      m2: { placed: 2, ready: 1, desired: 3 },
    })
    const released = recordedReplicas(of('settled', 2, 2), { known: knownOf(during) })
    expect(factsIn(released)).toMatchObject({ m1: { ready: 1, old: 1 }, m2: { ready: 2 } })
    const end = recordedReplicas(of('settled', 1, 2), { known: knownOf(released) })
    expect(factsIn(end)).toEqual({ m1: { placed: 1, ready: 1, desired: 3 }, m2: { placed: 2, ready: 2, desired: 3 } })
    expect(factsIn(recordedReplicas(of('settled', 1, 2), { known: knownOf(end) }))).toEqual({})
    expect(factsIn(recordedReplicas(of('settled', 1, 2), {}))).toEqual({})
  })
})
