/** Decides what changed a placement; used by the journal, the timelines and the failover views. */
export { type CauseCode, type CauseFacts, type PlacementCause } from './cause'
export { type CauseVerdict, decideCause, type Pending, pendingOf } from './placement-cause'
export { askedForBy, BY_HAND, causesOfTask } from './task-cause'
