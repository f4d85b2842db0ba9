/** Builds the status of a WorkloadRebalancer. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'

export type RebalancerSpec = WorkloadRebalancer['spec']
export type RebalancerStatus = NonNullable<WorkloadRebalancer['status']>
export type ObservedWorkload = NonNullable<RebalancerStatus['observedWorkloads']>[number]
/** Reference to a resource template, the target of a rebalance. */
export type WorkloadRef = ObservedWorkload['workload']

/** A rebalancer, or the draft of one. */
export type Subject = Pick<WorkloadRebalancer, 'spec' | 'status'> & { metadata: { generation?: number } }

/**
 * Returns the status from which a reconcile starts: targets of the spec keep their result, new ones get an empty one,
 * and former targets stay only if they were successful. Duplicates in the spec are merged. Sorted by `apiVersion kind
 * namespace name`; the finish time is kept.
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

/** Returns the targets of the spec, and former ones in the status, by their key; duplicates are merged. */
export function targetsOf({ spec, status }: Pick<WorkloadRebalancer, 'spec' | 'status'>): Map<string, WorkloadRef> {
  const former = (status?.observedWorkloads ?? []).map(({ workload }) => workload)
  return new Map([...spec.workloads, ...former].map((workload) => [workloadKey(workload), workload]))
}

/** Returns the identity and sort key of a target. */
export function workloadKey({ apiVersion, kind, namespace = '', name }: WorkloadRef): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`
}

function byKey(a: ObservedWorkload, b: ObservedWorkload): number {
  const [left, right] = [workloadKey(a.workload), workloadKey(b.workload)]
  if (left === right) return 0
  return left < right ? -1 : 1
}
