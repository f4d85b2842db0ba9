/** Counts the ready replicas of a workload by cluster, and the minimum that the budget permits. */
import type { AggregatedStatusItem, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { findCondition } from '@/lib/kube/conditions'
import { reportedReplicas } from '../interpreter'
import { amountOf } from '../plan'
import type { Binding } from '../placement'

/** Ready replicas by cluster, as reported by members. */
export type ReadyByCluster = ReadonlyMap<string, number>

/**
 * Returns the ready replicas that members report. A cluster that does not answer has none, whatever it reported last; a
 * member that reports health without counts has all its assigned replicas.
 */
export function readyByCluster(binding: Binding, clusters: readonly Cluster[]): ReadyByCluster {
  const lost = lostClusters(clusters)
  const placed = new Map((binding.spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))
  return new Map(
    (binding.status?.aggregatedStatus ?? []).map((item) => [
      item.clusterName,
      lost.has(item.clusterName) ? 0 : readyIn(binding, item, placed.get(item.clusterName) ?? 0),
    ]),
  )
}

/** Returns the names of the clusters that do not answer. A cluster that never reported does not count as lost. */
export function lostClusters(clusters: readonly Cluster[]): ReadonlySet<string> {
  const known = knownLost.get(clusters)
  if (known) return known
  const lost = new Set(clusters.filter(isLost).map(({ metadata }) => metadata.name))
  knownLost.set(clusters, lost)
  return lost
}

/** Cached by list of clusters, which must not change afterwards, because plans read it for every workload. */
const knownLost = new WeakMap<readonly Cluster[], ReadonlySet<string>>()

function isLost({ status }: Cluster): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready !== undefined && ready.status !== 'True'
}

/** Returns 0 for invalid numbers. */
function readyIn({ spec }: Binding, { health, status }: AggregatedStatusItem, placed: number): number {
  const reported = reportedReplicas(spec.resource, status)
  if (reported.type === 'invalid') return 0
  if (reported.type === 'counted' && reported.ready !== undefined) return reported.ready
  return health === 'Healthy' ? placed : 0
}

/** Returns the sum of ready replicas. */
export function totalReady(ready: ReadyByCluster): number {
  let total = 0
  for (const count of ready.values()) total += count
  return total
}

/** Returns the total replicas of a distribution. */
export function totalReplicas(clusters: readonly TargetCluster[] | undefined): number {
  return (clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}

/** Returns the ready replicas left if every cluster is scaled down to `after` before any new replica is ready. */
export function readyAtWorst(ready: ReadyByCluster, after: readonly TargetCluster[]): number {
  const kept = new Map(after.map(({ name, replicas = 0 }) => [name, replicas]))
  return [...ready].reduce((sum, [name, count]) => sum + Math.min(count, kept.get(name) ?? 0), 0)
}

/**
 * Returns the minimum that must stay ready: the share of the desired replicas, but never more than are ready at the
 * start, because the rebalance did not cause earlier shortages. An invalid text means all replicas.
 */
export function readyFloor(
  minReady: number | string,
  { replicas, ready }: { replicas: number; ready: number },
): number {
  return Math.min(amountOf(minReady, replicas) ?? replicas, ready)
}
