/** The fleet matrix as plain data: which rows and columns there are, and the sums at the margins. */
import { compareNaturally } from '@/lib/std/natural-order'
import { STATES_BY_URGENCY } from '@/lib/view/states'
import type { ClusterView, ReplicaCounts, State, WorkloadView } from '@/lib/view/model'
import { sumCounts } from '@/lib/view/replica-sums'
import { nameOf } from '@/lib/view/workload-id'
import type { Sorts } from '../hooks/sorting'
import { isOldUnknown } from '../status/cell-figure'

export const GROUPINGS = ['namespace', 'kind', 'strategy', 'none'] as const
export type Grouping = (typeof GROUPINGS)[number]

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

export interface GroupRow {
  kind: 'group'
  id: string
  name: string
  workloads: readonly WorkloadView[]
  closed: boolean
  state: State
  /** Sums over replicas; workloads without replicas do not count. */
  sum: ReplicaCounts
  byCluster: ReadonlyMap<string, ReplicaCounts>
  /** Clusters in which an unknown number of old replicas may still run. */
  unknownOld: ReadonlySet<string>
  /** Replicas that a rebalance would move. */
  drift: number
}

export interface WorkloadRow {
  kind: 'workload'
  id: string
  workload: WorkloadView
}

export type MatrixRow = GroupRow | WorkloadRow

/** The key by which a cluster's column sorts; no other column has it, whatever the cluster is called. */
export const clusterSort = (cluster: string): string => `cluster/${cluster}`

/** What each column sorts by. A workload that is not in a cluster comes last in its column. */
export function fleetSorts(columns: readonly Pick<MatrixColumn, 'name'>[]): Sorts<WorkloadView> {
  const readyIn =
    (name: string) =>
    ({ cells }: WorkloadView) =>
      cells.find(({ cluster }) => cluster === name)?.ready
  return {
    name: ({ ref }) => nameOf(ref),
    ready: ({ ready }) => ready,
    current: ({ current }) => current,
    desired: ({ desired }) => desired,
    drift: ({ drift = 0 }) => drift,
    state: ({ state }) => STATES_BY_URGENCY.indexOf(state.state),
    ...Object.fromEntries(columns.map(({ name }) => [clusterSort(name), readyIn(name)])),
  }
}

/** Group rows with their workloads below them, unless closed. Groups stand in the order of their first workload. */
export function arrangeRows(
  workloads: readonly WorkloadView[],
  grouping: Grouping,
  closed: Pick<ReadonlySet<string>, 'has'>,
): MatrixRow[] {
  const rowOf = (workload: WorkloadView): WorkloadRow => ({ kind: 'workload', id: workload.id, workload })
  if (grouping === 'none') return workloads.map(rowOf)
  const groups = Map.groupBy(workloads, (workload) => groupOf(workload, grouping))
  return [...groups].flatMap(([name, members]) => {
    const group = summarize(name, members, closed.has(name))
    return group.closed ? [group] : [group, ...members.map(rowOf)]
  })
}

/** The group of workloads without a namespace. */
export const CLUSTER_SCOPED = 'cluster-scoped'

function groupOf(workload: WorkloadView, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'kind') return workload.ref.kind
  return grouping === 'strategy' ? workload.strategy : (workload.ref.namespace ?? CLUSTER_SCOPED)
}

function summarize(name: string, workloads: readonly WorkloadView[], closed: boolean): GroupRow {
  const counted = workloads.filter((workload) => workload.hasReplicas)
  const cells = Map.groupBy(
    counted.flatMap((workload) => workload.cells),
    (cell) => cell.cluster,
  )
  const byCluster = new Map([...cells].map(([cluster, there]) => [cluster, sumCounts(there)]))
  const unknownOld = new Set([...cells].filter(([, there]) => there.some(isOldUnknown)).map(([cluster]) => cluster))
  const sum = sumCounts(counted)
  const drift = workloads.reduce((total, { drift: own = 0 }) => total + own, 0)
  return {
    kind: 'group',
    id: `group/${name}`,
    name,
    workloads,
    closed,
    state: worstState(workloads),
    sum,
    drift,
    byCluster,
    unknownOld,
  }
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
  columns.sort((a, b) => compareNaturally(a.region, b.region) || compareNaturally(a.name, b.name))
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
  columns: readonly MatrixColumn[],
  workloads: readonly WorkloadView[],
): { shown: readonly MatrixColumn[]; idle: number } {
  const used = new Set(workloads.flatMap((workload) => workload.cells.map((cell) => cell.cluster)))
  const shown = columns.filter((column) => used.has(column.name) || column.cluster?.state.state !== 'ok')
  const idle = columns.length - shown.length
  return idle < WORTH_FOLDING ? { shown: columns, idle: 0 } : { shown: numberColumns(shown), idle }
}

/** The most replicas that a workload wants or has: the scale of its bar. */
export function mostDesired(rows: readonly MatrixRow[]): number {
  return rows.reduce((most, row) => {
    if (row.kind === 'group' || !row.workload.hasReplicas) return most
    return Math.max(most, row.workload.desired, row.workload.current + (row.workload.old ?? 0))
  }, 1)
}

/**
 * Width of a cluster column in pixels: the longest name fits up to a limit beside its mark and the button that sorts;
 * two numbers and a mark always do.
 */
export function columnWidth(columns: readonly MatrixColumn[]): number {
  const longest = columns.reduce((length, column) => Math.max(length, column.name.length), 0)
  return Math.min(172, Math.max(88, longest * 8 + 56))
}
