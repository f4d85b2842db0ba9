/** What of a cluster drives workloads out, or lets them in. */
import { noExecuteTaints } from '@/lib/domain/eviction'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { readinessOf } from '@/lib/view/project/cluster'

export const isLost = (cluster: Cluster): boolean => ['False', 'Unknown'].includes(readinessOf(cluster))

/** Everything of a cluster that workloads leave it for. */
export const driversOf = (cluster: Cluster): unknown => [
  readinessOf(cluster),
  cluster.spec.taints,
  cluster.metadata.deletionTimestamp,
]

/** What a cluster reports to have left. */
export const roomOf = ({ status }: Cluster): unknown => status?.resourceSummary

/** Since when a cluster is not ready or drives workloads out, RFC 3339. */
export function troubledSince({ spec, status }: Cluster): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const taint = noExecuteTaints(spec.taints).find(({ timeAdded }) => timeAdded !== undefined)
  return ready && ready.status !== 'True' ? ready.lastTransitionTime : taint?.timeAdded
}
