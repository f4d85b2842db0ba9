/** Movement in a grid by keyboard, as the ARIA grid pattern has it, and as vi does. */

export interface GridPosition {
  row: number
  column: number
}

export interface GridSize {
  rows: number
  columns: number
  /** Rows that fit on the screen. */
  page: number
}

export interface GridKey {
  key: string
  ctrlKey: boolean
  /** False when the reader switched single letters off. */
  letters: boolean
}

const LETTERS: Record<string, string> = { h: 'ArrowLeft', j: 'ArrowDown', k: 'ArrowUp', l: 'ArrowRight' }

/** Where the key leads, within the grid; undefined for keys that do not move. */
export function moveInGrid(at: GridPosition, pressed: GridKey, size: GridSize): GridPosition | undefined {
  const key = (pressed.letters && !pressed.ctrlKey && LETTERS[pressed.key]) || pressed.key
  const to = target(at, key, { ...size, far: pressed.ctrlKey })
  return to && { row: clamp(to.row, size.rows), column: clamp(to.column, size.columns) }
}

function target(
  { row, column }: GridPosition,
  key: string,
  size: GridSize & { far: boolean },
): GridPosition | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: size.far ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: size.far ? size.rows : row + 1, column }
    case 'ArrowLeft':
      return { row, column: size.far ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: size.far ? size.columns : column + 1 }
    case 'PageUp':
      return { row: row - size.page, column }
    case 'PageDown':
      return { row: row + size.page, column }
    case 'Home':
      return { row: size.far ? 0 : row, column: 0 }
    case 'End':
      return { row: size.far ? size.rows : row, column: size.columns }
    default:
      return undefined
  }
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1))
