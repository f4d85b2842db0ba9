/** What changed a placement: one decision for the journal, the timelines and the failover views. */
export { type CauseCode, type CauseFacts, type PlacementCause } from './cause'
export { type CauseVerdict, decideCause, type Pending, pendingOf } from './placement-cause'
export { askedForBy, BY_HAND, causesOfTask } from './task-cause'
