/** What is worked out of a list again and again while few of its rows change: the others are not looked into. */
import { sameItems } from './same-items'

/** A sum that rows can be taken out of again. */
export interface Tally<T, R> {
  /** Takes a row in, or out. */
  count: (row: T, times: 1 | -1) => void
  result: () => R
}

/** Returns a function that tallies the rows of a list, and later counts only added and removed ones. */
export function tallyKeeper<T, R>({ count, result }: Tally<T, R>): (rows: readonly T[]) => R {
  let before: readonly T[] = []
  return (rows) => {
    forChanges(before, rows, count)
    before = rows
    return result()
  }
}

/** Compares by position, and from the end while both agree, so that an inserted row affects only rows before it. */
function forChanges<T>(before: readonly T[], after: readonly T[], count: Tally<T, unknown>['count']): void {
  let [was, is] = [before.length, after.length]
  while (was > 0 && is > 0 && before[was - 1] === after[is - 1]) [was, is] = [was - 1, is - 1]
  for (let at = 0; at < Math.max(was, is); at += 1) {
    if (at < was && at < is && before[at] === after[at]) continue
    if (at < was) count(before[at]!, -1)
    if (at < is) count(after[at]!, 1)
  }
}

/** A function that maps the rows of a list. Called again, it maps only rows that were not in their place before. */
export function mapKeeper<T, R>(map: (row: T) => R): (rows: readonly T[]) => readonly R[] {
  let before: readonly T[] = []
  let mapped: readonly R[] = []
  return (rows) => {
    if (rows !== before) mapped = rows.map((row, at) => (row === before[at] ? mapped[at]! : map(row)))
    before = rows
    return mapped
  }
}

/** A function that filters a list. Called again, it gives the same array where nothing in it changed. */
export function filterKeeper<T>(test: (row: T) => boolean): (rows: readonly T[]) => readonly T[] {
  const testAll = mapKeeper(test)
  const keep = itemsKeeper<T>()
  return (rows) => {
    const kept = testAll(rows)
    return keep(rows.filter((_, at) => kept[at]))
  }
}

/** A function that gives the array that it gave before while the items are the same. */
export function itemsKeeper<T>(): (items: readonly T[]) => readonly T[] {
  let kept: readonly T[] = []
  return (items) => {
    if (!sameItems(kept, items)) kept = items
    return kept
  }
}
