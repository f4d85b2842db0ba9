/** What bypassed the hold of a queue: placed although held, or released by another client. */
import type { QueueHold } from '@/lib/kube/kinds/queue'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { NOTHING } from './amounts'
import { message, type Message } from '@/lib/messages/message'
import type { Leak, Undoing } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import { moment, orNone } from './wait-reason'

/** A hold that was undone this recently is not effective. */
export const RECENTLY_MS = 5 * 60_000
/** Noted where the client is unknown: no webhook was asked, and managedFields forget who removed a field. */
export const UNKNOWN_USER = 'unknown'

/** Scheduled after the hold began although held. Times have whole seconds: the same second is no leak. */
export function leakOf(binding: QueuedBinding, since: string): Leak[] {
  const message = leakMessage(binding, since)
  const at = binding.lastScheduledTime
  return message === undefined ? [] : [{ binding, ...(at && { at }), message }]
}

function leakMessage(binding: QueuedBinding, since: string): Message | undefined {
  const { state, heldPlaced, lastScheduledTime, since: came } = binding
  const at = orNone(lastScheduledTime && moment(lastScheduledTime))
  if (neverPending(binding) && parseTime(came) > parseTime(since)) {
    return message('queues.leak.neverPending', { created: moment(came), at })
  }
  if (state !== 'HeldPlaced') return undefined
  const later = lastScheduledTime !== undefined && parseTime(lastScheduledTime) > parseTime(since)
  if (!later && (heldPlaced || lastScheduledTime !== undefined)) return undefined
  return message('queues.leak.whileHeld', { at, since: moment(since) })
}

/** Placed before the controller could queue it. What requests nothing is never pending. */
const neverPending = ({ state, notedQueue, releasedAt, demand }: QueuedBinding): boolean =>
  state === 'Admitted' && !notedQueue && !releasedAt && demand !== NOTHING

/** Reports whether a user asked for this workload by name after the hold began. */
export function isExempt(
  { releasedAt, releasedBy = '', releaseRequested }: QueuedBinding,
  { since }: QueueHold,
): boolean {
  if (releaseRequested) return true
  if (!releasedAt || releasedBy.startsWith('queue ')) return false
  return since === undefined || parseTime(releasedAt) >= parseTime(since)
}

/** How a hold was undone, and whether that is so recent that the hold is not effective. */
export interface Undone {
  undoing: Undoing
  recent: boolean
  lastAt: EpochMs
}

/** Resumed despite the hold: not suspended now, or noted when it was suspended again. Undefined when none was. */
export function undoneOf(queue: QueueFacts, hold: QueueHold, now: EpochMs): Undone | undefined {
  const released = queue.bindings.flatMap((binding) => releasedPast(queue, binding, { hold, now }))
  if (released.length === 0) return undefined
  const [last] = released.toSorted((a, b) => b.lastAt - a.lastAt || nameOrder(a.who, b.who))
  const times = released.reduce((sum, each) => sum + each.times, 0)
  const { lastAt, who } = last!
  return {
    undoing: { who, times, released },
    lastAt,
    recent: released.some(({ free }) => free) || now - lastAt < RECENTLY_MS,
  }
}

/** Known clients first; the same in every pass. */
const nameOrder = (a: string, b: string): number =>
  Number(a === UNKNOWN_USER) - Number(b === UNKNOWN_USER) || (a < b ? -1 : a > b ? 1 : 0)

function releasedPast(
  queue: QueueFacts,
  binding: QueuedBinding,
  { hold, now }: { hold: QueueHold; now: EpochMs },
): (Undoing['released'][number] & { lastAt: EpochMs })[] {
  const { undone: note, suspensionWriter } = binding
  const free = isReleasedPast(queue, binding, hold) && !isExempt(binding, hold)
  if (!free && !note) return []
  const [lastAt, who] = free ? [now, suspensionWriter?.who || UNKNOWN_USER] : [parseTime(note!.at), note!.who]
  return [{ binding, who, times: (note?.times ?? 0) + (free ? 1 : 0), free, lastAt }]
}

/** Suspended by the queue before, free without any note of a release, and that since the hold began. */
function isReleasedPast(queue: QueueFacts, binding: QueuedBinding, hold: QueueHold): boolean {
  const { state, notedQueue, releasedAt, lastScheduledTime, heldPlaced } = binding
  if (state === 'TakenOut') return !isFreedBefore(queue, binding, hold)
  if (state !== 'Admitted' || !notedQueue || releasedAt) return false
  if (heldPlaced) return true
  return (
    lastScheduledTime !== undefined && hold.since !== undefined && parseTime(lastScheduledTime) > parseTime(hold.since)
  )
}

/**
 * True for what was free already when the hold began, which did not undo the hold. Where nothing tells since when
 * it is free, what the loop finds at its first look at a hold was so before.
 */
export function isFreedBefore(
  { status }: QueueFacts,
  { suspensionWriter, undone }: QueuedBinding,
  { since }: QueueHold,
): boolean {
  if (undone) return false
  if (since === undefined) return true
  if (suspensionWriter?.at !== undefined) return parseTime(suspensionWriter.at) < parseTime(since)
  return status?.lastHold?.since !== since
}
