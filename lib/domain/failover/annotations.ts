/** The words of ours on objects, for control planes whose definitions lack a field. */

/**
 * On a policy or a binding: what `spec.failover.application` cannot say there, as JSON of the same form. Fields of the
 * spec win; the binding's own annotation wins over its policy's.
 */
export const APPLICATION_RULE_ANNOTATION = 'failover.evenkeel.io/application'

/** On a binding: what is known of its health by cluster, so that no clock starts anew with a process. */
export const RECORD_ANNOTATION = 'failover.evenkeel.io/record'

/** On a binding: `spec.activeEvictionHistory`, where the control plane does not keep that field. */
export const HISTORY_ANNOTATION = 'failover.evenkeel.io/active-eviction-history'
