import { compareNaturally } from '@/lib/std/natural-order'

/** The order of a list as an address keeps it: `state`, or `-state` for the other way round. */
export type SortDirection = 'ascending' | 'descending'

/** What each column is sorted by; undefined comes last either way. */
export type Sorts<T> = Readonly<Record<string, (row: T) => string | number | undefined>>

/** The rows in the order that the text asks for; in their own order when it names no column. Equal rows keep theirs. */
export function sortRows<T>(rows: readonly T[], sorts: Sorts<T>, text: string): readonly T[] {
  const valueOf = sorts[keyOf(text)]
  if (valueOf === undefined) return rows
  const sign = text.startsWith('-') ? -1 : 1
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined)
      return sign * compareValues(a.value, b.value)
    })
    .map(({ row }) => row)
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNaturally(String(a), String(b))
}

/** How a column is sorted; undefined when it is not. */
export function directionOf(text: string, key: string): SortDirection | undefined {
  if (keyOf(text) !== key) return undefined
  return text.startsWith('-') ? 'descending' : 'ascending'
}

/** What the next press on a column asks for: up, down, and no order of its own again. */
export function nextSort(text: string, key: string): string | undefined {
  const direction = directionOf(text, key)
  if (direction === undefined) return key
  return direction === 'ascending' ? `-${key}` : undefined
}

const keyOf = (text: string): string => text.replace(/^-/, '')
