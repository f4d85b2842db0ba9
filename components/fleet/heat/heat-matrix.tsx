'use client'
import { type MouseEvent, useMemo, useRef } from 'react'
import { useKeptScroll } from '../../shell/use-kept-scroll'
import type { GridPosition } from '../grid-keys'
import { HeatCard } from './card'
import type { HeatPanelProps } from './props'
import type { Place } from './hit'
import { type Geometry, layoutColumns, layoutRows, scrollTo } from './layout'
import { Minimap } from './minimap'
import { HEADS_HEIGHT } from './paint-heads'
import { Twin } from './twin'
import { placeOfEvent, useCrosshair } from './use-crosshair'
import type { Heat } from './use-heat'
import { useHeatActions } from './use-heat-actions'
import { useHeatCanvas } from './use-heat-canvas'
import { useHeatFocus } from './use-heat-focus'
import { useRoom } from './use-room'

type HeatMatrixProps = HeatPanelProps & { heat: Heat }

/** Workloads × clusters on two canvases over what scrolls, with the grid for the keyboard and a card for the pointer. */
export function HeatMatrix(props: HeatMatrixProps) {
  const { rows, gone, selection, heat, fleet } = props
  const { selected } = selection
  const scroller = useRef<HTMLDivElement>(null)
  const marks = useRef<HTMLCanvasElement>(null)
  const cross = useRef<HTMLCanvasElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const size = useRoom(scroller)
  const geometry = useGeometry(props, size.width)
  const mark = useHeatCanvas({ layers: { scroller, marks, cross }, geometry, size, rows, heat, selected, gone })
  const actions = useHeatActions(props, geometry.columns.tracks)
  const focus = useHeatFocus({
    grid,
    rows,
    tracks: geometry.columns.tracks,
    page: () => rowsThatFit(geometry, size.height),
    ...actions,
    leave: () => document.querySelector<HTMLElement>('[data-heat-toolbar] button')?.focus(),
    onMove: (at) => reveal(scroller.current, geometry, at),
  })
  const keyboard = focus.focused ? placeOf(focus.at) : undefined
  const crosshair = useCrosshair({ scroller, geometry, size, keyboard, mark })
  useKeptScroll(scroller, 'heat')
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const place = placeOfEvent(event, { geometry, size })
    if (place === undefined) return
    const at = { row: (place.row ?? -1) + 1, column: (place.column ?? -1) + 1 }
    if (event.ctrlKey || event.metaKey || event.shiftKey) actions.select(at, event)
    else actions.open(at)
  }
  const whole = wholeSize(geometry, size)
  return (
    <div className="flex min-h-0 grow">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the grid in it has the keys */}
      <div
        ref={scroller}
        data-testid="heat-scroller"
        className="relative min-h-60 min-w-0 grow overflow-auto"
        {...crosshair.events}
        onClick={onClick}
      >
        <div className="relative" style={whole}>
          <div className="sticky top-0 left-0 size-0">
            <canvas ref={marks} aria-hidden="true" className="absolute max-w-none" style={size} />
            <canvas ref={cross} aria-hidden="true" className="absolute max-w-none" style={size} />
          </div>
          <Twin grid={grid} focus={focus} rows={rows} geometry={geometry} selected={selected} />
          <HeatCard at={crosshair.shown} rows={rows} geometry={geometry} scroller={scroller} />
        </div>
      </div>
      {/* A few rows stretched over the height of the page would be larger than the matrix itself. */}
      {whole.height > size.height && (
        <Minimap rows={rows} columns={fleet.columns} geometry={geometry} heat={heat} scroller={scroller} />
      )}
    </div>
  )
}

/** The row heads take a fifth of the room, within limits. */
const namesWidth = (room: number): number => Math.max(150, Math.min(260, Math.round(room / 5)))

function useGeometry({ rows, fleet, heat }: HeatMatrixProps, width: number): Geometry {
  const { density, regions } = heat
  const names = namesWidth(width)
  const margins = useMemo(() => ({ names, heads: HEADS_HEIGHT }), [names])
  const columns = useMemo(
    () => layoutColumns({ columns: fleet.columns, folded: regions.closed, density, room: width - names }),
    [fleet.columns, regions, density, width, names],
  )
  const layout = useMemo(() => layoutRows(rows, density), [rows, density])
  return useMemo(() => ({ columns, rows: layout, margins }), [columns, layout, margins])
}

/** The last row can be scrolled clear of the edge. */
const wholeSize = ({ columns, rows, margins }: Geometry, size: { width: number }) => ({
  width: Math.max(size.width, margins.names + columns.width),
  height: margins.heads + rows.height + 8,
})

function rowsThatFit({ rows, margins }: Geometry, height: number): number {
  const average = rows.height / Math.max(1, rows.sizes.length)
  return Math.max(1, Math.floor((height - margins.heads) / Math.max(1, average)) - 1)
}

/** The grid counts its heads as row and column 0. */
const placeOf = ({ row, column }: GridPosition): Place => ({
  ...(row > 0 && { row: row - 1 }),
  ...(column > 0 && { column: column - 1 }),
})

function reveal(scroller: HTMLElement | null, { columns, rows, margins }: Geometry, at: GridPosition): void {
  if (scroller === null) return
  const [top, left] = [scroller.scrollTop, scroller.scrollLeft]
  const to = {
    top: at.row > 0 ? scrollTo(rows, at.row - 1, { offset: top, room: scroller.clientHeight - margins.heads }) : top,
    left:
      at.column > 0
        ? scrollTo(columns, at.column - 1, { offset: left, room: scroller.clientWidth - margins.names })
        : left,
  }
  scroller.scrollTo(to)
}
