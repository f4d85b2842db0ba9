/** Words that others read. Reasons of conditions and events come from `lib/domain/placement`. */

/** `source.component` of the events, as upstream's scheduler signs them. */
export const COMPONENT = 'default-scheduler'

/** Cause of a 403 in a namespace that is being deleted: nothing is to be scheduled there any more. */
export const NAMESPACE_TERMINATING = 'NamespaceTerminating'
