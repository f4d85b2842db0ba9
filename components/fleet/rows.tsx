/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are virtual and laid out as grids: a table cannot leave rows out */
import { clsx } from 'clsx'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type MouseEvent, type ReactNode } from 'react'
import type { CellView } from '@/lib/view/model'
import { countsText } from '@/lib/view/text/replica-counts'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { HeldPlace } from '../status/held-mark'
import { StateGlyph } from '../status/state-glyph'
import { Checkbox } from '../ui/checkbox'
import { MatrixCell, SumCell } from './cell'
import { DRIFT, FIRST_CLUSTER, gridColumn, NAME, SELECT, stickyAt, SUM } from './columns'
import { InClusters, Margin } from './margin'
import { groupTitle } from './group-title'
import type { GroupRow, MatrixColumn, WorkloadRow } from './matrix-model'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'

const LaterBar = laterPart(() => import('./distribution-bar').then((code) => code.DistributionBar))

interface RowFrameProps {
  index: number
  top: number
  template: string
  selected: boolean
  testId: string
  workload?: string
  gone?: boolean
  raised?: boolean
  children: ReactNode
}

function RowFrame({
  index,
  top,
  template,
  selected,
  testId,
  workload,
  gone = false,
  raised = false,
  children,
}: RowFrameProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-testid={testId}
      data-workload={workload}
      className={clsx(
        'group/row absolute left-0 grid h-7 w-full grid-rows-[100%] whitespace-nowrap border-b border-line',
        selected ? 'bg-chosen' : 'hover:bg-hover',
        raised && !selected && 'bg-raised',
        gone && 'line-through opacity-60',
      )}
      style={{ top, gridTemplateColumns: template }}
    >
      {children}
    </div>
  )
}

interface RowProps {
  columns: readonly MatrixColumn[]
  /** Row number in the grid; the header is 0. */
  index: number
  top: number
  template: string
  /** The column that the keyboard is in, when it is in this row. */
  active: number | undefined
  selected: boolean | 'indeterminate'
  /** The scale of the bars; 0 without bars. */
  most: number
}

interface WorkloadRowProps extends RowProps {
  row: WorkloadRow
  gone: boolean
  withNamespace: boolean
  onSelect: (id: string, event: { shiftKey: boolean }) => void
}

/** Row of a workload: totals at the left, replicas by cluster across. */
export const WorkloadMatrixRow = memo(function WorkloadMatrixRow(props: WorkloadRowProps) {
  const text = useText()
  const { row, columns, index, top, template, active, selected, gone, withNamespace, onSelect, most } = props
  const { workload } = row
  const { drift = 0 } = workload
  const cells = new Map<string, CellView>(workload.cells.map((cell) => [cell.cluster, cell]))
  return (
    <RowFrame
      index={index}
      top={top}
      template={template}
      selected={selected === true}
      testId="workload-row"
      workload={workload.id}
      gone={gone}
    >
      <Fixed column={SELECT} at={index} active={active === SELECT}>
        <Checkbox
          tabIndex={-1}
          checked={selected}
          aria-label={text('fleet.selectWorkload', { workload: workload.ref.name })}
          onClick={(event: MouseEvent) => onSelect(workload.id, event)}
        />
      </Fixed>
      <Fixed column={NAME} at={index} active={active === NAME} header>
        <StateGlyph state={workload.state.state} />
        {withNamespace && workload.ref.namespace && (
          <span className="-mr-1.5 shrink-0 text-ink-2">{workload.ref.namespace}/</span>
        )}
        <Link
          href={href.workload(workload.id)}
          tabIndex={-1}
          title={text.of(workload.state.reason)}
          className="truncate hover:underline"
        >
          {workload.ref.name}
        </Link>
        <span className="sr-only">{text(`common.state.${workload.state.state}`)}</span>
        {workload.held && <HeldPlace held={workload.held} tabIndex={-1} />}
        {workload.ref.kind !== 'Deployment' && (
          <span className="ml-auto truncate text-label font-normal text-ink-2">{workload.ref.kind}</span>
        )}
      </Fixed>
      <Fixed
        column={SUM}
        at={index}
        active={active === SUM}
        label={workload.hasReplicas ? countsText(text, workload) : undefined}
        figure
      >
        {most > 0 && <LaterBar workload={workload} columns={columns} most={most} />}
        {workload.hasReplicas ? <Margin counts={workload} /> : <InClusters counts={workload} />}
      </Fixed>
      <Fixed column={DRIFT} at={index} active={active === DRIFT} label={text('fleet.driftOf', { n: drift })} figure>
        <span aria-hidden="true" data-drift={drift} className={drift > 0 ? 'font-medium' : 'text-ink-2'}>
          {drift}
        </span>
      </Fixed>
      {columns.map(({ name, index: at, cluster }) => (
        <MatrixCell
          key={name}
          isSilent={cluster !== undefined && cluster.ready !== 'True'}
          workload={workload}
          cluster={name}
          cell={cells.get(name)}
          at={`${index}:${at + FIRST_CLUSTER}`}
          column={at + FIRST_CLUSTER}
          active={active === at + FIRST_CLUSTER}
        />
      ))}
    </RowFrame>
  )
})

