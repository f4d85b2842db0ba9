/**
 * What a preview says to a reader who may not list clusters: the clusters that the reader's own bindings name already, and
 * nothing of the names of others, of their room and of the reasons that tell of it. It is decided with all of the fleet.
 */
import type { ReplicasInCluster } from '../model'
import type { PlanTargetView } from '../rebalance-model'

/** Stands for all clusters that the reader does not know of. */
export const OTHER_CLUSTERS = 'other clusters'

const NO_REASON = 'You need permission to list clusters to read why.'

/** A name that the reader may know, or what stands for the others. */
export const nameFor = (known: ReadonlySet<string>) => (cluster: string): string =>
  (known.has(cluster) ? cluster : OTHER_CLUSTERS)

/** The row of a workload, for a reader who knows these clusters. */
export function narrowTarget(target: PlanTargetView, known: ReadonlySet<string>): PlanTargetView {
  return {
    ...target, before: merged(target.before, nameFor(known)), after: merged(target.after, nameFor(known)),
    reason: NO_REASON,
  }
}

function merged(replicas: readonly ReplicasInCluster[], shown: (cluster: string) => string): ReplicasInCluster[] {
  const sums = new Map<string, number>()
  for (const { cluster, replicas: count } of replicas) {
    sums.set(shown(cluster), (sums.get(shown(cluster)) ?? 0) + count)
  }
  return [...sums].map(([cluster, count]) => ({ cluster, replicas: count }))
}
