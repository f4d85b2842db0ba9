/** Words that others read. Reasons in the status come from `lib/domain/rebalance`. */

/** The error of a pass that leaves targets without a result. */
export function needsRetry(targets: number): string {
  return `${targets} resource reschedule triggered failed and need retry`
}
