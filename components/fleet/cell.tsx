/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are virtual and laid out as grids: a table cannot leave rows out */
import { clsx } from 'clsx'
import { memo, useState } from 'react'
import type { Text } from '@/lib/messages'
import type { CellView, ReplicaCounts, WorkloadView } from '@/lib/view/model'
import { cellText } from '@/lib/view/text/replica-counts'
import { nameOf } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'
import { knownCount } from '../status/replica-cells'
import { StateGlyph } from '../status/state-glyph'
import { gridColumn } from './columns'
import { countAttributes } from '../status/count-attributes'
import { cellFigure, figureText, isOldUnknown } from '../status/cell-figure'

interface MatrixCellProps {
  workload: WorkloadView
  cluster: string
  cell: CellView | undefined
  /** The cluster does not answer: what it had is lost until it does. */
  isSilent: boolean
  /** Position in the grid, and whether the keyboard is here. */
  at: string
  column: number
  active: boolean
}

const BOX = 'relative flex min-w-0 items-center justify-end px-2 -outline-offset-2'
/** Marks of all sizes take the same room, so that figures stand in columns. */
const MARK = 'ml-1 flex w-3 shrink-0 justify-center'

/** One workload in one cluster. Its name is a sentence; its figures are also data attributes. */
export const MatrixCell = memo(function MatrixCell(props: MatrixCellProps) {
  const { workload, cluster, cell, at, column, active, isSilent } = props
  const text = useText()
  const sentence = cell
    ? cellText(text, nameOf(workload.ref), cell, workload.hasReplicas)
    : text('fleet.cellEmpty', { workload: nameOf(workload.ref), cluster })
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      title={cell ? `${sentence} · ${text.of(cell.state.reason)}` : undefined}
      data-at={at}
      data-workload={workload.id}
      data-cluster={cluster}
      {...countAttributes(cell)}
      data-state={cell?.state.state ?? 'none'}
      tabIndex={active ? 0 : -1}
      style={gridColumn(column)}
      className={clsx(BOX, cell && 'cursor-pointer hover:bg-sunken')}
    >
      <span className="sr-only">{sentence}</span>
      {cell ? <Figures cell={cell} hasReplicas={workload.hasReplicas} isSilent={isSilent} /> : <Nothing />}
    </div>
  )
})

function Nothing() {
  return (
    <span aria-hidden="true" className="mr-4 text-line-strong">
      ·
    </span>
  )
}

/** The number, what it should be when that differs, and the mark. Even and healthy is ink on paper. */
function Figures({ cell, hasReplicas, isSilent }: { cell: CellView; hasReplicas: boolean; isSilent: boolean }) {
  const view = cellFigure(cell, hasReplicas)
  const { kind, figure, of, note } = view
  const changes = useChanges(figureText(view))
  const isLost = isSilent && hasReplicas && ((cell.unknown ?? 0) > 0 || isOldUnknown(cell))
  const glyph = kind === 'absent' && cell.state.state !== 'fail' ? 'unknown' : cell.state.state
  return (
    <>
      {isLost && (
        <span aria-hidden="true" data-swatch className="hatch-lost mr-1.5 h-2.5 w-5 border border-chart-lost" />
      )}
      <span
        key={changes}
        aria-hidden="true"
        data-lost={isLost || undefined}
        className={clsx(
          isLost && kind === 'absent' && 'line-through decoration-fail decoration-2',
          changes > 0 && 'animate-changed',
          kind === 'absent' && 'text-ink-2',
          cell.state.state !== 'ok' && 'font-medium',
        )}
      >
        {figure}
        {of !== undefined && (
          <span className="font-normal text-ink-2">
            {kind === 'moving' ? '→' : '/'}
            {of}
          </span>
        )}
        {note}
      </span>
      <span className={MARK}>
        <StateGlyph state={glyph} size={glyph === 'ok' ? 8 : 12} />
      </span>
    </>
  )
}

/** How often a value has changed since it was first drawn. */
function useChanges(value: string): number {
  const [seen, setSeen] = useState({ value, changes: 0 })
  if (seen.value === value) return seen.changes
  const next = { value, changes: seen.changes + 1 }
  setSeen(next)
  return next.changes
}

interface SumCellProps {
  sum: ReplicaCounts | undefined
  /** An unknown number of old replicas may still run there. */
  hasUnknownOld: boolean
  at: string
  column: number
  active: boolean
  label: string
}

/** The replicas of a group in one cluster. */
export const SumCell = memo(function SumCell({ sum, hasUnknownOld, at, column, active, label }: SumCellProps) {
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      data-at={at}
      title={label}
      {...countAttributes(sum)}
      tabIndex={active ? 0 : -1}
      style={gridColumn(column)}
      className={clsx(BOX, 'font-medium')}
    >
      <span className="sr-only">{label}</span>
      {sum ? <SumFigures sum={sum} hasUnknownOld={hasUnknownOld} /> : <Nothing />}
    </div>
  )
})

function SumFigures({ sum, hasUnknownOld }: { sum: ReplicaCounts; hasUnknownOld: boolean }) {
  const text = useText()
  const { ready, desired, unknown = 0, old = 0 } = sum
  return (
    <>
      <span aria-hidden="true">
        {sumFigure(text, sum, hasUnknownOld)}
        {ready !== desired && <span className="font-normal text-ink-2">/{text.format.count(desired)}</span>}
        {old > 0 && `+${text.format.count(old)}`}
      </span>
      <span className={MARK}>{(unknown > 0 || hasUnknownOld) && <StateGlyph state="unknown" size={12} />}</span>
    </>
  )
}

/** Formats ready replicas; `?` and `+?` where no member reports whether old replicas run. */
function sumFigure(text: Text, sum: ReplicaCounts, hasUnknownOld: boolean): string {
  if (!hasUnknownOld) return knownCount(text, sum.ready, sum)
  return sum.desired === 0 && sum.current === 0 ? '?' : `${knownCount(text, sum.ready, sum)}+?`
}
