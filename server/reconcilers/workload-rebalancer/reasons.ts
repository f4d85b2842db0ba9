/** Texts of the controller. Reasons in the status come from `lib/domain/rebalance`. */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { english } from '@/lib/messages/english'

/** Returns the error of a reconcile that leaves targets without a result. */
export function needsRetry(targets: number): string {
  // upstream: pkg/controllers/workloadrebalancer
  return `${targets} resource reschedule triggered failed and need retry`
}

/** Returns the event about a target that was triggered while its scheduling is suspended. */
export function heldWhileSuspended({ namespace, name }: { namespace?: string; name: string }) {
  const binding = namespace ? `${namespace}/${name}` : name
  return {
    component: 'workload-rebalancer',
    type: 'Warning' as const,
    reason: 'RescheduleHeld',
    message: english('rebalance.event.RescheduleHeld', { binding }),
  }
}

/** Returns the event about a rebalancer that is not executed, because its results would not fit into it. */
export function tooLarge({ spec }: WorkloadRebalancer) {
  return {
    component: 'workload-rebalancer',
    type: 'Warning' as const,
    reason: 'TooManyWorkloads',
    message: english('rebalance.event.TooManyWorkloads', { n: spec.workloads.length }),
  }
}
