import { describe, expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import { afterMove, type Capacities, fullestOf, isExceeded, loadOf, type LoadTarget, sumOfLoads } from './load'

const places = (counts: Record<string, number>) =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }))
const target = (
  now: Record<string, number>,
  after: Record<string, number>,
  request: LoadTarget['request'] = { cpu: 500, memory: 1000, pods: 1 },
): LoadTarget => ({ now: places(now), after: places(after), request })

const capacities: Capacities = new Map([
  ['a', { cpu: { allocatable: 4000, requested: 3000 }, pods: { allocatable: 10, requested: 6 } }],
  ['b', { cpu: { allocatable: 2000, requested: 1500 } }],
])

describe('the load of a rebalance', () => {
  test('is what clusters report, with what is still to arrive and to leave', () => {
    const [a, b] = loadOf([target({ a: 4 }, { a: 1, b: 3 })], capacities)
    expect(a).toMatchObject({ cluster: 'a', cpu: { arriving: 0, leaving: 1500 }, pods: { leaving: 3 } })
    expect([a!.cpu, b!.cpu].map(afterMove)).toEqual([1500, 3000])
    expect([a!.cpu, b!.cpu].map(isExceeded)).toEqual([false, true])
    expect(fullestOf([a!, b!], 'cpu')).toEqual({ cluster: 'b', now: 0.75, after: 1.5 })
  })

  test('is not known where a cluster reports no capacity, and tells of replicas without a request', () => {
    const [a, b] = loadOf([target({ a: 4 }, { a: 1, b: 3 }, { pods: 1 })], capacities)
    expect([a!.cpu.unknown, b!.cpu.unknown, a!.pods.unknown]).toEqual([3, 3, 0])
    expect(afterMove(a!.cpu)).toBe(3000)
    expect([afterMove(b!.pods), b!.pods]).toEqual([undefined, { arriving: 3, leaving: 0, unknown: 0 }])
    expect(sumOfLoads([a!.pods, b!.pods])).toEqual({ arriving: 3, leaving: 3, unknown: 0 })
  })

  test('has no pending moves for arrived replicas', () => {
    expect(loadOf([target({ b: 4 }, { b: 4 })], capacities)).toMatchObject([
      { cluster: 'b', cpu: { arriving: 0, leaving: 0, unknown: 0 } },
    ])
  })

  test('gives elsewhere what it takes, and is never negative', () => {
    const some = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(20), { noNullPrototype: true })
    const request = fc.record({ cpu: fc.nat(2000), pods: fc.constant(1) }, { requiredKeys: [] })
    const targets = fc.array(fc.tuple(some, some, request).map(([now, after, each]) => target(now, after, each)))
    fc.assert(
      fc.property(targets, (all) => {
        const clusters = loadOf(all, capacities)
        const total = sumOfLoads(clusters.map(({ cpu }) => cpu))
        const wanted = (side: 'now' | 'after') =>
          all.reduce(
            (sum, each) => sum + each[side].reduce((n, { replicas }) => n + replicas, 0) * (each.request.cpu ?? 0),
            0,
          )
        expect(total.arriving - total.leaving).toBe(wanted('after') - wanted('now'))
        for (const { cpu, pods } of clusters)
          for (const change of [cpu, pods]) {
            expect(Math.min(change.arriving, change.leaving, change.unknown)).toBeGreaterThanOrEqual(0)
            expect(afterMove(change) ?? 0).toBeGreaterThanOrEqual(0)
          }
      }),
    )
  })
})
