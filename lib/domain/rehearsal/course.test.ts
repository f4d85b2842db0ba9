import { expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { loadsOf, thinned, worstOutage } from './course'

const id = (name: string) => ({ kind: 'Deployment', namespace: 'shop', name })
const record = (name: string, ...points: [atMs: number, ready: number, desired: number][]) => ({
  workload: id(name),
  budgets: [],
  points: points.map(([atMs, ready, desired]) => ({ atMs, ready, desired, clusters: 1 })),
})

test.each([
  ['nothing fell', [record('a', [0, 4, 4])], undefined],
  ['a workload that was never complete is no outage', [record('a', [0, 2, 4], [10, 0, 4])], undefined],
  [
    'the smallest share counts, for as long as it was that small',
    [
      record('a', [0, 4, 4], [10, 2, 4], [90, 4, 4]),
      record('b', [0, 4, 4], [20, 1, 4], [30, 0, 4], [45, 3, 4], [99, 4, 4]),
    ],
    { workload: id('b'), ready: 0, desired: 4, atMs: 30, forMs: 15 },
  ],
  [
    'of equal shares the longest counts, to the end of the rehearsal',
    [record('a', [0, 2, 2], [10, 0, 2], [20, 2, 2]), record('b', [0, 6, 6], [60, 0, 6])],
    { workload: id('b'), ready: 0, desired: 6, atMs: 60, forMs: 40 },
  ],
])('the worst outage: %s', (_, workloads, expected) => {
  expect(worstOutage({ workloads, durationMs: 100 })).toEqual(expected)
})

test('thinning keeps the first and the last point, every minimum, the order and the bound', () => {
  const rng = seededRng(20261124)
  for (let round = 0; round < 50; round += 1) {
    let atMs = 0
    const points = Array.from({ length: 1 + rng.below(3000) }, () => ({
      atMs: (atMs += rng.below(400)),
      ready: rng.below(9),
    }))
    const most = 20 + rng.below(200)
    const kept = thinned(points, { durationMs: Math.max(1, atMs), most })
    expect(kept[0]).toBe(points[0])
    expect(kept.at(-1)).toBe(points.at(-1))
    expect(kept.length).toBeLessThanOrEqual(most + 3)
    expect(Math.min(...kept.map(({ ready }) => ready))).toBe(Math.min(...points.map(({ ready }) => ready)))
    expect(kept.every((point, index) => index === 0 || point.atMs >= kept[index - 1]!.atMs)).toBe(true)
    expect(new Set(kept).size).toBe(kept.length)
  }
})

test('the load of a cluster is that of its fuller resource, while it responds', () => {
  const at = (atMs: number, up: boolean, cpu: number, memory: number) => ({ atMs, up, cpu, memory })
  const clusters = [
    { cluster: 'gains', points: [at(0, true, 0.2, 0.1), at(20, true, 0.4, 0.7), at(30, true, 0.5, 0.6)] },
    { cluster: 'lost', points: [at(0, true, 0.3, 0.1), at(10, false, 0.9, 0.9)] },
    { cluster: 'never', points: [at(0, false, 0.9, 0.9)] },
  ]
  expect(loadsOf({ clusters })).toEqual([
    { cluster: 'gains', before: 0.2, highest: { share: 0.7, resource: 'memory', atMs: 20 }, after: 0.6 },
    { cluster: 'lost', before: 0.3, highest: { share: 0.3, resource: 'cpu', atMs: 0 } },
  ])
})
