/** How many replicas of a workload serve, where, and how few the budget permits. */
import type { AggregatedStatusItem, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { findCondition } from '@/lib/kube/conditions'
import { reportedReplicas } from '../interpreter'
import { amountOf } from '../plan'
import type { Binding } from '../placement'

/** Ready replicas by cluster, as members report them. */
export type ReadyByCluster = ReadonlyMap<string, number>

/**
 * What members report to be ready. A cluster that does not answer has no ready replica, whatever it reported last; a member
 * that reports health without counts has what was placed there.
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

/** Names of the clusters that do not answer; a cluster that never said anything is given the benefit of the doubt. */
export function lostClusters(clusters: readonly Cluster[]): ReadonlySet<string> {
  const known = knownLost.get(clusters)
  if (known) return known
  const lost = new Set(clusters.filter(isLost).map(({ metadata }) => metadata.name))
  knownLost.set(clusters, lost)
  return lost
}

/** By list of clusters, which must not be changed afterwards: plans ask for every workload of them. */
const knownLost = new WeakMap<readonly Cluster[], ReadonlySet<string>>()

function isLost({ status }: Cluster): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready !== undefined && ready.status !== 'True'
}

/** Numbers that cannot be true count for nothing. */
function readyIn({ spec }: Binding, { health, status }: AggregatedStatusItem, placed: number): number {
  const reported = reportedReplicas(spec.resource, status)
  if (reported.type === 'invalid') return 0
  if (reported.type === 'counted' && reported.ready !== undefined) return reported.ready
  return health === 'Healthy' ? placed : 0
}

/** All that serve. */
export function totalReady(ready: ReadyByCluster): number {
  let total = 0
  for (const count of ready.values()) total += count
  return total
}

/** Replicas of a distribution in all. */
export function totalReplicas(clusters: readonly TargetCluster[] | undefined): number {
  return (clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}

/** Ready copies that are left when every cluster is cut down to `after` before any new copy is ready. */
export function readyAtWorst(ready: ReadyByCluster, after: readonly TargetCluster[]): number {
  const kept = new Map(after.map(({ name, replicas = 0 }) => [name, replicas]))
  return [...ready].reduce((sum, [name, count]) => sum + Math.min(count, kept.get(name) ?? 0), 0)
}

/**
 * The least that must stay ready: the share of the replicas wanted, but never more than are ready at the start, for a
 * rebalance is not to blame for what was missing before it. Of text that is no amount, everything.
 */
export function readyFloor(
  minReady: number | string,
  { replicas, ready }: { replicas: number; ready: number },
): number {
  return Math.min(amountOf(minReady, replicas) ?? replicas, ready)
}
