/** Words that others read. Reasons in the status come from `lib/domain/rebalance`. */

/** The error of a pass that leaves targets without a result. */
export function needsRetry(targets: number): string {
  return `${targets} resource reschedule triggered failed and need retry`
}

/** The event about a target that was triggered while its scheduling is paused. */
export function heldWhilePaused({ namespace, name }: { namespace?: string; name: string }) {
  const binding = namespace ? `${namespace}/${name}` : name
  return {
    component: 'workload-rebalancer', type: 'Warning' as const, reason: 'RescheduleHeld',
    message: `Scheduling of ${binding} is paused; it is rescheduled when that ends.`,
  }
}
