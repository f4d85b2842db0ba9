/** The regions of the fleet as bars, for screens without room for a matrix. */
import type { State } from '@/lib/view/model'
import { STATES_BY_URGENCY } from '@/lib/view/states'
import type { MatrixColumn, WorkloadRow } from '../matrix-model'
import { addAmounts, type Amounts } from './amounts'
import type { HeatRows } from './rows'

export interface ClusterBar {
  column: MatrixColumn
  amounts: Amounts
}

export interface RegionBar {
  region: string
  state: State
  amounts: Amounts
  clusters: readonly ClusterBar[]
}

/** In the order of the columns; workloads without replicas do not count. */
export function regionBars(
  columns: readonly MatrixColumn[],
  workloads: readonly WorkloadRow[],
  rows: HeatRows,
): RegionBar[] {
  const parts = new Map<string, Amounts[]>()
  for (const row of workloads) {
    if (!row.workload.hasReplicas) continue
    for (const [cluster, amounts] of rows.of(row).cells) {
      const there = parts.get(cluster)
      if (there === undefined) parts.set(cluster, [amounts])
      else there.push(amounts)
    }
  }
  const sums = new Map([...parts].map(([cluster, amounts]) => [cluster, addAmounts(amounts)]))
  return [...Map.groupBy(columns, ({ region }) => region)].map(([region, members]) => {
    const clusters = members.map((column) => ({ column, amounts: sums.get(column.name) ?? addAmounts([]) }))
    const states = new Set(members.map(({ cluster }) => cluster?.state.state ?? 'unknown'))
    return {
      region,
      state: STATES_BY_URGENCY.find((state) => states.has(state)) ?? 'ok',
      amounts: addAmounts(clusters.map(({ amounts }) => amounts)),
      clusters,
    }
  })
}
