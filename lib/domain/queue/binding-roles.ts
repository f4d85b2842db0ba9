/** Sorts the bindings of a queue by what a plan does with them, once for each list of bindings. */
import { isInFlight } from './hold'
import type { BindingState, QueuedBinding } from './snapshot-model'

/** The bindings of one queue by role. A binding can have several roles, or none. */
export interface BindingRoles {
  /** Suspended by the queue and never placed, in the order of admission. */
  waiting: readonly QueuedBinding[]
  /** Pending until a user or another controller resumes them, in the same order. */
  suspendedByOther: readonly QueuedBinding[]
  /** Placed and suspended by a hold, or resumed despite it, in the same order. */
  heldPlaced: readonly QueuedBinding[]
  /** Admitted, and not yet processed by the scheduler. */
  inFlight: readonly QueuedBinding[]
  /** Counted against the quota. */
  counted: readonly QueuedBinding[]
  /** Bypassed the webhook, and must be queued. */
  bypassed: readonly QueuedBinding[]
  /** Suspended by a queue although they are never scheduled. */
  dependents: readonly QueuedBinding[]
  /** Placed without admission. */
  unadmitted: readonly QueuedBinding[]
  /** RFC 3339: when the first pending binding was queued. */
  oldestSince?: string
}

/** Orders by priority, then by the time of queueing, then by name; deterministic. */
export function byQueueOrder(a: QueuedBinding, b: QueuedBinding): number {
  if (a.priority !== b.priority) return b.priority - a.priority
  if (a.sinceMs !== b.sinceMs) return a.sinceMs - b.sinceMs
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/**
 * States that use quota: placed, or able to be placed at any time. Workloads that bypassed admission are queued again.
 */
const COUNTED: ReadonlySet<BindingState> = new Set([
  'Admitted',
  'HeldPlaced',
  'PlacedSuspended',
  'InFlight',
  'TakenOut',
  'Refused',
])

export function takesQuota({ state, placed }: QueuedBinding): boolean {
  return COUNTED.has(state) || (state === 'Deleting' && placed)
}

/**
 * Reports whether a pending binding has clusters that no scheduler assigned, so they were written without admission.
 * Placed bindings under a hold have an annotation, and admitted ones have a time.
 */
export const isUnadmitted = ({
  state,
  notedQueue,
  heldPlaced,
  releasedAt,
  lastScheduledTime,
}: QueuedBinding): boolean =>
  state === 'HeldPlaced'
  && notedQueue !== undefined
  && !heldPlaced
  && releasedAt === undefined
  && lastScheduledTime === undefined

/** Includes bindings that another client resumed despite a hold, because their annotation must be removed. */
const isHeldAsPlaced = ({ state, heldPlaced }: QueuedBinding): boolean =>
  state === 'HeldPlaced' || (state === 'Admitted' && heldPlaced)

const known = new WeakMap<readonly QueuedBinding[], BindingRoles>()

/**
 * Returns the roles in a list that is never changed. A snapshot keeps the list of a queue while its bindings stay the
 * same, so that a change in one of many queues is not paid for in all of them.
 */
export function rolesOf(bindings: readonly QueuedBinding[]): BindingRoles {
  const found = known.get(bindings)
  if (found) return found
  const roles = read(bindings)
  known.set(bindings, roles)
  return roles
}

function read(bindings: readonly QueuedBinding[]): BindingRoles {
  const ordered = (is: (binding: QueuedBinding) => boolean): QueuedBinding[] => bindings.filter(is).sort(byQueueOrder)
  const waiting = ordered(({ state }) => state === 'Waiting')
  const suspendedByOther = ordered(({ state }) => state === 'SuspendedByOther')
  const pending = [...waiting, ...suspendedByOther]
  const oldestSince = pending.reduce<string | undefined>(
    (least, { since }) => (least === undefined || since < least ? since : least),
    undefined,
  )
  return {
    waiting,
    suspendedByOther,
    heldPlaced: ordered(isHeldAsPlaced),
    inFlight: bindings.filter(isInFlight),
    counted: bindings.filter(takesQuota),
    bypassed: bindings.filter(({ state }) => state === 'SlippedThrough'),
    dependents: bindings.filter(({ state, suspended, notedQueue }) => state === 'Dependent' && suspended && notedQueue),
    unadmitted: bindings.filter(isUnadmitted),
    ...(oldestSince !== undefined && { oldestSince }),
  }
}
