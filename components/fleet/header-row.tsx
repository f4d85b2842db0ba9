/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are virtual and laid out as grids: a table cannot leave rows out */
import { clsx } from 'clsx'
import { message } from '@/lib/messages'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Checkbox } from '../ui/checkbox'
import type { SortHead } from '../hooks/use-sorting'
import { SortButton, SortToggle } from '../ui/table'
import { DRIFT, FIRST_CLUSTER, gridColumn, HEADER_HEIGHT, NAME, SELECT, stickyAt, SUM } from './columns'
import { MARGIN_SORTS, MarginHead } from './margin'
import { clusterSort, type MatrixColumn } from './matrix-model'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'

interface HeaderRowProps {
  columns: readonly MatrixColumn[]
  template: string
  /** Of all columns, in pixels. */
  width: number
  /** The column that the keyboard is in, when it is in the header. */
  active: number | undefined
  allSelected: boolean | 'indeterminate'
  onSelectAll: () => void
  /** How a column sorts the rows. */
  head: (key: string) => SortHead
  /** Whether a bar stands in front of the figures. */
  hasBars: boolean
}

const LaterKey = laterPart(() => import('./distribution-bar').then((code) => code.DistributionKey))

const EDGE = 'flex min-w-0 flex-col justify-end bg-paper pb-1 text-label -outline-offset-2'

/** Names of the clusters with their states; stays on top while the rows scroll. */
export function HeaderRow({
  columns,
  template,
  width,
  active,
  allSelected,
  onSelectAll,
  head,
  hasBars,
}: HeaderRowProps) {
  const text = useText()
  return (
    <div
      role="row"
      aria-rowindex={1}
      tabIndex={-1}
      className="sticky top-0 z-20 grid min-w-full border-b border-line-strong bg-paper"
      style={{ gridTemplateColumns: template, height: HEADER_HEIGHT, width }}
    >
      <Edge column={SELECT} active={active === SELECT}>
        <Checkbox tabIndex={-1} checked={allSelected} aria-label={text('fleet.selectAll')} onClick={onSelectAll} />
      </Edge>
      <Edge column={NAME} active={active === NAME} sorts={[head('name')]}>
        <SortButton {...head('name')} tabIndex={-1}>
          {text('fleet.workload')}
        </SortButton>
      </Edge>
      <Edge column={SUM} active={active === SUM} sorts={MARGIN_SORTS.map(head)}>
        {hasBars && <LaterKey columns={columns} />}
        <MarginHead head={head} />
      </Edge>
      <Edge column={DRIFT} active={active === DRIFT} title={text('fleet.driftMeaning')} sorts={[head('drift')]}>
        <span className="flex justify-end pr-1">
          <SortButton {...head('drift')} tabIndex={-1}>
            {text('fleet.drift')}
          </SortButton>
        </span>
      </Edge>
      {columns.map((column) => (
        <ClusterHeader
          key={column.name}
          column={column}
          at={column.index + FIRST_CLUSTER}
          active={active === column.index + FIRST_CLUSTER}
          sort={head(clusterSort(column.name))}
        />
      ))}
    </div>
  )
}

interface EdgeProps {
  column: number
  active: boolean
  title?: string
  /** Of the figures in the column. */
  sorts?: readonly SortHead[]
  children: React.ReactNode
}

function Edge({ column, active, title, sorts, children }: EdgeProps) {
  return (
    <div
      role="columnheader"
      aria-sort={sorts && (sorts.find(({ direction }) => direction)?.direction ?? 'none')}
      title={title}
      aria-colindex={column + 1}
      data-at={`0:${column}`}
      tabIndex={active ? 0 : -1}
      style={{ ...gridColumn(column), ...stickyAt(column) }}
      className={clsx(EDGE, 'px-1', column === DRIFT ? 'border-r border-r-line' : column !== SUM && 'sticky z-10')}
    >
      {children}
    </div>
  )
}

interface ClusterHeaderProps {
  column: MatrixColumn
  at: number
  active: boolean
  sort: SortHead
}

/** The name opens the cluster, the arrow sorts by its ready replicas. */
function ClusterHeader({ column, at, active, sort }: ClusterHeaderProps) {
  const text = useText()
  const state = column.cluster?.state ?? { state: 'unknown' as const, reason: message('fleet.clusterGone') }
  return (
    <div
      role="columnheader"
      aria-sort={sort.direction ?? 'none'}
      aria-colindex={at + 1}
      data-at={`0:${at}`}
      data-cluster-header={column.name}
      data-state={state.state}
      tabIndex={active ? 0 : -1}
      style={gridColumn(at)}
      className={clsx(EDGE, 'relative px-2', column.opensRegion && column.region !== '' && 'border-l border-l-line')}
    >
      {column.opensRegion && (
        <span className="absolute top-1.5 left-2 font-normal whitespace-nowrap text-ink-2">{column.region}</span>
      )}
      <span className="flex h-6 items-center justify-end gap-1">
        <SortToggle sort={sort} label={text('fleet.sortByReady', { cluster: column.name })} />
        <Link
          href={href.cluster(column.name)}
          tabIndex={-1}
          title={text('common.inCluster', { cluster: column.name, reason: state.reason })}
          className="flex min-w-0 items-center hover:underline"
        >
          <span className="truncate">{column.name}</span>
          <span className="ml-1 flex w-3 shrink-0 justify-center">
            <StateGlyph state={state.state} size={state.state === 'ok' ? 8 : 12} />
          </span>
          <span className="sr-only">{text(`common.state.${state.state}`)}</span>
        </Link>
      </span>
    </div>
  )
}
