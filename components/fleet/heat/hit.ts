/** Which row and column is at a place of the canvas: the inverse of the layout. */
import { type Geometry, trackAt } from './layout'
import type { View } from './paint'

/** Without a row in the column heads, without a column in the row heads. */
export interface Place {
  row?: number
  column?: number
}

type Shown = Geometry & { view: View }

/** Undefined in the corner, in gaps and outside. */
export function placeAt({ columns, rows, view, margins }: Shown, point: { x: number; y: number }): Place | undefined {
  const { x, y } = point
  if (x < 0 || y < 0 || x >= view.width || y >= view.height) return undefined
  const column = x < margins.names ? undefined : trackAt(columns, x - margins.names + view.left)
  const row = y < margins.heads ? undefined : trackAt(rows, y - margins.heads + view.top)
  if (x >= margins.names && column === undefined) return undefined
  if (y >= margins.heads && row === undefined) return undefined
  if (row === undefined && column === undefined) return undefined
  return { ...(row !== undefined && { row }), ...(column !== undefined && { column }) }
}

/** Where a place is on the canvas. */
export function boxOf({ columns, rows, view, margins }: Shown, { row, column }: Place) {
  return {
    x: column === undefined ? 0 : margins.names + columns.starts[column]! - view.left,
    width: column === undefined ? margins.names : columns.sizes[column]!,
    y: row === undefined ? 0 : margins.heads + rows.starts[row]! - view.top,
    height: row === undefined ? margins.heads : rows.sizes[row]!,
  }
}
