/** What runs, held against what its queue believes: bindings that are placed although nothing admitted them. */
import { counted } from '../plan'
import type { QueuedBinding, QueueFacts } from './snapshot-model'

/** Names in a message; the sentence counts them all. */
const MOST_NAMED = 5

/**
 * True for a binding that its queue holds to be pending and that has clusters, which no scheduler gave it: its clusters
 * were written past admission. A hold of placed workloads leaves a note, and a released one has its time.
 */
export const isUnadmitted = (
  { state, notedQueue, heldPlaced, releasedAt, lastScheduledTime }: QueuedBinding,
): boolean =>
  state === 'HeldPlaced' && notedQueue !== undefined && !heldPlaced && releasedAt === undefined
  && lastScheduledTime === undefined

/** How many bindings of a queue run without its admission. */
export const countUnadmitted = ({ bindings }: Pick<QueueFacts, 'bindings'>): number => bindings.filter(isUnadmitted).length

/** The alarm of a queue in words; undefined while what runs is what it admitted. */
export function unadmittedMessage({ bindings }: Pick<QueueFacts, 'bindings'>): string | undefined {
  const found = bindings.filter(isUnadmitted).map(({ key }) => key).toSorted()
  if (found.length === 0) return undefined
  const names = found.slice(0, MOST_NAMED).join(', ') + (found.length > MOST_NAMED ? ', …' : '')
  return `${counted(found.length, 'pending workload')} placed without admission: ${names}. `
    + 'Remove spec.clusters of the binding, or release the workload.'
}
