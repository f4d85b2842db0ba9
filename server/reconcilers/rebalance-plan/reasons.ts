/** `source.component` of events. Reasons in the status come from `lib/domain/rebalance`. */

/** `source.component` of the events. */
export const COMPONENT = 'rebalance-plan'
