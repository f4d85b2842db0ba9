/**
 * The preview for a user who may not list clusters: it names only clusters in the user's bindings, and omits the
 * capacity of clusters and reasons that mention it. The decision itself uses the whole fleet.
 */
import { message } from '../../messages/message'
import type { ReplicasInCluster } from '../model'
import type { PlanTargetView } from '../rebalance-model'

/** Replaces the names of all clusters that the reader may not view. */
export const OTHER_CLUSTERS = 'other clusters'

/** Returns the name of a cluster that the reader may view, otherwise the replacement. */
export const nameFor =
  (known: ReadonlySet<string>) =>
  (cluster: string): string =>
    known.has(cluster) ? cluster : OTHER_CLUSTERS

/** Returns the row of a workload for a reader who may view these clusters. */
export function narrowTarget(target: PlanTargetView, known: ReadonlySet<string>): PlanTargetView {
  return {
    ...target,
    before: merged(target.before, nameFor(known)),
    after: merged(target.after, nameFor(known)),
    reason: message('rebalance.refused.notVisible'),
    notes: [],
  }
}

function merged(replicas: readonly ReplicasInCluster[], shown: (cluster: string) => string): ReplicasInCluster[] {
  const sums = new Map<string, number>()
  for (const { cluster, replicas: count } of replicas) {
    sums.set(shown(cluster), (sums.get(shown(cluster)) ?? 0) + count)
  }
  return [...sums].map(([cluster, count]) => ({ cluster, replicas: count }))
}
