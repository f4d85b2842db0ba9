'use client'
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../hooks/use-shortcuts'
import type { MatrixRow } from '../matrix-model'
import { type GridPosition, moveInGrid } from '../grid-keys'
import type { ColumnTrack } from './layout'

/** Identifies a cell of the grid by its row and column names, so that it survives changes of rows and columns. */
interface Stop {
  row: string
  column: string
  at: GridPosition
}

/** Row 0 has the column heads, column 0 the row heads. */
const HEAD = ''

interface HeatFocusOptions {
  grid: RefObject<HTMLElement | null>
  rows: readonly MatrixRow[]
  tracks: readonly ColumnTrack[]
  /** Rows that fit on the screen. */
  page: () => number
  open: (at: GridPosition) => void
  select: (at: GridPosition, event: { shiftKey: boolean }) => void
  leave: () => void
  /** The focus moves there; brings it into view. */
  onMove: (at: GridPosition) => void
}

/** The one tab stop of the grid, and the cell that had it before: the focus moves from one to the other. */
export function useHeatFocus(options: HeatFocusOptions) {
  const { grid, rows, tracks } = options
  const [stop, setStop] = useState<Stop>({ row: HEAD, column: HEAD, at: { row: 0, column: 0 } })
  const [before, setBefore] = useState<GridPosition>()
  const [focused, setFocused] = useState(false)
  const { enabled: letters } = useShortcuts()
  const wanted = useRef(false)
  const at = locate(stop, rows, tracks)
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  })
  const go = (to: GridPosition): void => {
    wanted.current = true
    setBefore(at)
    setStop({ row: rows[to.row - 1]?.id ?? HEAD, column: tracks[to.column - 1]?.id ?? HEAD, at: to })
    options.onMove(to)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.metaKey) return
    const act = actionOf(event, options, at)
    if (act !== undefined) {
      event.preventDefault()
      return act()
    }
    const size = { rows: rows.length + 1, columns: tracks.length + 1, page: options.page() }
    const to = moveInGrid(at, { key: event.key, ctrlKey: event.ctrlKey, letters }, size)
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  const events = {
    onKeyDown,
    onFocus: () => {
      if (!focused) options.onMove(at)
      setFocused(true)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    },
  }
  return { at, before, focused, events }
}

function actionOf(event: KeyboardEvent, options: HeatFocusOptions, at: GridPosition): (() => void) | undefined {
  switch (event.key) {
    case 'Enter':
      return () => options.open(at)
    case ' ':
      return () => options.select(at, event)
    case 'Escape':
      return options.leave
    default:
      return undefined
  }
}

/** Where the stop is now; what disappeared falls to the same place of the list. */
function locate(stop: Stop, rows: readonly MatrixRow[], tracks: readonly ColumnTrack[]): GridPosition {
  const place = (items: readonly { id: string }[], id: string, index: number): number => {
    if (id === HEAD) return 0
    if (items[index - 1]?.id === id) return index
    const found = items.findIndex((item) => item.id === id) + 1
    return found > 0 ? found : Math.min(index, items.length)
  }
  return { row: place(rows, stop.row, stop.at.row), column: place(tracks, stop.column, stop.at.column) }
}
