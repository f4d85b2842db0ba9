/** Draws the marks layer: column heads, row heads and marks of what is on screen. */
import type { Text } from '@/lib/messages'
import { countWhile } from '@/lib/std/search'
import type { State } from '@/lib/view/model'
import { type Geometry, type RegionTrack, tracksBetween } from './layout'
import { type Box, type Brush, paintMark } from './paint-cell'
import { paintState } from './paint-state'
import type { Palette } from './palette'
import { type HeatRow, regionSum } from './rows'

/** What is on screen: how far it is scrolled, and how large the canvas is. */
export interface View {
  left: number
  top: number
  width: number
  height: number
}

export interface Scene extends Geometry {
  rowAt: (index: number) => HeatRow
  view: View
  text: Text
  /** Rows that are selected, and rows that are gone but held in place. */
  selected: ReadonlySet<string>
  gone: ReadonlySet<string>
}

/** Workloads this high carry their names; lower ones only where they are exceptions. */
const ROOM_FOR_NAME = 14
const NAME_SIZE = 12
/** Lower marks have no line below them. */
const ROOM_FOR_SPREAD = 10
const INDENT = 20

/** Draws the marks of rows, all that show or those listed, and the names of all. Returns what each row drew. */
export function paintRows(brush: Brush, scene: Scene, only?: ReadonlySet<number>): Map<number, HeatRow> {
  const { rows, view, margins } = scene
  const [first, last] = tracksBetween(rows, view.top, view.top + view.height - margins.heads)
  const drawn = new Map<number, HeatRow>()
  for (let index = first; index < last; index += 1) drawn.set(index, scene.rowAt(index))
  const { context } = brush
  clipped(context, { x: margins.names, y: margins.heads, width: view.width, height: view.height }, () => {
    for (const [index, row] of drawn) {
      if (only === undefined || only.has(index)) paintRow(brush, scene, { index, row })
    }
  })
  clipped(context, { x: 0, y: margins.heads, width: margins.names, height: view.height }, () =>
    paintNames(brush, scene, drawn),
  )
  return drawn
}

function clipped(context: CanvasRenderingContext2D, { x, y, width, height }: Box, paint: () => void): void {
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  paint()
  context.restore()
}

interface RowPaint {
  index: number
  row: HeatRow
}

function paintRow(brush: Brush, scene: Scene, { index, row }: RowPaint): void {
  const { view, margins, rows } = scene
  const y = margins.heads + rows.starts[index]! - view.top
  const height = rows.sizes[index]!
  paintGround(brush, scene, { row, box: { x: margins.names, y, width: view.width - margins.names, height } })
  paintMarks(brush, scene, { row, y, height })
}

function paintGround({ context, palette }: Brush, scene: Scene, { row, box }: { row: HeatRow; box: Box }): void {
  const { x, y, width, height } = box
  context.fillStyle = backgroundOf(palette, scene, row)
  context.fillRect(x, y, width, height)
  if (height < ROOM_FOR_NAME) return
  context.fillStyle = palette.colour.line
  context.fillRect(x, y + height - 1, width, 1)
}

/** The names of low rows are higher than the rows, so grounds come first; a name that another covers is left out. */
function paintNames(brush: Brush, scene: Scene, drawn: ReadonlyMap<number, HeatRow>): void {
  const { margins, rows, view } = scene
  const topOf = (index: number): number => margins.heads + rows.starts[index]! - view.top
  for (const [index, row] of drawn)
    paintGround(brush, scene, { row, box: { x: 0, y: topOf(index), width: margins.names, height: rows.sizes[index]! } })
  let bottom = -Infinity
  for (const [index, row] of drawn) {
    const middle = topOf(index) + rows.sizes[index]! / 2
    const isHigh = rows.sizes[index]! >= ROOM_FOR_NAME
    if (!isHigh && (row.exceptions === 0 || middle - NAME_SIZE / 2 < bottom)) continue
    bottom = middle + (isHigh ? rows.sizes[index]! : NAME_SIZE) / 2
    paintName(brush, scene, { row, y: middle })
  }
}

function backgroundOf({ colour }: Palette, { selected }: Scene, row: HeatRow): string {
  if (selected.has(row.id)) return colour.chosen
  return row.kind === 'group' ? colour.raised : colour.paper
}

function paintMarks(brush: Brush, scene: Scene, { row, y, height }: { row: HeatRow; y: number; height: number }): void {
  const { columns, view, margins } = scene
  const [first, last] = tracksBetween(columns, view.left, view.left + view.width - margins.names)
  const inset = height >= ROOM_FOR_NAME ? 3 : 1
  for (let at = first; at < last; at += 1) {
    const track = columns.tracks[at]!
    const x = margins.names + columns.starts[at]! - view.left
    const box = { x, y: y + inset, width: columns.sizes[at]! - 1, height: height - inset * 2 + 1 }
    if (track.kind === 'cluster') {
      const amounts = row.cells.get(track.column.name)
      if (amounts !== undefined) paintMark(brush, amounts, box)
    } else if (row.cells.size > 0) {
      paintRollUp(brush, { row, track, box })
    }
  }
}

