/** All workloads in few pixels: what each line of the minimap draws, and how it maps to rows. */
import type { MatrixRow, WorkloadRow } from '../matrix-model'
import type { Amounts } from './amounts'
import { lastStartingAt, type RowLayout } from './layout'
import type { HeatRow } from './rows'
import { type Scale, STEPS, stepOf } from './scale'

/** Returns prefix sums of the workloads that rows represent: `before[i]` workloads are above row `i`. */
export function workloadsBefore(rows: readonly MatrixRow[]): Float64Array {
  const before = new Float64Array(rows.length + 1)
  for (const [index, row] of rows.entries()) {
    const own = row.kind === 'workload' ? 1 : row.closed ? row.workloads.length : 0
    before[index + 1] = before[index]! + own
  }
  return before
}

interface View {
  offset: number
  room: number
}

/** The part of all workloads that is on screen, from 0 to 1. */
export function frameOf(before: Float64Array, layout: RowLayout, view: View): { from: number; to: number } {
  const all = before.at(-1) ?? 0
  if (all === 0) return { from: 0, to: 1 }
  return {
    from: workloadAt(before, layout, view.offset) / all,
    to: workloadAt(before, layout, view.offset + view.room) / all,
  }
}

/** The workload at an offset, with fractions. */
function workloadAt(before: Float64Array, { starts, sizes, height }: RowLayout, offset: number): number {
  if (offset >= height) return before.at(-1) ?? 0
  const row = lastStartingAt(starts, sizes.length, offset)
  const part = (Math.max(0, offset) - starts[row]!) / sizes[row]!
  return before[row]! + part * (before[row + 1]! - before[row]!)
}

/** The offset that puts a part of all workloads, from 0 to 1, in the middle of the view. */
export function offsetAt(before: Float64Array, layout: RowLayout, at: { part: number; room: number }): number {
  const wanted = Math.max(0, Math.min(1, at.part)) * (before.at(-1) ?? 0)
  let row = 0
  while (row + 1 < layout.sizes.length && before[row + 1]! <= wanted) row += 1
  const own = before[row + 1]! - before[row]!
  const within = own === 0 ? 0 : ((wanted - before[row]!) / own) * (layout.sizes[row] ?? 0)
  return Math.max(0, Math.min(layout.height - at.room, (layout.starts[row] ?? 0) + within - at.room / 2))
}

/** Value of a minimap pixel: empty, a step of the ramp (from 1), or a state. Higher values cover lower ones. */
/** Levels above the ramp. */
const STARTING = STEPS + 1
const SHORT = STEPS + 2
const LOST = STEPS + 3

interface MinimapOptions {
  workloads: readonly HeatRow[]
  /** The place of each cluster, from 0. */
  places: ReadonlyMap<string, number>
  scale: Scale
  width: number
  height: number
}

/** One byte for each pixel, row by row. */
export function minimapLevels({ workloads, places, scale, width, height }: MinimapOptions): Uint8Array {
  const levels = new Uint8Array(width * height)
  const [perRow, perColumn] = [height / Math.max(1, workloads.length), width / Math.max(1, places.size)]
  for (const [index, row] of workloads.entries()) {
    const [top, bottom] = pixels(index, perRow)
    for (const [cluster, amounts] of row.cells) {
      const place = places.get(cluster)
      const level = place === undefined ? 0 : levelOf(amounts, scale)
      if (level === 0) continue
      const [left, right] = pixels(place!, perColumn)
      for (let y = top; y < Math.min(bottom, height); y += 1)
        for (let x = left; x < Math.min(right, width); x += 1)
          levels[y * width + x] = Math.max(levels[y * width + x]!, level)
    }
  }
  return levels
}

/** At least one pixel, and a pixel of space where there is room for it. */
function pixels(index: number, size: number): [from: number, to: number] {
  const from = Math.floor(index * size)
  return [from, Math.max(from + 1, Math.floor((index + 1) * size) - (size >= 3 ? 1 : 0))]
}

function levelOf(amounts: Amounts, scale: Scale): number {
  if (amounts.lost > 0 || amounts.failed > 0) return LOST
  if (amounts.short > 0) return SHORT
  if (amounts.starting > 0) return STARTING
  return amounts.desired > 0 ? stepOf(scale, amounts.desired) + 1 : 0
}

/** All workloads in the order of the rows, those of collapsed groups, too. */
export const workloadsOf = (rows: readonly MatrixRow[]): WorkloadRow[] =>
  rows.flatMap((row) => {
    if (row.kind === 'workload') return [row]
    return row.closed ? row.workloads.map((workload) => ({ kind: 'workload' as const, id: workload.id, workload })) : []
  })
