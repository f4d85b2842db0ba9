/**
 * Keeps rows in place under the pointer: while a list is held, the rows on screen keep their positions. Values update
 * in place, new rows wait, removed rows keep their last values, and the difference is counted for a control that
 * applies it.
 */

/** The rows that a list shows, and the changes that are held back. */
export interface HeldRows<T> {
  rows: readonly T[]
  /** Ids of shown rows that no longer belong to the list. */
  gone: ReadonlySet<string>
  /** Number of rows that were added, removed or moved. */
  waiting: number
}

interface Row {
  id: string
}

/** Everything as it is now: the list is not held, or the reader let the changes in. */
export function releaseRows<T extends Row>(current: readonly T[]): HeldRows<T> {
  return { rows: current, gone: new Set(), waiting: 0 }
}

/**
 * Returns the shown rows in their shown order, with the values of `current` where they exist. Returns `shown` itself
 * when it has not changed, to avoid rendering.
 */
export function holdRows<T extends Row>(shown: HeldRows<T>, current: readonly T[]): HeldRows<T> {
  if (shown.rows.length === 0) return releaseRows(current)
  const byId = new Map(current.map((row) => [row.id, row]))
  const rows = shown.rows.map((row) => byId.get(row.id) ?? row)
  const gone = new Set(rows.filter((row) => !byId.has(row.id)).map((row) => row.id))
  const waiting = countWaiting(rows, current, gone)
  const same =
    waiting === shown.waiting && gone.size === shown.gone.size && rows.every((row, i) => row === shown.rows[i])
  return same ? shown : { rows, gone, waiting }
}

/** Counts added and removed rows, or else the rows that would move. */
function countWaiting<T extends Row>(rows: readonly T[], current: readonly T[], gone: ReadonlySet<string>): number {
  const came = current.length - (rows.length - gone.size)
  if (came + gone.size > 0) return came + gone.size
  return rows.filter((row, index) => current[index]?.id !== row.id).length
}
