'use client'
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are virtual and laid out as grids: a table cannot leave rows out */
import { type PointerEvent, useCallback, useMemo, useRef } from 'react'
import { useText } from '../messages/use-text'
import {
  BAR_WIDTH,
  clustersLeft,
  FIRST_CLUSTER,
  gridTemplate,
  HEADER_HEIGHT,
  MAX_FOR_BARS,
  roomForBars,
  ROW_HEIGHT,
  stickyWidth,
} from './columns'
import { useKeptScroll } from '../shell/use-kept-scroll'
import type { SortHead } from '../hooks/use-sorting'
import { HeaderRow } from './header-row'
import { columnWidth, type GroupRow, type MatrixColumn, type MatrixRow, mostDesired } from './matrix-model'
import { GroupMatrixRow, WorkloadMatrixRow } from './rows'
import { type GridActions, useGridFocus } from './use-grid-focus'
import { useMedia, useNameWidth } from './use-name-width'
import { useDrawnColumns, useShownRows } from './use-virtual-matrix'

interface MatrixProps {
  rows: readonly MatrixRow[]
  columns: readonly MatrixColumn[]
  gone: ReadonlySet<string>
  selection: {
    selected: ReadonlySet<string>
    all: boolean | 'indeterminate'
    toggle: (id: string, event: { shiftKey: boolean }) => void
    toggleGroup: (group: GroupRow) => void
    toggleAll: () => void
  }
  /** Folds or opens a group. */
  toggle: (group: string) => void
  /** Names the namespace of every workload: its group does not. */
  withNamespace: boolean
  actions: GridActions
  /** How a column sorts the rows. */
  head: (key: string) => SortHead
}

/**
 * Renders workloads × clusters as an ARIA grid with one tab stop. Only rows on screen are rendered; the grid reports
 * the true counts to assistive technology.
 */
export function Matrix(props: MatrixProps) {
  const text = useText()
  const { rows, columns, selection } = props
  const scroller = useRef<HTMLDivElement>(null)
  const width = useMemo(() => columnWidth(columns), [columns])
  const names = useNameWidth()
  const clusters = columns.length
  const hasBars = useMedia(roomForBars({ names, clusters, width })) && clusters <= MAX_FOR_BARS
  const bar = hasBars ? BAR_WIDTH : 0
  const left = clustersLeft({ names, bar })
  const template = gridTemplate({ names, clusters, width, bar })
  const most = useMemo(() => (hasBars ? mostDesired(rows) : 0), [hasBars, rows])
  const focus = useGridFocus({ rows, columns: clusters + FIRST_CLUSTER, scroller, actions: props.actions })
  const { index: activeIndex, column: activeColumn } = focus.at
  const shown = useShownRows({ rows: rows.length, scroller, active: activeIndex - 1 })
  const drawn = useDrawnColumns({ columns, scroller, left, width, active: activeColumn - FIRST_CLUSTER })
  // After the virtual rows and columns, which begin at the top.
  useKeptScroll(scroller, 'matrix')
  const total = left + clusters * width
  const { ref: band, hide, onPointerMove } = useColumnBand({ left, width, columns: clusters })
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is always on one of its cells
    <div
      ref={scroller}
      role="grid"
      aria-label={text('fleet.matrix')}
      aria-rowcount={rows.length + 1}
      aria-colcount={clusters + FIRST_CLUSTER}
      aria-multiselectable="true"
      data-testid="fleet-matrix"
      className="relative min-h-0 grow overflow-auto"
      style={{ scrollPaddingTop: HEADER_HEIGHT, scrollPaddingLeft: stickyWidth(names) }}
      onKeyDown={focus.onKeyDown}
      onFocus={focus.onFocus}
      onClick={focus.onClick}
      onPointerMove={onPointerMove}
      onPointerLeave={hide}
    >
      <HeaderRow
        columns={drawn}
        template={template}
        width={total}
        active={activeIndex === 0 ? focus.at.column : undefined}
        allSelected={selection.all}
        onSelectAll={selection.toggleAll}
        head={props.head}
        hasBars={hasBars}
      />
      <div
        role="presentation"
        className="relative min-w-full"
        style={{ height: rows.length * ROW_HEIGHT, width: total }}
      >
        <div
          ref={band}
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-0 hidden bg-hover"
          style={{ width }}
        />
        {shown.map((at) => {
          const row = rows[at]
          if (row === undefined) return null
          const index = at + 1
          const active = activeIndex === index ? focus.at.column : undefined
          return (
            <Row
              key={row.id}
              matrix={props}
              row={row}
              common={{ columns: drawn, index, top: at * ROW_HEIGHT, template, active, most }}
            />
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  matrix: MatrixProps
  row: MatrixRow
  common: {
    columns: readonly MatrixColumn[]
    index: number
    top: number
    template: string
    active: number | undefined
    most: number
  }
}

function Row({ matrix: { gone, selection, toggle, withNamespace }, row, common }: RowProps) {
  const { selected } = selection
  if (row.kind === 'group') {
    return (
      <GroupMatrixRow
        {...common}
        row={row}
        selected={selectionOf(row, selected)}
        onToggle={toggle}
        onSelect={selection.toggleGroup}
      />
    )
  }
  const own = { selected: selected.has(row.id), gone: gone.has(row.id), withNamespace }
  return <WorkloadMatrixRow {...common} {...own} row={row} onSelect={selection.toggle} />
}

/** All, none or some of a group. */
function selectionOf(group: GroupRow, selected: ReadonlySet<string>): boolean | 'indeterminate' {
  const count = group.workloads.filter((workload) => selected.has(workload.id)).length
  if (count === 0) return false
  return count === group.workloads.length ? true : 'indeterminate'
}

/** Marks the column under the pointer. It moves outside of React: hovering draws nothing anew. */
function useColumnBand({ left, width, columns }: { left: number; width: number; columns: number }) {
  const ref = useRef<HTMLDivElement>(null)
  const hide = useCallback(() => ref.current?.style.setProperty('display', 'none'), [])
  const onPointerMove = useCallback(
    (event: PointerEvent<HTMLDivElement>) => {
      const x = event.clientX - event.currentTarget.getBoundingClientRect().left + event.currentTarget.scrollLeft - left
      const column = Math.floor(x / width)
      if (column < 0 || column >= columns) return hide()
      ref.current?.style.setProperty('display', 'block')
      ref.current?.style.setProperty('left', `${left + column * width}px`)
    },
    [left, width, columns, hide],
  )
  return { ref, hide, onPointerMove }
}
