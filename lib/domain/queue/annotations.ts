/** Annotations that queues, the webhook and users write on bindings and Queues. */

/** When a queue or a user admitted the binding, RFC 3339. Removed when it is suspended again. */
export const RELEASED_AT_ANNOTATION = 'queue.evenkeel.io/released-at'
/** Who admitted it: `queue namespace/name`, or a user. */
export const RELEASED_BY_ANNOTATION = 'queue.evenkeel.io/released-by'
/** The priority class of a pending binding, set by users: one of the queue's, or a PriorityClass of the cluster. */
export const PRIORITY_CLASS_ANNOTATION = 'queue.evenkeel.io/priority-class'
/**
 * The queue whose hold with `includePlaced` suspends a placed binding; without this annotation admission rejects that.
 */
export { HELD_PLACED_ANNOTATION, QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION } from '@/lib/kube/names'
/** `<user> <RFC 3339>`: a user requests that this binding is admitted next. */
export const RELEASE_REQUESTED_ANNOTATION = 'queue.evenkeel.io/release-requested'
/** Reason for the suspension, in addition to `suspended-by`. */
export const SUSPENDED_REASON_ANNOTATION = 'queue.evenkeel.io/suspended-reason'
/** When the controller found a new binding that had bypassed admission, RFC 3339. */
export const BYPASSED_ANNOTATION = 'queue.evenkeel.io/slipped-through'
/**
 * `<times> <RFC 3339> <field manager>`: how often, when last and by whom a held binding was resumed despite the hold.
 */
export const UNDONE_ANNOTATION = 'queue.evenkeel.io/undone'
/** `<user> <RFC 3339>`: who resumed the binding without recording an admission, as observed by the webhook. */
export const RESUMED_BY_ANNOTATION = 'queue.evenkeel.io/freed-by'
/** Annotations that decide or record the order of admission: writing them requires permission to update the queue. */
export const ORDER_ANNOTATIONS: readonly string[] = [
  RELEASE_REQUESTED_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  UNDONE_ANNOTATION,
]
/** On a Queue: `<who> <RFC 3339>`, who ended its hold. */
export const HOLD_ENDED_ANNOTATION = 'queue.evenkeel.io/hold-ended-by'
/** On a Queue, `ignore`: admit regardless of free capacity, for members that add nodes on demand. */
export const CAPACITY_ANNOTATION = 'queue.evenkeel.io/capacity'
export const CAPACITY_IGNORE = 'ignore'
/** Keeps a deleted Queue until its pending bindings are admitted or moved to another queue. */
export const QUEUE_FINALIZER = 'queue.evenkeel.io/line'
/** Field manager of the queue controller. */
export const QUEUE_FIELD_MANAGER = 'evenkeel-queue'

/** A user or client, and when it acted. */
export interface Signature {
  who: string
  /** RFC 3339. */
  at?: string
}

/** Parses `<who> <RFC 3339>`. The time may be missing, because users also write these annotations by hand. */
export function parseSignature(text: string | undefined): Signature | undefined {
  const trimmed = text?.trim()
  if (!trimmed) return undefined
  const cut = trimmed.lastIndexOf(' ')
  const at = trimmed.slice(cut + 1)
  return cut > 0 && !Number.isNaN(Date.parse(at)) ? { who: trimmed.slice(0, cut).trim(), at } : { who: trimmed }
}

/** Formats a signature for `parseSignature`. */
export function formatSignature({ who, at }: Required<Signature>): string {
  return `${who} ${at}`
}

/** How often, when last and by whom a held binding was resumed despite the hold. */
export interface Undone {
  times: number
  at: string
  who: string
}

/** Returns undefined if the hold was not bypassed, or if the annotation is invalid. */
export function parseUndone(text: string | undefined): Undone | undefined {
  const match = /^(\d+) (\S+) (.+)$/.exec(text?.trim() ?? '')
  if (!match || Number.isNaN(Date.parse(match[2]!))) return undefined
  return { times: Number(match[1]), at: match[2]!, who: match[3]! }
}

/** Formats a value for `parseUndone`. */
export function formatUndone({ times, at, who }: Undone): string {
  return `${times} ${at} ${who}`
}
