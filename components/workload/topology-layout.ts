/** Layout of the topology. Pure: depends on the cells only. */
import type { CellView } from '@/lib/view/model'

/** With more clusters, those where all is well share one lane. */
export const MAX_LANES = 8
/** Of clusters where something is not well. */
const MAX_TROUBLED = 24
const LANE = 80
const NODE = 64
const TOP = 28

/** Left edges and widths of the five columns. */
export const COLUMNS = [
  { x: 0, width: 216 },
  { x: 260, width: 204 },
  { x: 512, width: 136 },
  { x: 692, width: 204 },
  { x: 928, width: 208 },
] as const
export const WIDTH = 1136

/** The clusters with a lane of their own, and those that share one. */
export function lanesOf(cells: readonly CellView[], isAll: boolean): { own: CellView[]; shared: CellView[] } {
  if (isAll || cells.length <= MAX_LANES) return { own: [...cells], shared: [] }
  const own = cells.filter(({ state }) => state.state !== 'ok').slice(0, MAX_TROUBLED)
  return { own, shared: cells.filter((cell) => !own.includes(cell)) }
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Layout {
  height: number
  template: Box
  policy: Box
  overrides: Box[]
  binding: Box
  /** By lane: Work, the workload in the member, its pods. */
  lanes: { work: Box; member: Box; pods: Box }[]
}

/** `lanes`: also the shared one. */
export function layoutOf(lanes: number, overrides: number): Layout {
  const sources = 2 + overrides
  const height = TOP + Math.max(lanes, sources, 3) * LANE
  const middle = (height + TOP) / 2
  const box = (column: number, y: number, tall = NODE): Box => ({ ...COLUMNS[column]!, y, height: tall })
  const stacked = (column: number, count: number): Box[] => {
    const step = Math.min(LANE * 1.4, (height - TOP) / count)
    return Array.from({ length: count }, (_, index) =>
      box(column, middle + (index - (count - 1) / 2) * step - NODE / 2),
    )
  }
  const [template, policy, ...others] = stacked(0, sources) as [Box, Box, ...Box[]]
  const rows = Array.from({ length: lanes }, (_, index) => middle + (index - (lanes - 1) / 2) * LANE - NODE / 2)
  return {
    height,
    template,
    policy,
    overrides: others,
    binding: box(1, middle - 50, 100),
    lanes: rows.map((y) => ({ work: box(2, y), member: box(3, y), pods: box(4, y) })),
  }
}

/** A line from the right side of one box to the left side of another. */
export function edgeOf(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  const bend = (x2 - x1) / 2
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

export const SQUARE = 22
const GAP = 6
const PER_ROW = Math.floor((COLUMNS[4].width + GAP) / (SQUARE + GAP))
/** Squares in one lane; the last place then says how many more there are. */
export const MAX_SQUARES = PER_ROW * 2

/** The places of the squares of a lane, and how many pods have none. */
export function squaresOf(box: Box, pods: number): { places: { x: number; y: number }[]; more: number } {
  const shown = pods > MAX_SQUARES ? MAX_SQUARES - 2 : pods
  const rows = shown > PER_ROW ? 2 : 1
  const top = box.y + (box.height - rows * SQUARE - (rows - 1) * GAP) / 2
  const places = Array.from({ length: shown }, (_, index) => ({
    x: box.x + (index % PER_ROW) * (SQUARE + GAP),
    y: top + Math.floor(index / PER_ROW) * (SQUARE + GAP),
  }))
  return { places, more: pods - shown }
}
