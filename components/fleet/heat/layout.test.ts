import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { columnArranger, rowArranger } from '../matrix-model'
import { boxOf, placeAt } from './hit'
import { DENSITIES, layoutColumns, layoutRows, scrollTo, tracksBetween } from './layout'
import { frameOf, minimapLevels, offsetAt, workloadsBefore, workloadsOf } from './minimap-model'
import { partWidths } from './paint-cell'
import { HeatRows } from './rows'
import { scaleOf, stepOf } from './scale'
import { aCell, aCluster, aWorkload, fleets } from './testing/fleets'

const arrangeRows = rowArranger()

const shapes = fc
  .record({
    fleet: fleets,
    density: fc.constantFrom(...DENSITIES),
    room: fc.integer({ min: 100, max: 2000 }),
    folded: fc.array(fc.constantFrom('r0', 'r1', 'r2'), { maxLength: 2 }),
  })
  .map(({ fleet, density, room, folded }) => {
    const columns = columnArranger()(fleet.clusters, fleet.workloads)
    const rows = arrangeRows(fleet.workloads, 'namespace', { has: (name) => name === 'b' })
    return {
      rows,
      geometry: {
        columns: layoutColumns({ columns, folded: new Set(folded), density, room }),
        rows: layoutRows(rows, density),
        margins: { names: 200, heads: 64 },
      },
    }
  })

describe('the layout', () => {
  it('is found again at every place of it, however far it is scrolled', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.nat(),
        fc.nat(),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (shape, row, column, part) => {
          const { geometry } = shape
          if (geometry.rows.sizes.length === 0) return
          const place = { row: row % geometry.rows.sizes.length, column: column % geometry.columns.sizes.length }
          const view = {
            left: geometry.columns.starts[place.column]!,
            top: geometry.rows.starts[place.row]!,
            width: 5000,
            height: 5000,
          }
          const box = boxOf({ ...geometry, view }, place)
          const point = { x: box.x + box.width * part, y: box.y + box.height * part }
          expect(placeAt({ ...geometry, view }, point)).toEqual(place)
        },
      ),
    )
  })

  it('has heads beside the cells, and nothing in the corner, in gaps and outside', () => {
    const columns = columnArranger()(
      ['a-1', 'a-2', 'b-1'].map((name) => aCluster(name, { region: name[0]! })),
      [],
    )
    const rows = arrangeRows([aWorkload({ name: 'web' })], 'namespace', { has: () => false })
    const geometry = {
      columns: layoutColumns({ columns, folded: new Set(), density: 'comfortable', room: 400 }),
      rows: layoutRows(rows, 'comfortable'),
      margins: { names: 200, heads: 64 },
      view: { left: 0, top: 0, width: 800, height: 400 },
    }
    expect(geometry.columns.tracks.map(({ id }) => id)).toEqual([
      'region/a',
      'cluster/a-1',
      'cluster/a-2',
      'cluster/b-1',
    ])
    expect(placeAt(geometry, { x: 10, y: 10 })).toBeUndefined()
    expect(placeAt(geometry, { x: 10, y: 65 })).toEqual({ row: 0 })
    expect(placeAt(geometry, { x: 201, y: 10 })).toEqual({ column: 0 })
    const gap = 200 + geometry.columns.starts[3]! - 2
    expect(placeAt(geometry, { x: gap, y: 70 })).toBeUndefined()
    expect(placeAt(geometry, { x: 790, y: 390 })).toBeUndefined()
  })

  it('draws every track that shows and none that ends before it', () => {
    fc.assert(
      fc.property(shapes, fc.nat(3000), fc.nat(900), ({ geometry }, from, room) => {
        const { rows } = geometry
        const [first, last] = tracksBetween(rows, from, from + room)
        for (const [index, start] of [...rows.starts].slice(0, -1).entries()) {
          const shows = start + rows.sizes[index]! > from && start < from + room
          if (shows) expect(index >= first && index < last).toBe(true)
        }
      }),
    )
  })

  it('keeps the width that is there where the columns can, and collapses a region to one column', () => {
    const clusters = Array.from({ length: 60 }, (_, at) => aCluster(`c-${at}`, { region: `r${at % 12}` }))
    const columns = columnArranger()(clusters, [])
    const wide = layoutColumns({ columns, folded: new Set(), density: 'comfortable', room: 1600 })
    expect(wide.width).toBeLessThanOrEqual(1600)
    const folded = layoutColumns({ columns, folded: { has: () => true }, density: 'comfortable', room: 1600 })
    expect(folded.tracks.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'region'))
  })

  it('scrolls as little as shows a track whole', () => {
    const rows = layoutRows(
      Array.from({ length: 100 }, () => ({ kind: 'workload' as const })),
      'comfortable',
    )
    expect(scrollTo(rows, 5, { offset: 0, room: 200 })).toBe(0)
    expect(scrollTo(rows, 10, { offset: 0, room: 200 })).toBe(20)
    expect(scrollTo(rows, 2, { offset: 100, room: 200 })).toBe(40)
  })
})

