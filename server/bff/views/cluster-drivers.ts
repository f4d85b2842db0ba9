/** The conditions of a cluster that evict or admit workloads. */
import { noExecuteTaints } from '@/lib/domain/eviction'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { parseTime } from '@/lib/std/clock'
import { readinessOf } from '@/lib/view/project/cluster'

export const isLost = (cluster: Cluster): boolean => ['False', 'Unknown'].includes(readinessOf(cluster))

/** Returns every property of a cluster that makes workloads leave it. */
export const driversOf = (cluster: Cluster): unknown => [
  readinessOf(cluster),
  cluster.spec.taints,
  cluster.metadata.deletionTimestamp,
]

/** Returns the reported resources of a cluster. */
export const roomOf = ({ status }: Cluster): unknown => status?.resourceSummary

/** Returns since when a cluster is not ready or evicts workloads (RFC 3339). */
export function troubledSince({ spec, status }: Cluster): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const taint = noExecuteTaints(spec.taints).find(({ timeAdded }) => timeAdded !== undefined)
  return ready && ready.status !== 'True' ? ready.lastTransitionTime : taint?.timeAdded
}

/** Reports whether a cluster got its taint after its last outage, which then has nothing to do with it. */
export function isTroubledAgain(cluster: Cluster, endedAt: string | undefined): boolean {
  const since = troubledSince(cluster)
  return since !== undefined && endedAt !== undefined && parseTime(since) > parseTime(endedAt)
}