interface GroupRowProps extends RowProps {
  row: GroupRow
  onToggle: (name: string) => void
  onSelect: (group: GroupRow) => void
}

/** A group: its sums, and the button that folds it. */
export const GroupMatrixRow = memo(function GroupMatrixRow(props: GroupRowProps) {
  const text = useText()
  const { row, columns, index, top, template, active, selected, onToggle, onSelect } = props
  const title = groupTitle(text, row.name)
  const Chevron = row.closed ? ChevronRight : ChevronDown
  return (
    <RowFrame index={index} top={top} template={template} selected={selected === true} testId="group-row" raised>
      <Fixed column={SELECT} at={index} active={active === SELECT} raised>
        <Checkbox
          tabIndex={-1}
          checked={selected}
          aria-label={text('fleet.selectGroup', { group: title })}
          onClick={() => onSelect(row)}
        />
      </Fixed>
      <Fixed column={NAME} at={index} active={active === NAME} header raised>
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={!row.closed}
          onClick={() => onToggle(row.name)}
          className="flex h-6 min-w-0 grow items-center gap-1 text-left font-medium"
        >
          <Chevron size={14} aria-hidden="true" className="shrink-0" />
          <span className="truncate">{title}</span>
          <span className="text-label font-normal text-ink-2">
            <span aria-hidden="true">{text.format.count(row.workloads.length)}</span>
            <span className="sr-only">{text('common.counted.workload', { n: row.workloads.length })}</span>
          </span>
          {row.state !== 'ok' && <StateGlyph state={row.state} size={10} />}
        </button>
      </Fixed>
      <Fixed column={SUM} at={index} active={active === SUM} label={countsText(text, row.sum)} figure raised>
        {row.workloads.some((workload) => workload.hasReplicas) && <Margin counts={row.sum} />}
      </Fixed>
      <Fixed
        column={DRIFT}
        at={index}
        active={active === DRIFT}
        label={text('fleet.driftOf', { n: row.drift })}
        figure
        raised
      >
        <span aria-hidden="true" data-drift={row.drift}>
          {row.drift}
        </span>
      </Fixed>
      {columns.map(({ name, index: at }) => {
        const sum = row.byCluster.get(name)
        const hasUnknownOld = row.unknownOld.has(name)
        const about = { group: title, cluster: name, oldUnknown: hasUnknownOld ? 'yes' : 'no' }
        const label = sum
          ? text('fleet.groupCell', { ...about, counts: countsText(text, sum) })
          : text('fleet.groupCellEmpty', about)
        const column = at + FIRST_CLUSTER
        return (
          <SumCell
            key={name}
            sum={sum}
            hasUnknownOld={hasUnknownOld}
            at={`${index}:${column}`}
            column={column}
            active={active === column}
            label={label}
          />
        )
      })}
    </RowFrame>
  )
})

interface FixedProps {
  column: number
  /** The row number. */
  at: number
  active: boolean
  label?: string | undefined
  header?: boolean
  figure?: boolean
  raised?: boolean
  children: ReactNode
}

/** A cell of the left margin; the first two columns stay while the clusters scroll. */
function Fixed({ column, at, active, label, header = false, figure = false, raised = false, children }: FixedProps) {
  const isSticky = stickyAt(column) !== undefined
  return (
    <div
      role={header ? 'rowheader' : 'gridcell'}
      aria-colindex={column + 1}
      data-at={`${at}:${column}`}
      tabIndex={active ? 0 : -1}
      style={{ ...gridColumn(column), ...stickyAt(column) }}
      className={clsx(
        'flex min-w-0 items-center gap-1.5 px-1 -outline-offset-2',
        figure && 'justify-end px-2',
        column === DRIFT && 'border-r border-r-line',
        isSticky && 'sticky z-10 group-hover/row:bg-hover group-aria-selected/row:bg-chosen',
        isSticky && (raised ? 'bg-raised' : 'bg-paper'),
        raised && 'font-medium',
      )}
    >
      {label && <span className="sr-only">{label}</span>}
      {children}
    </div>
  )
}
