/**
 * `source.component` of events and causes of errors. Reasons of conditions and events come from `lib/domain/placement`.
 */

/** `source.component` of the events, as upstream's scheduler. */
export const COMPONENT = 'default-scheduler'

/** Cause of a 403 in a namespace that is being deleted, where nothing is scheduled any more. */
export const NAMESPACE_TERMINATING = 'NamespaceTerminating'
