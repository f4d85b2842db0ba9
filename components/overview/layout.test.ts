import { describe, expect, it } from 'vitest'
import type { ClusterView } from '@/lib/view/model'
import type { ClusterPicture, RegionPicture } from './federation'
import type { Flow } from './flows'
import { layoutFederation, neighbour } from './layout'
import { type Box, FOOT } from './places'
import { routeFlows } from './routes'

function picture(name: string, { cpu = 8000, blocks = 4 } = {}): ClusterPicture {
  const cluster = { name, cpu: { allocatable: cpu, allocated: cpu / 2, allocating: 0 } } as ClusterView
  return {
    cluster,
    shortName: name,
    ready: 1,
    desired: 1,
    starting: 0,
    arriving: 0,
    blocks: Array.from({ length: blocks }, (_, at) => ({ id: `${at}`, workload: 'w', name: 'w', kind: 'ready' })),
  }
}

const federation = (regions: number, clusters: number, options?: { cpu?: number; blocks?: number }): RegionPicture[] =>
  Array.from({ length: regions }, (_, r) => ({
    name: `r${r}`,
    clusters: Array.from({ length: clusters }, (__, c) => picture(`r${r}-${c}`, options)),
  }))

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('the places of the federation', () => {
  it.each([
    [3, 1, 'blocks'],
    [2, 3, 'blocks'],
    [12, 5, 'tiles'],
    [20, 15, 'dense'],
  ] as const)('shows %i regions of %i clusters as %s', (regions, clusters, density) => {
    expect(layoutFederation(federation(regions, clusters), 880).density).toBe(density)
  })

  it('shows more than 60 replicas in a cluster as fill', () => {
    expect(layoutFederation(federation(3, 1, { blocks: 61 }), 880).density).toBe('tiles')
  })

  it.each([320, 390, 880, 1600])('keeps everything inside and apart at %i px', (width) => {
    for (const facts of [federation(3, 1), federation(1, 6), federation(3, 2), federation(12, 5), federation(20, 15)]) {
      const layout = layoutFederation(facts, width - 32)
      expect(layout.tiles).toHaveLength(facts.flatMap(({ clusters }) => clusters).length)
      layout.regions.forEach((region, at) => {
        expect(region.x).toBeGreaterThanOrEqual(0)
        expect(region.x + region.width).toBeLessThanOrEqual(layout.width + 0.01)
        expect(region.y + region.height).toBeLessThanOrEqual(layout.height)
        for (const other of layout.regions.slice(at + 1)) expect(overlap(region, other)).toBe(false)
      })
      layout.tiles.forEach((tile, at) => {
        const region = layout.regions[tile.region]!
        expect(tile.y).toBeGreaterThanOrEqual(region.y)
        expect(tile.y + tile.height).toBeLessThanOrEqual(region.y + region.height - FOOT[layout.density])
        for (const other of layout.tiles.slice(at + 1)) expect(overlap(tile, other)).toBe(false)
      })
    }
  })

  it('does not move anything when load or names of workloads change', () => {
    const places = (facts: RegionPicture[]) =>
      layoutFederation(facts, 880).tiles.map(({ x, y, width, height }) => [x, y, width, height])
    const busy = federation(12, 5).map((region) => ({
      ...region,
      clusters: region.clusters.map((each) => ({ ...each, load: 0.99, starting: 7, ready: 0 })),
    }))
    expect(places(busy)).toEqual(places(federation(12, 5)))
  })

  it('moves the focus to the nearest tile in a direction', () => {
    const { tiles } = layoutFederation(federation(4, 5), 880)
    expect(neighbour(tiles, 0, 'ArrowRight')).toBe(1)
    expect(neighbour(tiles, 1, 'ArrowLeft')).toBe(0)
    expect(neighbour(tiles, 0, 'ArrowLeft')).toBe(0)
  })
})

/** Corners of a path; curves are cut at their corner, which is the furthest that they reach. */
const cornersOf = (path: string): [number, number][] =>
  [...path.matchAll(/[MLQ](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

describe('the ways of arcs', () => {
  const flow = (from: string, to: string): Flow => ({ from, to, kind: 'failover', replicas: 2, workloads: ['w'] })

  it.each([
    [12, 5, 880],
    [3, 1, 880],
    [3, 2, 340],
  ])('cross no label of %i regions of %i clusters at %i px', (regions, clusters, width) => {
    const layout = layoutFederation(federation(regions, clusters), width)
    const names = layout.tiles.map(({ picture: { cluster } }) => cluster.name)
    const flows = names.slice(1, 13).map((to) => flow(names[0]!, to))
    const routes = routeFlows(layout, flows)
    expect(routes).toHaveLength(flows.length)
    for (const { path } of routes) {
      const corners = cornersOf(path)
      corners.slice(1).forEach(([x, y], index) => {
        const [fromX, fromY] = corners[index]!
        const line = {
          x: Math.min(x, fromX),
          y: Math.min(y, fromY),
          width: Math.abs(x - fromX) + 0.1,
          height: Math.abs(y - fromY) + 0.1,
        }
        for (const region of layout.regions) {
          const foot = FOOT[layout.density]
          const label = { x: region.x, y: region.y + region.height - foot, width: region.width, height: foot }
          expect(overlap(line, label), `${path} over ${region.name}`).toBe(false)
        }
      })
    }
  })

  it('leave out what has no place', () => {
    const layout = layoutFederation(federation(2, 1), 600)
    expect(routeFlows(layout, [flow('r0-0', 'gone'), flow('r0-0', 'r0-0')])).toEqual([])
  })
})
