import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '@/lib/view/journal'
import type { ClusterView } from '@/lib/view/model'
import { loadPaths, loadSeries, seriesSince } from './load-series'

const cluster = { name: 'm1', cpu: { allocatable: 1000, allocated: 500, allocating: 0 } } as ClusterView
const load = (at: number, allocated: number, before?: number): JournalEntry => ({
  seq: at,
  at: new Date(at).toISOString(),
  what: 'load',
  cluster: 'm1',
  ...(before !== undefined && { before: { cpu: { allocatable: 1000, allocated: before } } }),
  after: { cpu: { allocatable: 1000, allocated } },
})
const range = { resource: 'cpu', from: 1000, to: 9000 } as const

describe('the load of a cluster over time', () => {
  it('begins with what was before the first change, and ends with the present', () => {
    expect(loadSeries([load(2000, 300, 100)], cluster, range).map(({ at, allocated }) => [at, allocated])).toEqual([
      [1000, 100],
      [2000, 300],
      [9000, 500],
    ])
  })

  it('begins with the first record where nothing was known before', () => {
    expect(loadSeries([load(2000, 300)], cluster, range)[0]).toMatchObject({ at: 2000, allocated: 300 })
  })

  it('is a level line without changes, and ignores other clusters', () => {
    expect(loadSeries([{ ...load(2000, 9), cluster: 'm2' } as JournalEntry], cluster, range)).toHaveLength(2)
  })

  it('is empty where the cluster never reported', () => {
    expect(loadSeries([], { name: 'm1' } as ClusterView, range)).toEqual([])
  })
})

it('a later part begins with what held by then', () => {
  const points = loadSeries([load(2000, 300, 100), load(4000, 700)], cluster, range)
  expect(seriesSince(points, 3000).map(({ at, allocated }) => [at, allocated])).toEqual([
    [3000, 300],
    [4000, 700],
    [9000, 500],
  ])
  expect(seriesSince(points, 0)).toEqual(points)
})

it('is drawn in steps, and stays in its box', () => {
  const points = loadSeries([load(5000, 1000, 0)], cluster, range)
  const box = { width: 100, height: 50 }
  const paths = loadPaths(points, { from: 1000, to: 9000 }, box)
  expect(paths?.line).toBe('M0 50H50V2H100V26')
  expect(paths?.capacity).toBe('M0 2H50V2H100V2')
  expect(paths?.area).toBe('M0 50H50V2H100V26V50H0Z')
  // With time ahead, the present is not at the edge.
  expect(loadPaths(points, { from: 1000, to: 17_000 }, box)?.line).toBe('M0 50H25V2H50V26')
  expect(loadPaths([], range, box)).toBeUndefined()
})
