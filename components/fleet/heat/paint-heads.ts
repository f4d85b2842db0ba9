/** The heads of the columns: region, requested part of the CPU, and the cluster where there is room for its name. */
import { type ColumnTrack, tracksBetween } from './layout'
import { cutText, type Scene } from './paint'
import type { Brush } from './paint-cell'
import { cpuShare } from './rows'

/** From the top: the region, the bars, the clusters. */
const REGION_MIDDLE = 12
const BAR_TOP = 22
const BAR_HEIGHT = 22
const NAME_MIDDLE = 54
export const HEADS_HEIGHT = 64
/** Requested CPU above this part is drawn as a warning. */
const HIGH = 0.9

export function paintHeads(brush: Brush, scene: Scene): void {
  const { context, palette } = brush
  const { view, margins, columns, text } = scene
  context.fillStyle = palette.colour.paper
  context.fillRect(0, 0, view.width, margins.heads)
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.font = `400 11px ${palette.font}`
  context.fillStyle = palette.colour['ink-2']
  context.fillText(text('fleetHeat.head.cpu'), INDENT, BAR_TOP + BAR_HEIGHT / 2)
  context.fillText(text('fleetHeat.head.cluster'), INDENT, NAME_MIDDLE)
  context.save()
  context.beginPath()
  context.rect(margins.names, 0, view.width - margins.names, margins.heads)
  context.clip()
  const [first, last] = tracksBetween(columns, view.left, view.left + view.width - margins.names)
  for (let at = first; at < last; at += 1) paintHead(brush, scene, at)
  paintRegions(brush, scene)
  context.restore()
  context.fillStyle = palette.colour['line-strong']
  context.fillRect(0, margins.heads - 1, view.width, 1)
}

const INDENT = 20

function paintHead(brush: Brush, scene: Scene, at: number): void {
  const { columns, view, margins, text } = scene
  const track = columns.tracks[at]!
  const box = { x: margins.names + columns.starts[at]! - view.left, width: columns.sizes[at]! - 1 }
  paintCpu(brush, track, box)
  const { context, palette } = brush
  const isSilent = track.kind === 'cluster' && track.column.cluster?.ready !== 'True'
  context.font = `${isSilent ? 600 : 400} 11px ${palette.font}`
  context.fillStyle = isSilent ? palette.colour.fail : palette.colour['ink-2']
  const word = track.kind === 'region' ? text('fleetHeat.head.all') : track.short
  const fitting = box.width < MIN_CUT ? wholeOnly(context, word, box.width) : cutText(context, word, box.width)
  context.textAlign = 'center'
  context.fillText(fitting, box.x + box.width / 2, NAME_MIDDLE)
  context.textAlign = 'left'
}

/** A name is cut only where enough of it remains to tell it from others. */
const MIN_CUT = 40

/** Of a number, its leading zeros go first. */
const wholeOnly = (context: CanvasRenderingContext2D, word: string, width: number): string =>
  [word, word.replace(/^0+(?=\d+$)/, '')].find(
    (each) => each.length * 3 <= width && context.measureText(each).width <= width + 1,
  ) ?? ''

function paintCpu({ context, palette }: Brush, track: ColumnTrack, { x, width }: { x: number; width: number }): void {
  const { colour, hatch } = palette
  context.fillStyle = colour.sunken
  context.fillRect(x, BAR_TOP, width, BAR_HEIGHT)
  if (track.kind === 'cluster' && track.column.cluster && track.column.cluster.ready !== 'True') {
    context.fillStyle = hatch.lost
    return context.fillRect(x, BAR_TOP, width, BAR_HEIGHT)
  }
  const share = cpuShare(track.kind === 'region' ? track.clusters : [track.column])
  if (share === undefined) return
  const height = Math.min(1, share) * BAR_HEIGHT
  context.fillStyle = share > HIGH ? colour.warn : colour['amount-5']
  context.fillRect(x, BAR_TOP + BAR_HEIGHT - height, width, height)
}

/** Above its columns, as long as one of them shows. */
function paintRegions({ context, palette }: Brush, { columns, view, margins, text }: Scene): void {
  const { tracks, starts, sizes } = columns
  context.font = `600 11px ${palette.font}`
  context.fillStyle = palette.colour.ink
  for (const [at, track] of tracks.entries()) {
    if (tracks[at - 1]?.region === track.region) continue
    let last = at
    while (tracks[last + 1]?.region === track.region) last += 1
    const [start, end] = [starts[at]! - view.left, starts[last]! + sizes[last]! - view.left]
    if (end < 0 || start > view.width - margins.names) continue
    const chevron = track.kind === 'cluster' ? '' : track.folded ? '▸ ' : '▾ '
    const left = Math.max(0, start)
    const name = chevron + (track.region || text('fleetHeat.noRegion'))
    context.fillText(cutText(context, name, end - left), margins.names + left, REGION_MIDDLE)
  }
}
