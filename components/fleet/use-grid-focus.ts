'use client'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useShortcuts } from '../hooks/use-shortcuts'
import { HEADER_HEIGHT, NAME, ROW_HEIGHT } from './columns'
import { type GridPosition, moveInGrid } from './grid-keys'

/** What Enter and Space do at a position; row 0 is the header. */
export interface GridActions {
  open: (at: GridPosition) => void
  select: (at: GridPosition, event: { shiftKey: boolean }) => void
}

interface GridFocusOptions {
  rows: readonly { id: string }[]
  columns: number
  scroller: RefObject<HTMLElement | null>
  actions: GridActions
}

const HEADER = ''

/**
 * The one tab stop of the grid. It belongs to a row by id, so it stays with the workload when rows come and go; when
 * the row disappears, the stop falls to the same place of the list.
 */
export function useGridFocus({ rows, columns, scroller, actions }: GridFocusOptions) {
  const [stop, setStop] = useState({ id: HEADER, index: 0, column: NAME })
  const { enabled: letters } = useShortcuts()
  const wanted = useRef(false)
  const found = stop.id === HEADER ? 0 : rows.findIndex((row) => row.id === stop.id) + 1
  const index = stop.id === HEADER || found > 0 ? found : Math.min(stop.index, rows.length)
  const at = { index, column: Math.min(stop.column, columns - 1) }

  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    focusCell(scroller.current, at)
  })

  const go = (row: number, column: number) => setStop({ id: rows[row - 1]?.id ?? HEADER, index: row, column })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const here = { row: at.index, column: at.column }
    if (event.altKey || event.metaKey) return
    // A control inside of a cell that was clicked answers to these keys itself.
    if ((event.key === 'Enter' || event.key === ' ') && isControl(event.target)) return
    if (event.key === 'Enter') return claim(event, () => actions.open(here))
    if (event.key === ' ') return claim(event, () => actions.select(here, event))
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEADER_HEIGHT) / ROW_HEIGHT))
    const to = moveInGrid(
      here,
      { key: event.key, ctrlKey: event.ctrlKey, letters },
      { rows: rows.length + 1, columns, page },
    )
    if (to === undefined) return
    claim(event, () => {
      wanted.current = true
      go(to.row, to.column)
    })
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const position = (event.target.closest('[data-at]') as HTMLElement | null)?.dataset['at']
    const [row, column] = (position ?? '').split(':').map(Number)
    if (row !== undefined && column !== undefined && (row !== at.index || column !== at.column)) go(row, column)
  }
  /** A click opens what Enter would, in the cells of clusters that hold something. */
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-workload][data-cluster]')
    if (cell === null || cell.dataset['state'] === 'none' || isControl(event.target)) return
    const [row = 0, column = 0] = (cell.dataset['at'] ?? '').split(':').map(Number)
    actions.open({ row, column })
  }
  return { at, onKeyDown, onFocus, onClick }
}

const isControl = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.closest('button, a') !== null

function claim(event: KeyboardEvent, action: () => void): void {
  event.preventDefault()
  action()
}

/** Rows are placed by their number, so one that is not drawn can be scrolled to before it takes the focus. */
function focusCell(scroller: HTMLElement | null, at: { index: number; column: number }): void {
  if (scroller === null) return
  if (at.index > 0) revealRow(scroller, at.index)
  scroller.querySelector<HTMLElement>(`[data-at="${at.index}:${at.column}"]`)?.focus()
}

function revealRow(scroller: HTMLElement, index: number): void {
  const top = (index - 1) * ROW_HEIGHT
  const room = scroller.clientHeight - HEADER_HEIGHT - ROW_HEIGHT
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room
}
