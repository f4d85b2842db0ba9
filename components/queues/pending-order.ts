/** The order of pending workloads: which are ahead of one, and its position in another priority class. */
import type { PendingView } from '@/lib/view/queue-model'
import { nameOf } from '@/lib/view/workload-id'
import { matchesFilter, parseFilter } from '../hooks/filter'
import type { Sorts } from '../hooks/sorting'

/** The pending workloads that the filter keeps, in their order. */
export function selectPending(pendingWorkloads: readonly PendingView[], filter: string): PendingView[] {
  const terms = parseFilter(filter)
  return pendingWorkloads.filter(({ ref, priorityClass, reason, next }) =>
    matchesFilter(terms, {
      name: [nameOf(ref)],
      ns: [ref.namespace ?? ''],
      kind: [ref.kind],
      class: [priorityClass ?? ''],
      reason: [reason],
      next: [next ? 'yes' : 'no'],
    }),
  )
}

/** What the columns sort by; by default the position. */
export const PENDING_SORTS: Sorts<PendingView> = {
  position: ({ position }) => position,
  workload: ({ ref }) => nameOf(ref),
  class: ({ priority }) => priority,
  since: ({ since }) => since,
  // Compares amounts of the same resource; a workload without requests is last.
  demand: ({ demand }) => demand[0]?.amount,
  // RFC 3339 times of one form sort as text; without a time, a workload comes last.
  estimate: ({ estimate }) => estimate?.from,
  reason: ({ reason }) => reason,
}

/** Reports whether a user suspended it: no queue admits it, so it counts as ahead of none. */
export const isSuspended = ({ reason }: Pick<PendingView, 'reason'>): boolean => reason === 'SuspendedByOther'

/** The workloads ahead of one, which it passes when it is admitted now. */
export function workloadsAheadOf(pendingWorkloads: readonly PendingView[], id: string): PendingView[] {
  const own = pendingWorkloads.find((each) => each.id === id)
  return own === undefined
    ? []
    : pendingWorkloads.filter((other) => other.position < own.position && !isSuspended(other))
}

/**
 * The position of a workload with another priority: behind all of a higher one, and among its equals by age. An
 * estimate: a best-effort queue may admit in another order.
 */
export function positionWith(
  pendingWorkloads: readonly PendingView[],
  id: string,
  priority: number,
): number | undefined {
  const own = pendingWorkloads.find((each) => each.id === id)
  if (own === undefined) return undefined
  const isBefore = (other: PendingView): boolean =>
    !isSuspended(other) && (other.priority > priority || (other.priority === priority && other.since < own.since))
  return pendingWorkloads.filter((other) => other.id !== id && isBefore(other)).length + 1
}
