/** Layout of a flow: bars of clusters on both sides, and ribbons between them, with one scale. */
import type { FlowMove, FlowPlace, PlanFlow } from './flow'

export interface FlowBar {
  place: FlowPlace
  /** Top and height on the left (before) and on the right (after). */
  left: { y: number; height: number }
  right: { y: number; height: number }
}

export interface FlowRibbon {
  move: FlowMove
  /** The whole ribbon, and the part that has arrived. */
  path: string
  donePath: string | undefined
  /** Position of its number. */
  label: { x: number; y: number }
  width: number
}

export interface FlowLayout {
  height: number
  bars: FlowBar[]
  stays: { place: FlowPlace; path: string }[]
  ribbons: FlowRibbon[]
}

interface Size {
  /** Width between the bars. */
  width: number
}

/** Minimum height of a row, for its label. */
const MIN_ROW = 34
const GAP = 8
const MAX_HEIGHT = 200

/** Both sides have the same order, so that unmoved replicas are drawn straight. */
export function layoutFlow({ places, moves }: PlanFlow, { width }: Size): FlowLayout {
  const total = Math.max(1, sumOf(places, 'before'), sumOf(places, 'after'))
  const scale = MAX_HEIGHT / total
  const bars: FlowBar[] = []
  let y = 0
  for (const place of places) {
    const [left, right] = [place.before * scale, place.after * scale]
    const row = Math.max(MIN_ROW, left, right)
    bars.push({ place, left: { y, height: left }, right: { y, height: right } })
    y += row + GAP
  }
  const stays = bars
    .filter(({ place }) => place.stay > 0)
    .map(({ place, left, right }) => {
      const size = place.stay * scale
      return { place, path: ribbonPath(width, { from: left.y, to: right.y, size }) }
    })
  return { height: Math.max(0, y - GAP), bars, stays, ribbons: ribbonsOf(moves, bars, { width, scale }) }
}

function sumOf(places: readonly FlowPlace[], side: 'before' | 'after'): number {
  return places.reduce((sum, place) => sum + place[side], 0)
}

/** Ribbons start and end in the order of their other end, so that those of one cluster do not cross. */
function ribbonsOf(moves: readonly FlowMove[], bars: readonly FlowBar[], { width, scale }: Size & { scale: number }) {
  const indexOf = new Map(bars.map(({ place }, index) => [place.name, index]))
  const at = (name: string | undefined): number => (name === undefined ? -1 : (indexOf.get(name) ?? -1))
  const offsets = (side: 'from' | 'to'): Map<FlowMove, number> => {
    const other = side === 'from' ? 'to' : 'from'
    const used = new Map<string, number>()
    const found = new Map<FlowMove, number>()
    for (const move of [...moves].sort((a, b) => at(a[other]) - at(b[other]))) {
      const name = move[side]
      const bar = name === undefined ? undefined : bars[at(name)]
      if (name === undefined || !bar) continue
      const start = used.get(name) ?? bar.place.stay * scale
      found.set(move, (side === 'from' ? bar.left.y : bar.right.y) + start)
      used.set(name, start + move.replicas * scale)
    }
    return found
  }
  const [leaving, arriving] = [offsets('from'), offsets('to')]
  return moves.flatMap((move): FlowRibbon[] => {
    const [from, to] = [leaving.get(move), arriving.get(move)]
    if (from === undefined || to === undefined) return []
    const size = Math.max(1, move.replicas * scale)
    const done = (move.done / move.replicas) * size
    return [
      {
        move,
        path: ribbonPath(width, { from, to, size }),
        donePath: move.done > 0 ? ribbonPath(width, { from, to, size: done }) : undefined,
        label: { x: 8, y: from + size / 2 },
        width: size,
      },
    ]
  })
}

function ribbonPath(width: number, { from, to, size }: { from: number; to: number; size: number }): string {
  const middle = width / 2
  const [a, b, c, d] = [from, to, to + size, from + size].map((value) => Math.round(value * 10) / 10)
  return `M0 ${a}C${middle} ${a} ${middle} ${b} ${width} ${b}V${c}C${middle} ${c} ${middle} ${d} 0 ${d}Z`
}
