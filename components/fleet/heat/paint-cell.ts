/** One mark: solid is ready, hatched starts, a white bar on red is lost. */
import { type Amounts, type Fate, sizeOf, worstFate } from './amounts'
import type { Palette } from './palette'
import { type Scale, stepOf } from './scale'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Brush {
  context: CanvasRenderingContext2D
  palette: Palette
  scale: Scale
}

/** Narrower marks show only the worst of what is in them. */
const ROOM_FOR_PARTS = 18

/** From left to right. */
const PARTS: readonly Fate[] = ['ready', 'starting', 'held', 'leaving', 'unknown', 'short', 'failed', 'lost']

/** `shade`: the number of replicas that determines the shade of blue, if it is not the desired one. */
export function paintMark(brush: Brush, amounts: Amounts, box: Box, shade = amounts.desired): void {
  const all = sizeOf(amounts)
  if (all === 0) return
  const step = stepOf(brush.scale, Math.max(1, shade))
  if (amounts.ready === all) return paintFate(brush, { fate: 'ready', step }, box)
  if (box.width < ROOM_FOR_PARTS) return paintFate(brush, { fate: worstFate(amounts)!, step }, box)
  paintParts(brush, { amounts, all, step }, box)
}

/** At least this wide, so that one lost replica of a thousand shows. */
const MIN_PART = 5

function paintParts(brush: Brush, { amounts, all, step }: { amounts: Amounts; all: number; step: number }, box: Box) {
  const there = PARTS.filter((fate) => amounts[fate] > 0)
  const widths = partWidths(
    there.map((fate) => amounts[fate] / all),
    box.width,
  )
  let { x } = box
  for (const [index, fate] of there.entries()) {
    const width = widths[index]!
    paintFate(brush, { fate, step }, { ...box, x, width: Math.max(1, width - (index + 1 < there.length ? 1 : 0)) })
    x += width
  }
}

/** Widths in proportion, none below the least; the others give up what that takes. */
export function partWidths(shares: readonly number[], width: number): number[] {
  const least = Math.min(MIN_PART, width / shares.length)
  const small = shares.map((share) => share * width < least)
  const taken = small.filter(Boolean).length * least
  const rest = shares.reduce((sum, share, index) => sum + (small[index] ? 0 : share), 0)
  return shares.map((share, index) => (small[index] ? least : (share / rest) * (width - taken)))
}

function paintFate({ context, palette }: Brush, { fate, step }: { fate: Fate; step: number }, box: Box): void {
  const { x, y, width, height } = box
  const { colour, hatch, ramp } = palette
  switch (fate) {
    case 'ready':
      context.fillStyle = ramp[step] ?? colour.ink
      return context.fillRect(x, y, width, height)
    case 'starting':
    case 'held':
      context.fillStyle = hatch[fate]
      return context.fillRect(x, y, width, height)
    case 'lost':
    case 'failed':
      context.fillStyle = colour.fail
      context.fillRect(x, y, width, height)
      return paintSign(context, colour.paper, { fate, ...box })
    case 'short':
      context.fillStyle = colour.warn
      context.fillRect(x, y, width, height)
      context.fillStyle = colour.paper
      return context.fillRect(x + 1, y + 1, Math.max(0, width - 2), Math.max(0, height / 2 - 1))
    case 'unknown':
    case 'leaving':
      return paintOutline(context, fate === 'unknown' ? colour['ink-2'] : colour['line-strong'], box)
  }
}

/** A bar for lost, a cross for failed where there is room for one. */
function paintSign(context: CanvasRenderingContext2D, colour: string, sign: Box & { fate: Fate }): void {
  const { x, y, width, height, fate } = sign
  const [middle, centre] = [y + height / 2, x + width / 2]
  const reach = Math.min(width * 0.3, 5)
  if (fate === 'lost' || Math.min(width, height) < 8) {
    const thick = height < 9 ? 1 : 2
    context.fillStyle = colour
    return context.fillRect(centre - reach, middle - thick / 2, reach * 2, thick)
  }
  context.strokeStyle = colour
  context.lineWidth = 1.6
  context.beginPath()
  for (const slope of [1, -1]) {
    context.moveTo(centre - 3, middle - 3 * slope)
    context.lineTo(centre + 3, middle + 3 * slope)
  }
  context.stroke()
}

function paintOutline(context: CanvasRenderingContext2D, colour: string, { x, y, width, height }: Box): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.setLineDash([3, 2])
  context.strokeRect(x + 0.5, y + 0.5, Math.max(1, width - 1), Math.max(1, height - 1))
  context.setLineDash([])
}
