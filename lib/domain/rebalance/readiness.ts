/** Counts the ready replicas of a workload by cluster, and the minimum that the budget permits. */
import type { AggregatedStatusItem, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { findCondition } from '@/lib/kube/conditions'
import { reportedReplicas } from '../interpreter'
import { expectedClusters } from '../propagation'
import { amountOf } from '../plan'
import type { Binding } from '../placement'

/** Ready replicas by cluster, as reported by members. */
export type ReadyByCluster = ReadonlyMap<string, number>

/**
 * Returns the ready replicas that members report. A cluster that does not answer has none, whatever it reported last; a
 * member that reports health without counts has all its assigned replicas, and one whose report says nothing has none.
 */
export function readyByCluster(binding: Binding, clusters: readonly Cluster[]): ReadyByCluster {
  return reportedReadiness(binding, clusters).ready
}

export interface ReportedReadiness {
  ready: ReadyByCluster
  /**
   * Clusters that should run the workload and answer, but of which no ready replicas are known. Karmada leaves the status
   * out while a Work cannot be applied, also where its replicas go on, and before the status of a new Work is collected.
   */
  unknown: ReadonlySet<string>
}

export function reportedReadiness(binding: Binding, clusters: readonly Cluster[]): ReportedReadiness {
  const lost = lostClusters(clusters)
  const placed = new Map((binding.spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))
  const ready = new Map<string, number>()
  const unknown = new Set([...expectedClusters(binding.spec)].filter((name) => !lost.has(name)))
  for (const item of binding.status?.aggregatedStatus ?? []) {
    const { clusterName: name } = item
    const count = lost.has(name) ? 0 : readyIn(binding, item, placed.get(name) ?? 0)
    ready.set(name, count ?? 0)
    if (count !== undefined) unknown.delete(name)
  }
  return { ready, unknown }
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

/** Returns undefined for invalid numbers, and without counts and health. */
function readyIn({ spec }: Binding, { health, status }: AggregatedStatusItem, placed: number): number | undefined {
  const reported = reportedReplicas(spec.resource, status)
  if (reported.type === 'invalid') return undefined
  if (reported.type === 'counted' && reported.ready !== undefined) return reported.ready
  if (health === 'Healthy') return placed
  return health === 'Unhealthy' ? 0 : undefined
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
