/** The annotations that queues, the webhook and users write on bindings, and on the Queue itself. */

/** When a queue or a person released it, RFC 3339. Goes when it is suspended again. */
export const RELEASED_AT_ANNOTATION = 'queue.evenkeel.io/released-at'
/** Who released it: `queue namespace/name`, or a user. */
export const RELEASED_BY_ANNOTATION = 'queue.evenkeel.io/released-by'
/** The priority class of a pending binding, set by users: one of the queue's, or a PriorityClass of the cluster. */
export const PRIORITY_CLASS_ANNOTATION = 'queue.evenkeel.io/priority-class'
/** The queue whose hold with `includePlaced` suspends a binding that is placed; without it admission refuses that. */
export { HELD_PLACED_ANNOTATION, QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION } from '@/lib/kube/names'
/** `<user> <RFC 3339>`: a user asks to admit this one next. */
export const RELEASE_REQUESTED_ANNOTATION = 'queue.evenkeel.io/release-requested'
/** Why, beside `suspended-by`. */
export const SUSPENDED_REASON_ANNOTATION = 'queue.evenkeel.io/suspended-reason'
/** When the controller found a new binding that had bypassed admission, RFC 3339. */
export const SLIPPED_ANNOTATION = 'queue.evenkeel.io/slipped-through'
/** `<times> <RFC 3339> <field manager>`: how often, when last and by whom a held binding was released past the hold. */
export const UNDONE_ANNOTATION = 'queue.evenkeel.io/undone'
/** `<user> <RFC 3339>`: who made it free without a note of a release, as admission saw it. */
export const FREED_BY_ANNOTATION = 'queue.evenkeel.io/freed-by'
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
/** On a Queue, `ignore`: release without regard to what the fleet has free, for members that grow on demand. */
export const CAPACITY_ANNOTATION = 'queue.evenkeel.io/capacity'
export const CAPACITY_IGNORE = 'ignore'
/** Keeps a deleted Queue until its waiting bindings are released or handed over. */
export const QUEUE_FINALIZER = 'queue.evenkeel.io/line'
/** Who the loop is among the managers of fields. */
export const QUEUE_FIELD_MANAGER = 'evenkeel-queue'

/** A user or client, and when it acted. */
export interface Signature {
  who: string
  /** RFC 3339. */
  at?: string
}

/** `<who> <RFC 3339>`; the time may be missing, for people write these by hand, too. */
export function parseSignature(text: string | undefined): Signature | undefined {
  const trimmed = text?.trim()
  if (!trimmed) return undefined
  const cut = trimmed.lastIndexOf(' ')
  const at = trimmed.slice(cut + 1)
  return cut > 0 && !Number.isNaN(Date.parse(at)) ? { who: trimmed.slice(0, cut).trim(), at } : { who: trimmed }
}

/** The inverse of `parseSignature`. */
export function formatSignature({ who, at }: Required<Signature>): string {
  return `${who} ${at}`
}

/** How often, when last and by whom a hold was undone on one binding. */
export interface Undone {
  times: number
  at: string
  who: string
}

/** Undefined when the hold was not undone, or the annotation cannot be read. */
export function parseUndone(text: string | undefined): Undone | undefined {
  const match = /^(\d+) (\S+) (.+)$/.exec(text?.trim() ?? '')
  if (!match || Number.isNaN(Date.parse(match[2]!))) return undefined
  return { times: Number(match[1]), at: match[2]!, who: match[3]! }
}

/** The inverse of `parseUndone`. */
export function formatUndone({ times, at, who }: Undone): string {
  return `${times} ${at} ${who}`
}
