/** The fleet matrix as plain data: which rows and columns there are, and the sums at the margins. */
import { compareNaturally } from '@/lib/std/natural-order'
import { sameItems } from '@/lib/std/same-items'
import { STATES_BY_URGENCY } from '@/lib/view/states'
import type { ClusterView, ReplicaCounts, State, WorkloadView } from '@/lib/view/model'
import { ReplicaSum } from '@/lib/view/replica-sums'
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

/** Folded groups. */
type Closed = Pick<ReadonlySet<string>, 'has'>

/**
 * Makes the rows: group rows with their workloads below them, unless closed; groups stand in the order of their first
 * workload. Called again, it gives the same objects for what did not change, so that they are not drawn again.
 */
export function rowArranger(): (
  workloads: readonly WorkloadView[],
  grouping: Grouping,
  closed: Closed,
) => readonly MatrixRow[] {
  const rows = new WeakMap<WorkloadView, WorkloadRow>()
  let groups = new Map<string, GroupRow>()
  const rowOf = (workload: WorkloadView): WorkloadRow => {
    const known = rows.get(workload)
    const row = known ?? { kind: 'workload', id: workload.id, workload }
    if (!known) rows.set(workload, row)
    return row
  }
  return (workloads, grouping, closed) => {
    if (grouping === 'none') return workloads.map(rowOf)
    const arranged = [...Map.groupBy(workloads, (workload) => groupOf(workload, grouping))].map(([name, members]) => {
      const known = groups.get(name)
      const isClosed = closed.has(name)
      const isSame = known?.closed === isClosed && sameItems(known.workloads, members)
      return isSame ? known : summarize(name, members, isClosed)
    })
    groups = new Map(arranged.map((group) => [group.name, group]))
    return arranged.flatMap((group) => (group.closed ? [group] : [group, ...group.workloads.map(rowOf)]))
  }
}

/** The group of workloads without a namespace. */
export const CLUSTER_SCOPED = 'cluster-scoped'

function groupOf(workload: WorkloadView, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'kind') return workload.ref.kind
  return grouping === 'strategy' ? workload.strategy : (workload.ref.namespace ?? CLUSTER_SCOPED)
}

function summarize(name: string, workloads: readonly WorkloadView[], closed: boolean): GroupRow {
  const sum = new ReplicaSum()
  const sums = new Map<string, ReplicaSum>()
  const unknownOld = new Set<string>()
  let [drift, urgency] = [0, STATES_BY_URGENCY.length]
  for (const workload of workloads) {
    drift += workload.drift ?? 0
    urgency = Math.min(urgency, STATES_BY_URGENCY.indexOf(workload.state.state))
    if (!workload.hasReplicas) continue
    sum.add(workload)
    for (const cell of workload.cells) {
      const there = sums.get(cell.cluster) ?? new ReplicaSum()
      sums.set(cell.cluster, there)
      there.add(cell)
      if (isOldUnknown(cell)) unknownOld.add(cell.cluster)
    }
  }
  return {
    kind: 'group',
    id: `group/${name}`,
    name,
    workloads,
    closed,
    state: STATES_BY_URGENCY[urgency] ?? 'ok',
    sum: sum.counts,
    drift,
    byCluster: new Map([...sums].map(([cluster, there]) => [cluster, there.counts])),
    unknownOld,
  }
}

/** All clusters, and those that only cells name, by region and name. */
export function arrangeColumns(clusters: readonly ClusterView[], workloads: readonly WorkloadView[]): MatrixColumn[] {
  const views = new Map<string, ClusterView | undefined>(clusters.map((cluster) => [cluster.name, cluster]))
  for (const { cells } of workloads) {
    for (const { cluster } of cells) if (!views.has(cluster)) views.set(cluster, undefined)
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
  const used = new Set<string>()
  for (const { cells } of workloads) for (const { cluster } of cells) used.add(cluster)
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
