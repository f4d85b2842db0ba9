/** The fleet matrix as plain data: which rows and columns there are, and the sums at the margins. */
import { compareNaturally } from '@/lib/std/natural-order'
import { tallyKeeper } from '@/lib/std/row-keepers'
import { sameItems } from '@/lib/std/same-items'
import { STATES_BY_URGENCY } from '@/lib/view/states'
import type { CellView, ClusterView, ReplicaCounts, State, WorkloadView } from '@/lib/view/model'
import { ReplicaSum } from '@/lib/view/replica-sums'
import { nameOf } from '@/lib/view/workload-id'
import type { Sorts } from '../hooks/sorting'
import { isOldUnknown } from '../status/cell-figure'
import { countStates } from '../status/states'

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
  let groups: ReadonlyMap<string, KeptGroup> = new Map()
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
      if (known?.group.closed === isClosed && sameItems(known.group.workloads, members)) return known
      const summarize = known?.summarize ?? groupSummary()
      const group = { ...summarize(members), id: `group/${name}`, name, workloads: members, closed: isClosed }
      return { summarize, group, rows: isClosed ? [group] : [group, ...members.map(rowOf)] }
    })
    groups = new Map(arranged.map((known) => [known.group.name, known]))
    return arranged.flatMap((known) => known.rows)
  }
}

/** What is kept of a group between two calls. */
interface KeptGroup {
  summarize: (workloads: readonly WorkloadView[]) => GroupSummary
  group: GroupRow
  /** The group and what is shown below it. */
  rows: readonly MatrixRow[]
}

/** The group of workloads without a namespace. */
export const CLUSTER_SCOPED = 'cluster-scoped'

function groupOf(workload: WorkloadView, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'kind') return workload.ref.kind
  return grouping === 'strategy' ? workload.strategy : (workload.ref.namespace ?? CLUSTER_SCOPED)
}

type GroupSummary = Pick<GroupRow, 'kind' | 'state' | 'sum' | 'drift' | 'byCluster' | 'unknownOld'>

/** What a group has in one cluster. */
interface GroupCells {
  sum: ReplicaSum
  /** The sum as it is shown; absent after a change. */
  counts?: ReplicaCounts | undefined
  cells: number
  unknownOld: number
}

/** Summarizes the workloads of a group, again and again. */
function groupSummary(): (workloads: readonly WorkloadView[]) => GroupSummary {
  const sum = new ReplicaSum()
  const sums = new Map<string, GroupCells>()
  const states = countStates([])
  let drift = 0
  const countCell = (cell: CellView, times: 1 | -1): void => {
    const there = sums.get(cell.cluster) ?? { sum: new ReplicaSum(), cells: 0, unknownOld: 0 }
    sums.set(cell.cluster, there)
    there.sum.add(cell, times)
    there.counts = undefined
    there.cells += times
    if (isOldUnknown(cell)) there.unknownOld += times
  }
  return tallyKeeper({
    count: (workload, times) => {
      drift += times * (workload.drift ?? 0)
      states[workload.state.state] += times
      if (!workload.hasReplicas) return
      sum.add(workload, times)
      for (const cell of workload.cells) countCell(cell, times)
    },
    result: () => {
      for (const [cluster, { cells }] of sums) if (cells === 0) sums.delete(cluster)
      return {
        kind: 'group',
        state: STATES_BY_URGENCY.find((state) => states[state] > 0) ?? 'ok',
        sum: sum.counts,
        drift,
        byCluster: new Map([...sums].map(([cluster, there]) => [cluster, (there.counts ??= there.sum.counts)])),
        unknownOld: new Set([...sums].flatMap(([cluster, { unknownOld }]) => (unknownOld > 0 ? [cluster] : []))),
      }
    },
  })
}

/** Returns the clusters that the cells of a list name; the same object until the set changes. */
function clusterUse(): (workloads: readonly WorkloadView[]) => ReadonlySet<string> {
  const cells = new Map<string, number>()
  let used: ReadonlySet<string> = new Set()
  return tallyKeeper({
    count: (workload, times) => {
      for (const { cluster } of workload.cells) cells.set(cluster, (cells.get(cluster) ?? 0) + times)
    },
    result: () => {
      for (const [cluster, n] of cells) if (n === 0) cells.delete(cluster)
      if (used.size !== cells.size || ![...used].every((cluster) => cells.has(cluster))) used = new Set(cells.keys())
      return used
    },
  })
}

/** Makes the columns: all clusters, and those that only cells name, by region and name. Called again, it gives the same objects for what did not change. */
export function columnArranger(): (
  clusters: readonly ClusterView[],
  workloads: readonly WorkloadView[],
) => readonly MatrixColumn[] {
  const useOf = clusterUse()
  let columns: readonly MatrixColumn[] = []
  return (clusters, workloads) => {
    columns = kept(columns, columnsOf(clusters, useOf(workloads)))
    return columns
  }
}

/** The columns as they were, as far as they are the same. */
function kept(before: readonly MatrixColumn[], columns: readonly MatrixColumn[]): readonly MatrixColumn[] {
  const next = columns.map((column, at) => (isSameColumn(column, before[at]) ? before[at]! : column))
  return sameItems(before, next) ? before : next
}

const isSameColumn = (one: MatrixColumn, other: MatrixColumn | undefined): boolean =>
  one.name === other?.name
  && one.cluster === other.cluster
  && one.region === other.region
  && one.index === other.index
  && one.opensRegion === other.opensRegion

function columnsOf(clusters: readonly ClusterView[], used: ReadonlySet<string>): MatrixColumn[] {
  const views = new Map<string, ClusterView | undefined>(clusters.map((cluster) => [cluster.name, cluster]))
  for (const cluster of used) if (!views.has(cluster)) views.set(cluster, undefined)
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

/** Makes a function that splits off the healthy clusters in which nothing of the list runs, when there are many of them. */
export function idleFolder(): (
  columns: readonly MatrixColumn[],
  workloads: readonly WorkloadView[],
) => { shown: readonly MatrixColumn[]; idle: number } {
  const useOf = clusterUse()
  let before: readonly MatrixColumn[] = []
  return (columns, workloads) => {
    const used = useOf(workloads)
    const shown = columns.filter((column) => used.has(column.name) || column.cluster?.state.state !== 'ok')
    const idle = columns.length - shown.length
    if (idle < WORTH_FOLDING) return { shown: columns, idle: 0 }
    before = kept(before, numberColumns(shown))
    return { shown: before, idle }
  }
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
