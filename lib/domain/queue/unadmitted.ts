/** Bindings that are placed although no queue admitted them. */
import { message, type Message } from '@/lib/messages/message'
import type { QueuedBinding, QueueFacts } from './snapshot-model'

/** Names in a message, which counts them all. */
const MOST_NAMED = 5

/**
 * True for a binding that its queue holds to be pending and that has clusters, which no scheduler gave it: its clusters
 * were written past admission. A hold of placed workloads leaves a note, and a released one has its time.
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

/** How many bindings of a queue run without its admission. */
export const countUnadmitted = ({ bindings }: Pick<QueueFacts, 'bindings'>): number =>
  bindings.filter(isUnadmitted).length

/** The alarm of a queue; undefined while everything that runs was admitted. */
export function unadmittedMessage({ bindings }: Pick<QueueFacts, 'bindings'>): Message | undefined {
  const found = bindings
    .filter(isUnadmitted)
    .map(({ key }) => key)
    .toSorted()
  if (found.length === 0) return undefined
  const others = found.length - MOST_NAMED
  const names = [...found.slice(0, MOST_NAMED), ...(others > 0 ? [message('queues.more', { count: others })] : [])]
  return message('queues.condition.AdmissionBypassed', { count: found.length, names })
}
