/** What the rows of the heat matrix draw. A row that did not change is the same object, so that it is not drawn again. */
import type { State, WorkloadView } from '@/lib/view/model'
import { nameOf } from '@/lib/view/workload-id'
import { isException } from '../../status/states'
import type { GroupRow, MatrixColumn, MatrixRow } from '../matrix-model'
import type { RegionTrack } from './layout'
import { addAmounts, type Amounts, amountsOf, type Spread, spreadOf } from './amounts'

export interface HeatRow {
  id: string
  kind: MatrixRow['kind']
  name: string
  state: State
  /** By cluster; a cluster without anything has no entry. */
  cells: ReadonlyMap<string, Amounts>
  /** Of a group: its workloads, those of them that are exceptions, and whether it is collapsed. */
  workloads: number
  exceptions: number
  closed: boolean
}

/** The rows as they were drawn last. Lives as long as the same clusters do not answer. */
export class HeatRows {
  readonly #byWorkload = new WeakMap<WorkloadView, HeatRow>()
  readonly #byGroup = new WeakMap<GroupRow, HeatRow>()

  /** `silent`: clusters that do not answer. */
  constructor(
    private readonly silent: ReadonlySet<string>,
    private readonly withNamespace: boolean,
    private readonly groupTitle: (name: string) => string,
  ) {}

  of(row: MatrixRow): HeatRow {
    return row.kind === 'workload' ? this.#workload(row.workload) : this.#group(row)
  }

  #workload(workload: WorkloadView): HeatRow {
    const known = this.#byWorkload.get(workload)
    if (known !== undefined) return known
    const { id, ref, state, cells } = workload
    const row: HeatRow = {
      id,
      kind: 'workload',
      name: this.withNamespace ? nameOf(ref) : ref.name,
      state: state.state,
      cells: new Map(cells.map((cell) => [cell.cluster, amountsOf(cell, this.silent.has(cell.cluster))])),
      workloads: 1,
      exceptions: isException(state.state) ? 1 : 0,
      closed: false,
    }
    this.#byWorkload.set(workload, row)
    return row
  }

  #group(group: GroupRow): HeatRow {
    const known = this.#byGroup.get(group)
    if (known !== undefined) return known
    const { id, name, state, workloads, closed } = group
    const row: HeatRow = {
      id,
      kind: 'group',
      name: this.groupTitle(name),
      state,
      cells: this.#sums(workloads),
      workloads: workloads.length,
      exceptions: workloads.filter((workload) => isException(workload.state.state)).length,
      closed,
    }
    this.#byGroup.set(group, row)
    return row
  }

  /** Replicas by cluster; workloads without replicas do not count. */
  #sums(workloads: readonly WorkloadView[]): ReadonlyMap<string, Amounts> {
    const parts = new Map<string, Amounts[]>()
    for (const workload of workloads) {
      if (!workload.hasReplicas) continue
      for (const [cluster, amounts] of this.#workload(workload).cells) {
        const there = parts.get(cluster)
        if (there === undefined) parts.set(cluster, [amounts])
        else there.push(amounts)
      }
    }
    return new Map([...parts].map(([cluster, amounts]) => [cluster, addAmounts(amounts)]))
  }
}

export interface RegionSum {
  amounts: Amounts
  spread: Spread
  /** Number of the region's clusters, which changes as idle clusters are shown or hidden. */
  clusters: number
}

const regionSums = new WeakMap<HeatRow, Map<string, RegionSum>>()

/** The roll-up of a row over the clusters of a region; the same object for the same row. */
export function regionSum(row: HeatRow, { region, clusters }: Pick<RegionTrack, 'region' | 'clusters'>): RegionSum {
  const known = regionSums.get(row) ?? new Map<string, RegionSum>()
  regionSums.set(row, known)
  const before = known.get(region)
  if (before !== undefined && before.clusters === clusters.length) return before
  const parts = clusters.flatMap(({ name }) => row.cells.get(name) ?? [])
  const sum = { amounts: addAmounts(parts), spread: spreadOf(parts), clusters: clusters.length }
  known.set(region, sum)
  return sum
}

/** Returns clusters that are not ready; unknown clusters are not included. */
export function silentClusters(columns: readonly MatrixColumn[]): ReadonlySet<string> {
  return new Set(columns.filter(({ cluster }) => cluster && cluster.ready !== 'True').map(({ name }) => name))
}

/** The most replicas of any cell, which the scale has to hold; those of groups, where there are groups. */
export function mostReplicas(rows: readonly MatrixRow[]): number {
  let most = 1
  for (const row of rows) {
    const parts = row.kind === 'group' ? row.byCluster.values() : row.workload.cells
    for (const { desired } of parts) most = Math.max(most, desired)
  }
  return most
}

/** Requested part of the allocatable CPU; undefined where it is not reported. */
export function cpuShare(clusters: readonly MatrixColumn[]): number | undefined {
  const reported = clusters.flatMap(({ cluster }) => (cluster?.cpu && cluster.cpu.allocatable > 0 ? [cluster.cpu] : []))
  if (reported.length === 0) return undefined
  const sum = (of: 'allocated' | 'allocatable') => reported.reduce((all, cpu) => all + cpu[of], 0)
  return sum('allocated') / sum('allocatable')
}
