/** What a WorkloadRebalancer reports about its targets. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'

export type RebalancerSpec = WorkloadRebalancer['spec']
export type RebalancerStatus = NonNullable<WorkloadRebalancer['status']>
export type ObservedWorkload = NonNullable<RebalancerStatus['observedWorkloads']>[number]
/** Names a resource template: the target of a rebalance. */
export type WorkloadRef = ObservedWorkload['workload']

type Subject = Pick<WorkloadRebalancer, 'spec' | 'status'> & { metadata: { generation?: number } }

/**
 * The status that a pass starts from: targets of the spec keep their result, new ones get an empty one, and former
 * targets stay only when they were successful. Duplicates in the spec collapse. Sorted by
 * `apiVersion kind namespace name`; the finish time is carried over.
 */
export function syncStatus(rebalancer: Subject): RebalancerStatus {
  const missing = new Map(rebalancer.spec.workloads.map((workload) => [workloadKey(workload), workload]))
  const kept = (rebalancer.status?.observedWorkloads ?? []).filter(
    (observed) => missing.delete(workloadKey(observed.workload)) || observed.result === 'Successful',
  )
  const observedWorkloads = [...kept, ...[...missing.values()].map((workload) => ({ workload }))].sort(byKey)
  return {
    observedWorkloads,
    ...(rebalancer.metadata.generation !== undefined && { observedGeneration: rebalancer.metadata.generation }),
    ...(rebalancer.status?.finishTime !== undefined && { finishTime: rebalancer.status.finishTime }),
  }
}

/** Identity and sort key of a target. */
export function workloadKey({ apiVersion, kind, namespace = '', name }: WorkloadRef): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`
}

function byKey(a: ObservedWorkload, b: ObservedWorkload): number {
  const [left, right] = [workloadKey(a.workload), workloadKey(b.workload)]
  if (left === right) return 0
  return left < right ? -1 : 1
}
