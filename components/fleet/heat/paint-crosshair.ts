/** The second layer: the row and the column that the pointer or the keyboard is at. */
import type { Place } from './hit'
import { cutText, type Scene } from './paint'
import type { Brush } from './paint-cell'

export function paintCrosshair(brush: Brush, scene: Scene, at: Place | undefined): void {
  const { context, palette } = brush
  const { view, margins, columns, rows } = scene
  context.clearRect(0, 0, view.width, view.height)
  if (at === undefined) return
  const x = at.column === undefined ? undefined : margins.names + columns.starts[at.column]! - view.left
  const y = at.row === undefined ? undefined : margins.heads + rows.starts[at.row]! - view.top
  context.save()
  context.beginPath()
  context.rect(margins.names, 0, view.width - margins.names, view.height)
  context.clip()
  context.globalAlpha = 0.16
  context.fillStyle = palette.colour.focus
  const width = at.column === undefined ? 0 : columns.sizes[at.column]! - 1
  const height = at.row === undefined ? 0 : rows.sizes[at.row]!
  if (x !== undefined) context.fillRect(x, 0, width, view.height)
  if (y !== undefined && y + height > margins.heads) context.fillRect(margins.names, y, view.width, height)
  context.globalAlpha = 1
  if (x !== undefined && y !== undefined && y >= margins.heads) {
    context.strokeStyle = palette.colour.focus
    context.lineWidth = 2
    context.strokeRect(x - 1, y, width + 2, height)
  }
  context.restore()
  if (at.row !== undefined && y !== undefined && y >= margins.heads - 4) paintRowName(brush, scene, { row: at.row, y })
}

/** The name of the row, which dense rows do not carry. */
function paintRowName({ context, palette }: Brush, scene: Scene, { row, y }: { row: number; y: number }): void {
  const { margins, rows, rowAt } = scene
  const height = Math.max(18, rows.sizes[row]!)
  const top = y + rows.sizes[row]! / 2 - height / 2
  context.fillStyle = palette.colour.focus
  context.fillRect(16, top, margins.names - 20, height)
  context.fillStyle = palette.colour.paper
  context.font = `600 12px ${palette.font}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillText(cutText(context, rowAt(row).name, margins.names - 32), 22, top + height / 2)
}
