/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the picture is a canvas; the grid has the cells that the keyboard is in */
import type { RefObject } from 'react'
import { useText } from '../../messages/use-text'
import { countAttributes } from '../../status/count-attributes'
import { sumCounts } from '@/lib/view/replica-sums'
import type { MatrixRow } from '../matrix-model'
import type { GridPosition } from '../grid-keys'
import type { ColumnTrack, Geometry } from './layout'
import { cellSentence, columnSentence, countsIn, countsInRegion, rowSentence } from './sentences'
import type { useHeatFocus } from './use-heat-focus'

interface TwinProps {
  grid: RefObject<HTMLDivElement | null>
  focus: ReturnType<typeof useHeatFocus>
  rows: readonly MatrixRow[]
  geometry: Geometry
  selected: ReadonlySet<string>
}

/**
 * Renders the accessible grid beside the canvas: the focused cell and the previous one, with their headers. Reports the
 * number of rows and columns, and the position of each cell.
 */
export function Twin({ grid, ...props }: TwinProps) {
  const text = useText()
  const { focus, rows, geometry } = props
  const { columns } = geometry
  const { at, before } = focus
  const places = before === undefined || isSame(at, before) ? [at] : [before, at]
  const headColumns = new Set(places.map(({ column }) => column))
  const bodyRows = new Set(places.map(({ row }) => row).filter((row) => row > 0 && row <= rows.length))
  const isActive = (row: number, column: number) => at.row === row && at.column === column
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-label={text('fleet.matrix')}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.tracks.length + 1}
      aria-multiselectable="true"
      data-testid="heat-grid"
      className="pointer-events-none absolute inset-0 outline-none"
      {...focus.events}
    >
      <div role="row" aria-rowindex={1}>
        {[...headColumns].map((column) => (
          <HeadCell
            key={column}
            column={column}
            track={columns.tracks[column - 1]}
            active={isActive(0, column)}
            box={boxIn(geometry, 0, column)}
          />
        ))}
      </div>
      {[...bodyRows].map((row) => (
        <BodyRow key={rows[row - 1]!.id} {...props} row={row} places={places} />
      ))}
    </div>
  )
}

const isSame = (a: GridPosition, b: GridPosition): boolean => a.row === b.row && a.column === b.column

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Returns the box of a cell in scroll coordinates. */
function boxIn({ columns, rows, margins }: Geometry, row: number, column: number): Box {
  return {
    left: column === 0 ? 0 : margins.names + (columns.starts[column - 1] ?? 0),
    top: row === 0 ? 0 : margins.heads + (rows.starts[row - 1] ?? 0),
    width: column === 0 ? margins.names : (columns.sizes[column - 1] ?? 0),
    height: row === 0 ? margins.heads : (rows.sizes[row - 1] ?? 0),
  }
}

interface HeadCellProps {
  column: number
  track: ColumnTrack | undefined
  active: boolean
  box: Box
}

function HeadCell({ column, track, active, box }: HeadCellProps) {
  const text = useText()
  return (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      aria-expanded={track?.kind === 'region' ? !track.folded : undefined}
      tabIndex={active ? 0 : -1}
      data-cluster={track?.kind === 'cluster' ? track.column.name : undefined}
      data-region={track?.kind === 'region' ? track.region : undefined}
      className="absolute overflow-hidden outline-none"
      style={box}
    >
      <span className="sr-only">{track === undefined ? text('fleet.workload') : columnSentence(text, track)}</span>
    </div>
  )
}

function BodyRow(props: Omit<TwinProps, 'grid'> & { row: number; places: readonly GridPosition[] }) {
  const text = useText()
  const { row, places, rows, geometry, focus, selected } = props
  const source = rows[row - 1]!
  const cells = places.filter((place) => place.row === row && place.column > 0)
  const isActive = (column: number) => focus.at.row === row && focus.at.column === column
  return (
    <div role="row" aria-rowindex={row + 1} aria-selected={selected.has(source.id)} data-row={source.id}>
      <div
        role="rowheader"
        aria-colindex={1}
        aria-expanded={source.kind === 'group' ? !source.closed : undefined}
        tabIndex={isActive(0) ? 0 : -1}
        className="absolute overflow-hidden outline-none"
        style={boxIn(geometry, row, 0)}
      >
        <span className="sr-only">{rowSentence(text, source)}</span>
      </div>
      {cells.map(({ column }) => {
        const track = geometry.columns.tracks[column - 1]
        if (track === undefined) return null
        return (
          <div
            key={track.id}
            role="gridcell"
            aria-colindex={column + 1}
            tabIndex={isActive(column) ? 0 : -1}
            data-cluster={track.kind === 'cluster' ? track.column.name : undefined}
            data-region={track.kind === 'region' ? track.region : undefined}
            {...countAttributes(
              track.kind === 'cluster'
                ? countsIn(source, track.column.name)
                : sumCounts(countsInRegion(source, track.clusters)),
            )}
            className="absolute overflow-hidden outline-none"
            style={boxIn(geometry, row, column)}
          >
            <span className="sr-only">{cellSentence(text, source, track)}</span>
          </div>
        )
      })}
    </div>
  )
}