/** Its colour is the mean of the clusters that hold something, so that it compares with theirs. */
function paintRollUp(brush: Brush, { row, track, box }: { row: HeatRow; track: RegionTrack; box: Box }): void {
  const { amounts, spread } = regionSum(row, track)
  const isHigh = box.height >= ROOM_FOR_SPREAD
  const mean = Math.round(amounts.desired / Math.max(1, spread.clusters))
  paintMark(brush, amounts, { ...box, height: box.height - (isHigh ? 4 : 0) }, mean)
  if (isHigh && spread.most > spread.least)
    paintSpread(brush, { ...box, y: box.y + box.height - 2 }, spread.least / spread.most)
}

/** The line below a roll-up: from the fewest to the most replicas of a cluster; none where all have the same. */
function paintSpread(
  { context, palette }: Brush,
  { x, y, width }: { x: number; y: number; width: number },
  from: number,
): void {
  context.fillStyle = palette.colour['ink-2']
  context.fillRect(x + from * width, y, width - from * width, 2)
}

function paintName(brush: Brush, scene: Scene, { row, y }: { row: HeatRow; y: number }): void {
  const { context, palette } = brush
  const { margins, gone } = scene
  const isGroup = row.kind === 'group'
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.font = `${isGroup ? 600 : 400} ${NAME_SIZE}px ${palette.font}`
  context.fillStyle = gone.has(row.id) ? palette.colour['ink-2'] : palette.colour.ink
  const figures = isGroup
    ? paintGroupFigures(brush, scene, { row, y })
    : paintMarkOfState(brush, row.state, { x: margins.names - 20, y })
  if (isGroup) paintChevron(brush, row.closed, y)
  context.font = `${isGroup ? 600 : 400} ${NAME_SIZE}px ${palette.font}`
  context.fillStyle = gone.has(row.id) ? palette.colour['ink-2'] : palette.colour.ink
  const left = isGroup ? INDENT : INDENT + 6
  context.fillText(cutText(context, row.name, figures - left - 6), left, y)
}

function paintMarkOfState(brush: Brush, state: State, at: { x: number; y: number }): number {
  if (state === 'ok') return at.x + 12
  paintState(brush, state, at)
  return at.x
}

/** At the right: how many workloads, and how many of them are exceptions. Returns where they begin. */
function paintGroupFigures(brush: Brush, { margins, text }: Scene, { row, y }: { row: HeatRow; y: number }): number {
  const { context, palette } = brush
  context.textAlign = 'right'
  context.font = `400 ${NAME_SIZE}px ${palette.font}`
  if (row.exceptions > 0) {
    context.fillStyle = palette.colour.ink
    context.fillText(text.format.count(row.exceptions), margins.names - 8, y)
    paintState(brush, row.state, { x: margins.names - 56, y })
  }
  context.fillStyle = palette.colour['ink-2']
  const count = text.format.count(row.workloads)
  context.fillText(count, margins.names - 64, y)
  context.textAlign = 'left'
  return margins.names - 64 - context.measureText(count).width
}

function paintChevron({ context, palette }: Brush, closed: boolean, y: number): void {
  context.strokeStyle = palette.colour['ink-2']
  context.lineWidth = 1.5
  context.beginPath()
  if (closed) {
    context.moveTo(8, y - 4)
    context.lineTo(12, y)
    context.lineTo(8, y + 4)
  } else {
    context.moveTo(6, y - 2)
    context.lineTo(10, y + 2)
    context.lineTo(14, y - 2)
  }
  context.stroke()
}

const MEASURED = new Map<string, string>()
const MAX_MEASURED = 5000

/** A name as far as it fits; names have up to 253 characters. */
export function cutText(context: CanvasRenderingContext2D, name: string, width: number): string {
  const key = `${context.font} ${width} ${name}`
  const known = MEASURED.get(key)
  if (known !== undefined) return known
  if (MEASURED.size > MAX_MEASURED) MEASURED.clear()
  let cut = name
  if (context.measureText(name).width > width) {
    const shorter = (length: number): string => `${name.slice(0, length)}…`
    const length = countWhile(name.length, (index) => context.measureText(shorter(index + 1)).width <= width)
    cut = length === 0 ? '' : shorter(length)
  }
  MEASURED.set(key, cut)
  return cut
}
