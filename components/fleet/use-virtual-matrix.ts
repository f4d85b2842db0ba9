'use client'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo } from 'react'
import { HEADER_HEIGHT, ROW_HEIGHT } from './columns'
import type { MatrixColumn, MatrixRow } from './matrix-model'

/** Fewer columns than this are all drawn. */
const DRAW_WHOLE = 24

interface RowsOptions {
  rows: readonly MatrixRow[]
  scroller: RefObject<HTMLElement | null>
  /** The row that the keyboard is in; it stays in the document when it is scrolled away, so that the focus is not lost. */
  active: number
}

/** The rows on screen, some more around them, and the active one. */
export function useVirtualRows({ rows, scroller, active }: RowsOptions) {
  const rangeExtractor = useRangeWith(active)
  // oxlint-disable-next-line react/incompatible-library -- it draws when it scrolls; nothing of it is memoized here
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollPaddingStart: HEADER_HEIGHT,
    rangeExtractor,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
}

interface ColumnsOptions {
  columns: readonly MatrixColumn[]
  scroller: RefObject<HTMLElement | null>
  /** Where the first of them begins, and how wide each is, in pixels. */
  left: number
  width: number
  /** As with rows; negative while the keyboard is left of the clusters. */
  active: number
}

/** The columns on screen, and the active one. The array stays the same until one comes or goes. */
export function useDrawnColumns({ columns, scroller, left, width, active }: ColumnsOptions): readonly MatrixColumn[] {
  const rangeExtractor = useRangeWith(active)
  // oxlint-disable-next-line react/incompatible-library -- see above
  const virtual = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => width,
    overscan: 3,
    paddingStart: left,
    rangeExtractor,
    enabled: columns.length > DRAW_WHOLE,
  })
  useEffect(() => virtual.measure(), [virtual, left, width])
  const indexes = virtual.getVirtualIndexes().join()
  return useMemo(
    () =>
      columns.length <= DRAW_WHOLE ? columns : indexes.split(',').flatMap((index) => columns[Number(index)] ?? []),
    [columns, indexes],
  )
}

/** What is on screen and one more. */
function useRangeWith(active: number): (range: Range) => number[] {
  return useCallback(
    (range) => {
      const shown = defaultRangeExtractor(range)
      if (active < 0 || active >= range.count || shown.includes(active)) return shown
      return [...shown, active].sort((a, b) => a - b)
    },
    [active],
  )
}
