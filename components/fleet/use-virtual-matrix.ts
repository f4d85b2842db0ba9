'use client'
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { HEADER_HEIGHT, ROW_HEIGHT } from './columns'
import type { MatrixColumn } from './matrix-model'
import { type Track, windowOf } from './window'

/** Fewer columns than this are all drawn. */
const DRAW_WHOLE = 24

interface RowsOptions {
  rows: number
  scroller: RefObject<HTMLElement | null>
  /** The row that the keyboard is in; it stays in the document when it is scrolled away, so that the focus is not lost. */
  active: number
}

/** The rows on screen, some more around them, and the active one. */
export function useShownRows({ rows, scroller, active }: RowsOptions): readonly number[] {
  return useShown({ scroller, axis: 'y', count: rows, start: HEADER_HEIGHT, size: ROW_HEIGHT, overscan: 8, active })
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

/** Returns the columns on screen and the active one. The array stays the same until a column is added or removed. */
export function useDrawnColumns({ columns, scroller, left, width, active }: ColumnsOptions): readonly MatrixColumn[] {
  const count = columns.length
  const shown = useShown({ scroller, axis: 'x', count, start: left, size: width, overscan: 3, active })
  return useMemo(
    () => (count <= DRAW_WHOLE ? columns : shown.flatMap((index) => columns[index] ?? [])),
    [columns, count, shown],
  )
}

interface ShownOptions extends Omit<Track, 'offset' | 'room'> {
  scroller: RefObject<HTMLElement | null>
  axis: 'x' | 'y'
}

/** Returns the visible indexes along one axis; renders again only when they change. */
function useShown({ scroller, axis, count, start, size, overscan, active }: ShownOptions): readonly number[] {
  const [indexes, setIndexes] = useState('')
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      const [offset, room] =
        axis === 'y' ? [element.scrollTop, element.clientHeight] : [element.scrollLeft, element.clientWidth]
      setIndexes(windowOf({ count, start, size, overscan, active, offset, room }).join())
    }
    // oxlint-disable-next-line react/set-state-in-effect -- what is on screen is known once there is a layout
    look()
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, axis, count, start, size, overscan, active])
  return useMemo(() => (indexes === '' ? [] : indexes.split(',').map(Number)), [indexes])
}
