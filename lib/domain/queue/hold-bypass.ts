/** Detects workloads that bypassed the hold of a queue: placed although held, or resumed by another client. */
import type { QueueHold } from '@/lib/kube/kinds/queue'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { NOTHING } from './amounts'
import { message, type Message } from '@/lib/messages/message'
import type { Leak, Undoing } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import { moment, orNone } from './wait-reason'

/** A hold that was bypassed within this time is not effective. */
export const RECENTLY_MS = 5 * 60_000
/** Recorded if the client is unknown: no webhook was called, and managedFields do not keep who removed a field. */
export const UNKNOWN_USER = 'unknown'

/**
 * Returns a leak if the workload was scheduled after the hold began. Times have whole seconds, so the same second is
 * not a leak.
 */
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

/**
 * Reports whether the workload was placed before the controller could queue it. Workloads without requests are never
 * pending.
 */
const neverPending = ({ state, notedQueue, releasedAt, demand }: QueuedBinding): boolean =>
  state === 'Admitted' && !notedQueue && !releasedAt && demand !== NOTHING

/** Reports whether a user requested this workload by name after the hold began. */
export function isExempt(
  { releasedAt, releasedBy = '', releaseRequested }: QueuedBinding,
  { since }: QueueHold,
): boolean {
  if (releaseRequested) return true
  if (!releasedAt || releasedBy.startsWith('queue ')) return false
  return since === undefined || parseTime(releasedAt) >= parseTime(since)
}

/** How a hold was bypassed, and whether recently enough that the hold is not effective. */
export interface Undone {
  undoing: Undoing
  recent: boolean
  lastAt: EpochMs
}

/**
 * Returns the workloads resumed despite the hold: not suspended now, or recorded when suspended again. Undefined if
 * there are none.
 */
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

/** Orders known clients first; deterministic. */
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

/**
 * Reports whether the queue suspended the workload, and another client resumed it after the hold began without
 * recording an admission.
 */
function isReleasedPast(queue: QueueFacts, binding: QueuedBinding, hold: QueueHold): boolean {
  const { state, notedQueue, releasedAt, lastScheduledTime, heldPlaced } = binding
  if (state === 'TakenOut') return !wasResumedBefore(queue, binding, hold)
  if (state !== 'Admitted' || !notedQueue || releasedAt) return false
  if (heldPlaced) return true
  return (
    lastScheduledTime !== undefined && hold.since !== undefined && parseTime(lastScheduledTime) > parseTime(hold.since)
  )
}

/**
 * Reports whether the workload was resumed before the hold began, which is no bypass. If the time is unknown, workloads
 * that are already resumed when the controller first processes the hold count as earlier.
 */
export function wasResumedBefore(
  { status }: QueueFacts,
  { suspensionWriter, undone }: QueuedBinding,
  { since }: QueueHold,
): boolean {
  if (undone) return false
  if (since === undefined) return true
  if (suspensionWriter?.at !== undefined) return parseTime(suspensionWriter.at) < parseTime(since)
  return status?.lastHold?.since !== since
}
