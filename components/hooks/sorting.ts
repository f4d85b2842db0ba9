import { compareNaturally } from '@/lib/std/natural-order'
import { merged } from '@/lib/std/order-keeper'
import { mapKeeper } from '@/lib/std/row-keepers'

/** The order of a list as an address keeps it: `state`, or `-state` for the other way round. */
export type SortDirection = 'ascending' | 'descending'

/** What each column is sorted by; undefined comes last either way. */
export type Sorts<T> = Readonly<Record<string, (row: T) => string | number | undefined>>

/** The rows in the order that the text asks for; in their own order when it names no column. Equal rows keep theirs. */
export function sortRows<T>(rows: readonly T[], sorts: Sorts<T>, text: string): readonly T[] {
  return rowSorter(sorts, text)(rows)
}

/** The same as a function. Called again, it moves only rows that have another value than the one in their place before. */
export function rowSorter<T>(sorts: Sorts<T>, text: string): (rows: readonly T[]) => readonly T[] {
  const valueOf = sorts[keyOf(text)]
  if (valueOf === undefined) return (rows) => rows
  const compare = comparing(text.startsWith('-') ? -1 : 1)
  const valuesOf = mapKeeper(valueOf)
  let before: readonly Value[] = []
  let places: readonly number[] = []
  return (rows) => {
    const values = valuesOf(rows)
    const byValue = (a: number, b: number): number => compare(values[a], values[b]) || a - b
    const isKnown = (place: number): boolean =>
      place < rows.length && place < before.length && values[place] === before[place]
    const moved = [...rows.keys()].filter((place) => !isKnown(place))
    if (moved.length > 0 || rows.length !== places.length)
      places = merged(places.filter(isKnown), moved.toSorted(byValue), byValue)
    before = values
    return places.map((place) => rows[place]!)
  }
}

type Value = string | number | undefined

const comparing =
  (sign: 1 | -1) =>
  (a: Value, b: Value): number =>
    a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : sign * compareValues(a, b)

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNaturally(String(a), String(b))
}

/** How a column is sorted; undefined when it is not. */
export function directionOf(text: string, key: string): SortDirection | undefined {
  if (keyOf(text) !== key) return undefined
  return text.startsWith('-') ? 'descending' : 'ascending'
}

/** Returns the order after the next press on a column: ascending, descending, then unsorted. */
export function nextSort(text: string, key: string): string | undefined {
  const direction = directionOf(text, key)
  if (direction === undefined) return key
  return direction === 'ascending' ? `-${key}` : undefined
}

const keyOf = (text: string): string => text.replace(/^-/, '')
