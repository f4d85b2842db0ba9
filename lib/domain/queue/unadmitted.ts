/** Finds bindings that are placed without admission by their queue. */
import { message, type Message } from '@/lib/messages/message'
import type { QueuedBinding, QueueFacts } from './snapshot-model'

/** Maximum number of names in a message, which counts all of them. */
const MAX_NAMED = 5

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

/** Returns how many bindings of a queue run without its admission. */
export const countUnadmitted = ({ bindings }: Pick<QueueFacts, 'bindings'>): number =>
  bindings.filter(isUnadmitted).length

/** Returns the alarm of a queue; undefined while every running workload was admitted. */
export function unadmittedMessage({ bindings }: Pick<QueueFacts, 'bindings'>): Message | undefined {
  const found = bindings
    .filter(isUnadmitted)
    .map(({ key }) => key)
    .toSorted()
  if (found.length === 0) return undefined
  const others = found.length - MAX_NAMED
  const names = [...found.slice(0, MAX_NAMED), ...(others > 0 ? [message('queues.more', { count: others })] : [])]
  return message('queues.condition.AdmissionBypassed', { count: found.length, names })
}
