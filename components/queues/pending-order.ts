/** The line of a queue: who is overtaken, and where a workload would stand in another class. */
import type { PendingView } from '@/lib/view/queue-model'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import type { Sorts } from '../hooks/sorting'

/** The waiting workloads that the filter keeps, in their order. */
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

/** What the columns sort by. Without one, workloads stand in the order of their positions. */
export const PENDING_SORTS: Sorts<PendingView> = {
  position: ({ position }) => position,
  workload: ({ ref }) => nameOf(ref),
  class: ({ priority }) => priority,
  since: ({ since }) => since,
  // Amounts of the same resource compare; a workload that asks for nothing comes last.
  demand: ({ demand }) => demand[0]?.amount,
  reason: ({ sentence }) => sentence,
}

/** Stands at the end of the line because a person suspended it: no queue releases it, so nobody overtakes it. */
export const isSuspended = ({ reason }: Pick<PendingView, 'reason'>): boolean => reason === 'SuspendedByOther'

/** Those that stand before a workload, first in line first: who is overtaken when it is released now. */
export function overtakenBy(pendingWorkloads: readonly PendingView[], id: string): PendingView[] {
  const own = pendingWorkloads.find((each) => each.id === id)
  return own === undefined ? [] : pendingWorkloads.filter((other) => other.position < own.position && !isSuspended(other))
}

/**
 * Where a workload would stand with another priority: behind all of a higher one, and among its equals by how long it has
 * waited. The decision itself may place it differently (a queue that lets pass what fits), so this is said as an estimate.
 */
export function positionWith(pendingWorkloads: readonly PendingView[], id: string, priority: number): number | undefined {
  const own = pendingWorkloads.find((each) => each.id === id)
  if (own === undefined) return undefined
  const isBefore = (other: PendingView): boolean =>
    !isSuspended(other) && (other.priority > priority || (other.priority === priority && other.since < own.since))
  return pendingWorkloads.filter((other) => other.id !== id && isBefore(other)).length + 1
}
