/** Texts of the controller. Reasons in the status come from `lib/domain/rebalance`. */
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
