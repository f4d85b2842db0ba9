/** Replicas as blocks, from the counts of the workloads. */
import { compareNaturally } from '@/lib/std/natural-order'
import type { FailoverEntryView } from '@/lib/view/failover-model'
import type { CellView, WorkloadView } from '@/lib/view/model'
import { startingIn } from './flows'

/** `recovered`: ready, in a cluster that took it over in a failover that still runs. */
export type BlockKind = 'ready' | 'recovered' | 'starting' | 'failed' | 'lost' | 'unknown' | 'leaving'

/** One replica. */
export interface Block {
  id: string
  /** Absent: a pod of the cluster itself. */
  workload?: string
  name: string
  kind: BlockKind
}

/** Replicas that a workload had in a cluster before its failover, by workload and cluster that took it over. */
export function takeovers(failovers: readonly FailoverEntryView[]): ReadonlyMap<string, number> {
  const had = new Map<string, number>()
  for (const { workload, successors, before } of failovers.flatMap((entry) => entry.failovers)) {
    // Without an earlier record, existing replicas cannot be distinguished from new ones.
    if (workload === undefined || before === undefined) continue
    for (const { cluster } of successors)
      had.set(`${workload} ${cluster}`, before.find((place) => place.cluster === cluster)?.replicas ?? 0)
  }
  return had
}

export function blocksByCluster(
  workloads: readonly WorkloadView[],
  takenOver: ReadonlyMap<string, number>,
): ReadonlyMap<string, Block[]> {
  const all = new Map<string, Block[]>()
  const inOrder = workloads
    .filter(({ hasReplicas }) => hasReplicas)
    .toSorted((a, b) => compareNaturally(a.ref.name, b.ref.name))
  for (const workload of inOrder) {
    for (const cell of workload.cells) {
      const blocks = all.get(cell.cluster) ?? []
      const counts = blockCounts(workload, cell, takenOver.get(`${workload.id} ${cell.cluster}`))
      const kinds = counts.flatMap(([kind, n]) => Array.from({ length: n }, () => kind))
      kinds.forEach((kind, at) => {
        blocks.push({ id: `${workload.id} ${at}`, workload: workload.id, name: workload.ref.name, kind })
      })
      all.set(cell.cluster, blocks)
    }
  }
  return all
}

/** An unknown replica counts as lost if its cluster is lost; old ones are leaving. */
function blockCounts(workload: WorkloadView, cell: CellView, before: number | undefined): [BlockKind, number][] {
  const { ready, unknown = 0, old = 0, oldUnknown = 0 } = cell
  const kept = before === undefined ? ready : Math.min(ready, before)
  return [
    ['ready', kept],
    ['recovered', ready - kept],
    ['starting', startingIn(workload, cell)],
    ['unknown', unknown],
    ['lost', oldUnknown],
    ['leaving', Math.max(0, old)],
  ]
}