describe('the scale', () => {
  it('has room for the most replicas, and a higher step is never fewer of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), fc.nat(1e7), fc.nat(1e7), (most, a, b) => {
        const scale = scaleOf(most)
        expect(scale.from[0]).toBe(1)
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        expect(stepOf(scale, low)).toBeLessThanOrEqual(stepOf(scale, high))
      }),
    )
  })

  it('doubles from step to step in a fleet of few replicas', () => {
    expect(scaleOf(9).from).toEqual([1, 2, 4, 8, 16, 32])
  })
})

describe('parts of a mark', () => {
  it('fill its width, and the smallest still shows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const all = parts.reduce((sum, part) => sum + part, 0)
        const widths = partWidths(
          parts.map((part) => part / all),
          40,
        )
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(40)
        expect(Math.min(...widths)).toBeGreaterThan(0)
      }),
    )
    expect(partWidths([0.999, 0.001], 100)).toEqual([95, 5])
  })
})

describe('the minimap', () => {
  const rows = arrangeRows(
    Array.from({ length: 40 }, (_, at) =>
      aWorkload({ name: `w-${at}`, namespace: `n${at % 4}`, cells: [aCell('eu-1')] }),
    ),
    'namespace',
    { has: (name) => name !== 'n1' },
  )
  const layout = layoutRows(rows, 'comfortable')
  const before = workloadsBefore(rows)

  it('has all workloads, those of collapsed groups, too', () => {
    expect(workloadsOf(rows)).toHaveLength(40)
    expect(before.at(-1)).toBe(40)
    expect(frameOf(before, layout, { offset: 0, room: layout.height })).toEqual({ from: 0, to: 1 })
  })

  it('leads to the rows that it shows', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (part) => {
        const room = 60
        const offset = offsetAt(before, layout, { part, room })
        const { from, to } = frameOf(before, layout, { offset, room })
        expect(part).toBeGreaterThanOrEqual(from - 0.01)
        expect(part).toBeLessThanOrEqual(to + 0.01)
      }),
    )
  })

  it('shows what is lost although a healthy workload falls on the same pixel', () => {
    const drawn = new HeatRows(new Set(['eu-2']), false, (name) => name)
    const workloads = [
      aWorkload({ name: 'a', cells: [aCell('eu-2', { ready: 0, unknown: 4 })] }),
      aWorkload({ name: 'b', cells: [aCell('eu-2')] }),
    ].map((workload) => drawn.of({ kind: 'workload', id: workload.id, workload }))
    const options = { places: new Map([['eu-2', 0]]), scale: scaleOf(9), width: 1, height: 1 }
    const lost = minimapLevels({ ...options, workloads })[0]!
    expect(lost).toBeGreaterThan(minimapLevels({ ...options, workloads: workloads.slice(1) })[0]!)
  })
})
