/** The fleet matrix as plain data: which rows and columns there are, and the sums at the margins. */
import { STATES_BY_URGENCY } from '@/lib/format'
import type { CellView, ClusterView, State, WorkloadView } from '@/lib/view/model'
import { matchesFilter, parseFilter, workloadFields } from '../hooks/filter'
import { isException } from '../status/states'

export const GROUPINGS = ['namespace', 'kind', 'strategy', 'none'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface FleetQuery {
  filter: string
  state: State | undefined
  onlyExceptions: boolean
}

/** A cluster of the matrix; one that only cells name (it was removed) has no view. */
export interface MatrixColumn {
  name: string
  region: string
  /** Its place among the cluster columns. */
  index: number
  /** True for the first column of its region. */
  opensRegion: boolean
  cluster: ClusterView | undefined
}

/** Sums over replicas; workloads without replicas do not count. */
export interface Sum {
  now: number
  wants: number
}

export interface GroupRow {
  kind: 'group'
  id: string
  name: string
  workloads: readonly WorkloadView[]
  closed: boolean
  state: State
  sum: Sum
  byCluster: ReadonlyMap<string, Sum>
}

export interface WorkloadRow {
  kind: 'workload'
  id: string
  workload: WorkloadView
}

export type MatrixRow = GroupRow | WorkloadRow

/** The workloads that the query keeps, by namespace and name. */
export function selectWorkloads(workloads: readonly WorkloadView[], query: FleetQuery): WorkloadView[] {
  const terms = parseFilter(query.filter)
  return workloads
    .filter((workload) => query.state === undefined || workload.state.state === query.state)
    .filter((workload) => !query.onlyExceptions || isException(workload.state.state))
    .filter((workload) => matchesFilter(terms, workloadFields(workload)))
    .sort(byNamespaceAndName)
}

/** Cluster-scoped objects come last: they belong to no team. */
function byNamespaceAndName(a: WorkloadView, b: WorkloadView): number {
  const scope = Number(a.ref.namespace === undefined) - Number(b.ref.namespace === undefined)
  return (
    scope
    || compare(a.ref.namespace ?? '', b.ref.namespace ?? '')
    || compare(a.ref.name, b.ref.name)
    || compare(a.id, b.id)
  )
}

/** Numbers in names count as numbers: `web-9` stands before `web-10`. */
const { compare } = new Intl.Collator('en', { numeric: true })

/** Group rows with their workloads below them, unless closed. Groups stand in the order of their first workload. */
export function arrangeRows(
  workloads: readonly WorkloadView[], grouping: Grouping, closed: ReadonlySet<string>,
): MatrixRow[] {
  const rowOf = (workload: WorkloadView): WorkloadRow => ({ kind: 'workload', id: workload.id, workload })
  if (grouping === 'none') return workloads.map(rowOf)
  const groups = Map.groupBy(workloads, (workload) => groupOf(workload, grouping))
  return [...groups].flatMap(([name, members]) => {
    const group = summarize(name, members, closed.has(name))
    return group.closed ? [group] : [group, ...members.map(rowOf)]
  })
}

function groupOf(workload: WorkloadView, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'kind') return workload.ref.kind
  return grouping === 'strategy' ? workload.strategy : (workload.ref.namespace ?? 'cluster-scoped')
}

function summarize(name: string, workloads: readonly WorkloadView[], closed: boolean): GroupRow {
  const counted = workloads.filter((workload) => workload.hasReplicas)
  const byCluster = new Map<string, Sum>()
  for (const cell of counted.flatMap((workload) => workload.cells)) {
    const sum = byCluster.get(cell.cluster) ?? { now: 0, wants: 0 }
    byCluster.set(cell.cluster, { now: sum.now + (cell.now ?? 0), wants: sum.wants + cell.wants })
  }
  const sum = counted.reduce((total, { now, wants }) => ({ now: total.now + now, wants: total.wants + wants }), {
    now: 0,
    wants: 0,
  })
  return { kind: 'group', id: `group/${name}`, name, workloads, closed, state: worstState(workloads), sum, byCluster }
}

function worstState(workloads: readonly WorkloadView[]): State {
  return STATES_BY_URGENCY.find((state) => workloads.some((workload) => workload.state.state === state)) ?? 'ok'
}

/** All clusters, and those that only cells name, by region and name. */
export function arrangeColumns(clusters: readonly ClusterView[], workloads: readonly WorkloadView[]): MatrixColumn[] {
  const views = new Map<string, ClusterView | undefined>(clusters.map((cluster) => [cluster.name, cluster]))
  for (const { cluster } of workloads.flatMap((workload) => workload.cells)) {
    if (!views.has(cluster)) views.set(cluster, undefined)
  }
  const columns = [...views].map(([name, cluster]) => ({ name, region: cluster?.region ?? '', cluster }))
  columns.sort((a, b) => compare(a.region, b.region) || compare(a.name, b.name))
  return numberColumns(columns)
}

function numberColumns(columns: readonly Pick<MatrixColumn, 'name' | 'region' | 'cluster'>[]): MatrixColumn[] {
  return columns.map((column, index) => ({
    ...column,
    index,
    opensRegion: index === 0 || columns[index - 1]?.region !== column.region,
  }))
}

/** This many idle columns are worth folding away. */
const WORTH_FOLDING = 6

/** Splits off the healthy clusters in which nothing of the list runs, when there are many of them. */
export function foldIdleColumns(
  columns: readonly MatrixColumn[], workloads: readonly WorkloadView[],
): { shown: readonly MatrixColumn[]; idle: number } {
  const used = new Set(workloads.flatMap((workload) => workload.cells.map((cell) => cell.cluster)))
  const shown = columns.filter((column) => used.has(column.name) || column.cluster?.state.state !== 'ok')
  const idle = columns.length - shown.length
  return idle < WORTH_FOLDING ? { shown: columns, idle: 0 } : { shown: numberColumns(shown), idle }
}

/** What a cell prints. `absent`: wanted, but nothing was reported. */
export interface CellFigure {
  kind: 'even' | 'short' | 'moving' | 'absent' | 'presence'
  /** Before the separator, or all there is. */
  figure: string
  /** After the separator. */
  of?: string
}

/** Even cells print one number; others print what is and what should be. */
export function cellFigure(cell: CellView, hasReplicas: boolean): CellFigure {
  if (!hasReplicas) return { kind: cell.now === undefined && !cell.applied ? 'absent' : 'presence', figure: '' }
  if (cell.role !== 'placed') return { kind: 'moving', figure: String(cell.now ?? '?'), of: '0' }
  if (cell.now === undefined) return { kind: 'absent', figure: String(cell.wants) }
  if (cell.now !== cell.wants && cell.state.state === 'active')
    return { kind: 'moving', figure: String(cell.now), of: String(cell.wants) }
  const ready = cell.ready ?? 0
  if (ready === cell.wants && cell.now === cell.wants) return { kind: 'even', figure: String(cell.wants) }
  return { kind: 'short', figure: String(ready), of: String(cell.wants) }
}

/** A cell in one word: `4`, `2/4`, `2→4`. */
export function figureText({ kind, figure, of }: CellFigure): string {
  if (of === undefined) return kind === 'absent' ? `0/${figure}` : figure
  return `${figure}${kind === 'moving' ? '→' : '/'}${of}`
}

/** Width of a cluster column in pixels: the longest name fits up to a limit, two numbers and a mark always do. */
export function columnWidth(columns: readonly MatrixColumn[]): number {
  const longest = columns.reduce((length, column) => Math.max(length, column.name.length), 0)
  return Math.min(152, Math.max(88, longest * 8 + 40))
}
