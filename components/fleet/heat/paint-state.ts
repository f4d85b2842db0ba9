/** The shapes of status/state-glyph for a canvas. */
import type { State } from '@/lib/view/model'
import type { Brush } from './paint-cell'

/** Drawn in 12 × 12, its left edge at x and its middle at y. */
export function paintState({ context, palette }: Brush, state: State, at: { x: number; y: number }): void {
  const { colour } = palette
  context.save()
  context.translate(at.x, at.y - 6)
  context.lineWidth = 1.5
  if (state === 'warn') fillPath(context, colour.warn, 'M6 1.2 11.3 10.6H.7z')
  else if (state === 'held') fillPath(context, colour['chart-held'], 'M2.5 1.5h2.4v9H2.5zM7.1 1.5h2.4v9H7.1z')
  else if (state === 'fail') {
    fillPath(context, colour.fail, 'M.75.75h10.5v10.5H.75z')
    context.strokeStyle = colour.paper
    context.stroke(new Path2D('m3.7 3.7 4.6 4.6m0-4.6-4.6 4.6'))
  } else if (state === 'active') {
    context.strokeStyle = colour['chart-starting']
    context.stroke(circle(4.75))
    fillPath(context, colour['chart-starting'], 'M6 1.25a4.75 4.75 0 0 1 0 9.5z')
  } else if (state === 'unknown') {
    context.strokeStyle = colour['ink-2']
    context.setLineDash([2.4, 2])
    context.stroke(circle(4.5))
  }
  context.restore()
}

function fillPath(context: CanvasRenderingContext2D, colour: string, path: string): void {
  context.fillStyle = colour
  context.fill(shapeOf(path))
}

const shapeOf = (path: string): Path2D => new Path2D(path)

function circle(radius: number): Path2D {
  const path = new Path2D()
  path.arc(6, 6, radius, 0, Math.PI * 2)
  return path
}
