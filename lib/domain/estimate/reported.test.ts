import { expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { seededRng } from '@/lib/std/rng'
import { withArrivals, withDepartures } from '.'

const models = [
  ['0', '1'],
  ['1', '2'],
  ['2', '4'],
  ['4', '8'],
].map(([min, max], grade) => ({ grade, ranges: [{ name: 'cpu', min: min!, max: max! }] }))
function cluster(
  modelings: [grade: number, count: number][],
  summary = { allocatable: { cpu: '8', pods: '100' }, allocated: { cpu: '1', pods: '2' } },
) {
  const allocatableModelings = modelings.map(([grade, count]) => ({ grade, count }))
  return {
    metadata: { name: 'm1' },
    spec: { resourceModels: models },
    status: { resourceSummary: { ...summary, allocatableModelings } },
  } as unknown as Cluster
}
const copies = (replicas: number, cpu: string) => [{ replicas, requirements: { resourceRequest: { cpu } } }]
const countsOf = (one: Cluster) =>
  Object.fromEntries(
    (one.status?.resourceSummary?.allocatableModelings ?? [])
      .filter(({ count }) => count > 0)
      .map(({ grade, count }) => [grade, count]),
  )

test.each<[string, Cluster, ReturnType<typeof copies>, object]>([
  ['nodes are filled evenly', cluster([[2, 2]]), copies(2, '1'), { 2: 2 }],
  ['a node falls to the next grade', cluster([[2, 2]]), copies(3, '1'), { 1: 1, 2: 1 }],
  ['copies that fit no node take nothing', cluster([[2, 2]]), copies(1, '5'), { 2: 2 }],
  [
    'a node that its grade bounds from above',
    cluster([
      [1, 1],
      [2, 1],
    ]),
    copies(1, '1'),
    { 1: 1, 2: 1 },
  ],
])('%s', (_name, one, arrivals, expected) => {
  expect(countsOf(withArrivals(one, arrivals))).toEqual(expected)
})

test('among nodes with equal free CPU, the replica goes to the one of the higher grade', () => {
  const ranges = (cpu: string, memory: string) => [
    { name: 'cpu', min: cpu, max: '100' },
    { name: 'memory', min: memory, max: '1Ti' },
  ]
  const resourceModels = [
    { grade: 0, ranges: ranges('0', '0') },
    { grade: 1, ranges: ranges('2', '16Gi') },
    { grade: 2, ranges: ranges('4', '32Gi') },
  ]
  // Four equal nodes; the memory of the used one is just below the grade of the others.
  const summary = { allocatable: { cpu: '64', memory: '128Gi' }, allocated: { cpu: '1', memory: '64Mi' } }
  const allocatableModelings = [
    { grade: 1, count: 1 },
    { grade: 2, count: 3 },
  ]
  const before = {
    metadata: { name: 'm1' },
    spec: { resourceModels },
    status: { resourceSummary: { ...summary, allocatableModelings } },
  } as unknown as Cluster
  const one = [{ replicas: 1, requirements: { resourceRequest: { cpu: '1', memory: '64Mi' } } }]
  expect(countsOf(withArrivals(before, one))).toEqual({ 1: 2, 2: 2 })
})

test('the summary includes arrivals, and without arrivals nothing changes', () => {
  const before = cluster([[2, 2]])
  expect(withArrivals(before, copies(3, '500m')).status?.resourceSummary?.allocating).toEqual({
    cpu: '1500m',
    pods: '3',
  })
  expect(withArrivals(before, [])).toBe(before)
  const silent = { ...before, status: {} } as Cluster
  expect(withArrivals(silent, copies(3, '1'))).toBe(silent)
})

/** Grades of all nodes together: the nodes themselves are approximate. */
const gradesOf = (one: Cluster): number =>
  Object.entries(countsOf(one)).reduce((sum, [grade, count]) => sum + Number(grade) * count, 0)

test.each([0, 1, 2, 3, 4])('replicas that arrive one after the other fill nodes as all at once (seed %i)', (seed) => {
  const rng = seededRng(seed)
  const requests = Array.from({ length: 24 }, () => copies(1, `${250 * (1 + rng.below(4))}m`)[0]!)
  const before = cluster([[3, 4]], { allocatable: { cpu: '32', pods: '100' }, allocated: { cpu: '4', pods: '2' } })
  const apart = requests.reduce((one, copy) => withArrivals(one, [copy]), before)
  expect(gradesOf(before) - gradesOf(apart)).toBeGreaterThanOrEqual(2)
  expect(Math.abs(gradesOf(apart) - gradesOf(withArrivals(before, requests)))).toBeLessThanOrEqual(2)
  const left = requests.reduce((one, copy) => withDepartures(one, copy), apart)
  expect(Math.abs(gradesOf(left) - gradesOf(before))).toBeLessThanOrEqual(2)
})
