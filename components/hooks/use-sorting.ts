'use client'
import { useMemo, useState } from 'react'
import { directionOf, nextSort, rowSorter, sortRows, type SortDirection, type Sorts } from './sorting'
import { useUrlState } from './use-url-state'

/** The head of a column that sorts. */
export interface SortHead {
  direction: SortDirection | undefined
  toggle: () => void
}

/** The order of a list, kept in the address. `sorts` stays the same for the life of the component. */
export function useSorting<T>(rows: readonly T[], sorts: Sorts<T>) {
  const { get, tweak } = useUrlState()
  const text = get('sort') ?? ''
  const sort = useMemo(() => rowSorter(sorts, text), [sorts, text])
  const sorted = useMemo(() => sort(rows), [sort, rows])
  return { rows: sorted, text, head: headsOf(text, tweak) }
}

/** The order of one table among others, which is not worth an address. */
export function useLocalSorting<T>(rows: readonly T[], sorts: Sorts<T>) {
  const [text, setText] = useState<string>()
  const sorted = useMemo(() => sortRows(rows, sorts, text ?? ''), [rows, sorts, text])
  return { rows: sorted, head: headsOf(text ?? '', ({ sort }) => setText(sort)) }
}

/** The heads alone, for tables whose rows were sorted above them. */
export function useSortHeads(): (key: string) => SortHead {
  const { get, tweak } = useUrlState()
  return headsOf(get('sort') ?? '', tweak)
}

const headsOf =
  (text: string, tweak: (changes: { sort: string | undefined }) => void) =>
  (key: string): SortHead => ({ direction: directionOf(text, key), toggle: () => tweak({ sort: nextSort(text, key) }) })
