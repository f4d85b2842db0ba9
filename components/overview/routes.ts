/**
 * Routes of arcs between clusters. They run in the gutters between regions and reach a tile from above; names and
 * figures are below the tiles, so no arc crosses a label.
 */
import type { Flow } from './flows'
import { type Box, type FederationLayout, GUTTER, type TilePlace } from './places'

export interface Route {
  flow: Flow
  path: string
  /** End of the arc, and position of its badge. */
  end: Point
  badge: Point
}

interface Point {
  x: number
  y: number
}

const RADIUS = 9
const LANE = 5
/** Lanes of a gutter; further arcs share them. */
const LANES = 5

export function routeFlows(layout: FederationLayout, flows: readonly Flow[]): Route[] {
  const tiles = new Map(layout.tiles.map((tile) => [tile.picture.cluster.name, tile]))
  const endings = new Map<string, number>()
  return flows.flatMap((flow, index) => {
    const [from, to] = [tiles.get(flow.from), tiles.get(flow.to)]
    if (from === undefined || to === undefined || from === to) return []
    const nth = endings.get(flow.to) ?? 0
    endings.set(flow.to, nth + 1)
    const points = wayBetween({ layout, from, to }, index % LANES, nth)
    const end = points.at(-1)!
    return [{ flow, path: rounded(points), end, badge: { x: end.x, y: topOf(layout, to) - 12 } }]
  })
}

/** The upper edge of the region of a tile: the gutter is above it. */
const topOf = ({ regions }: FederationLayout, tile: TilePlace): number => regions[tile.region]?.y ?? tile.y

function wayBetween(
  { layout, from, to }: { layout: FederationLayout; from: TilePlace; to: TilePlace },
  lane: number,
  nth: number,
): Point[] {
  const offset = lane * LANE
  const start = { x: middle(from) + (lane - LANES / 2) * 3, y: from.y }
  const end = { x: middle(to) + spread(nth) * 7, y: to.y - 3 }
  const [up, down] = [topOf(layout, from) - 10 - offset, topOf(layout, to) - 10 - offset]
  const [source, target] = [layout.regions[from.region], layout.regions[to.region]]
  if (source === undefined || target === undefined || source.row === target.row)
    return [start, { x: start.x, y: up }, { x: end.x, y: up }, end]
  // Down a gutter between columns, at the side of the source that the target is on.
  const right = target.column > source.column || (target.column === source.column && source.column === 0)
  const aside = right ? source.x + source.width + GUTTER.x / 2 : source.x - GUTTER.x / 2
  const x = Math.min(Math.max(aside - 4 + lane * 2, 2), layout.width - 2)
  return [start, { x: start.x, y: up }, { x, y: up }, { x, y: down }, { x: end.x, y: down }, end]
}

const middle = ({ x, width }: Box): number => x + width / 2
/** 0, 1, −1, 2, −2, …: several arcs to one tile end beside each other. */
const spread = (nth: number): number => (nth % 2 === 0 ? -nth / 2 : (nth + 1) / 2)

/** A path through the points with rounded corners. */
export function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const parts = [`M${n(first.x)} ${n(first.y)}`]
  rest.forEach((point, index) => {
    const before = points[index]!
    const after = rest[index + 1]
    if (after === undefined) {
      parts.push(`L${n(point.x)} ${n(point.y)}`)
      return
    }
    const [entry, exit] = [towards(point, before), towards(point, after)]
    parts.push(`L${n(entry.x)} ${n(entry.y)}`, `Q${n(point.x)} ${n(point.y)} ${n(exit.x)} ${n(exit.y)}`)
  })
  return parts.join('')
}

/** A point on the way to the next, a radius or half the way from the corner. */
function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y)
  const part = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length
  return { x: corner.x + (other.x - corner.x) * part, y: corner.y + (other.y - corner.y) * part }
}

const n = (value: number): number => Math.round(value * 10) / 10
