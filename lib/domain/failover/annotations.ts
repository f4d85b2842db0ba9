/** Annotations of Evenkeel for control planes whose CustomResourceDefinitions lack a field. */

/**
 * On a policy or a binding: parts of `spec.failover.application` that the API lacks, as JSON of the same form. Fields
 * of the spec take precedence, then the binding's annotation, then its policy's.
 */
export const APPLICATION_RULE_ANNOTATION = 'failover.evenkeel.io/application'

/** On a binding: its observed health by cluster, so that toleration periods survive a restart of the process. */
export const RECORD_ANNOTATION = 'failover.evenkeel.io/record'

/** On a binding: `spec.activeEvictionHistory`, if the control plane does not store that field. */
export const HISTORY_ANNOTATION = 'failover.evenkeel.io/active-eviction-history'
