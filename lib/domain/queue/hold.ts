/** Assesses a queue's hold: requested, effective, leaking, bypassed or resuming. */
import type { QueueHold } from '@/lib/kube/kinds/queue'
import { findCondition } from '@/lib/kube/conditions'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { message, type Message } from '@/lib/messages/message'
import { isExempt, wasResumedBefore, leakOf, RECENTLY_MS, UNKNOWN_USER, type Undone, undoneOf } from './hold-bypass'
import type { HoldAssessment, Leak, QueuePlan, Undoing, PendingEntry } from './plan-model'
import type { QueuedBinding, QueueFacts, QueueReason } from './snapshot-model'
import { because } from '../plan'
import { moment, orNone } from './wait-reason'

/** The condition of a Queue that records when its staged resume began. */
export const RESUMING_CONDITION = 'Resuming'
/** How often a binding is suspended again after another client resumed it; after that it stays resumed. */
export const MAX_TAKEN_BACK = 5

const NONE: HoldAssessment = { state: 'None', affected: 0, leaks: [], toSuspend: [] }

/** Reports whether a hold prevents the queue from admitting workloads, except those that a user requests by name. */
export function holdsBack({ spec: { hold } }: QueueFacts, now: EpochMs): boolean {
  return hold !== undefined && !hold.resume && !isOver(hold, now)
}

const isOver = ({ until }: QueueHold, now: EpochMs): boolean => until !== undefined && parseTime(until) <= now

/** Reports whether the workload is admitted and not yet processed by the scheduler. */
export function isInFlight({ state, refused }: QueuedBinding): boolean {
  return (state === 'InFlight' || state === 'TakenOut') && !refused
}

/** Observations about a hold. */
interface Findings {
  hold: QueueHold
  queue: QueueFacts
  now: EpochMs
  held: readonly QueuedBinding[]
  leaks: readonly Leak[]
  notSuspended: readonly { binding: QueuedBinding; reason: QueueReason }[]
  undone: Undone | undefined
}

/**
 * Assesses the hold of a queue. `Undone` takes precedence over `Leaking`, and that over `Requested`. Suspensions by
 * other clients are ignored. A hold past its `until` time has ended and is removed.
 */
export function assessHold(queue: QueueFacts, now: EpochMs): HoldAssessment {
  const { hold } = queue.spec
  if (!hold) return NONE
  if (isOver(hold, now))
    return { ...NONE, ends: because(message('queues.step.TimeOver', { until: moment(hold.until!) })) }
  if (queue.invalid) {
    return { ...NONE, state: 'Requested', message: message('queues.hold.invalid', { cause: queue.invalid.text }) }
  }
  const findings = findingsOf(ofThisHold(queue, hold), hold, now)
  return hold.resume ? resuming(findings, hold.resume) : holding(findings)
}

/** Ignores records of earlier holds. */
function ofThisHold(queue: QueueFacts, { since }: QueueHold): QueueFacts {
  if (since === undefined) return queue
  const begun = parseTime(since)
  const isOld = ({ undone }: QueuedBinding): boolean => undone !== undefined && parseTime(undone.at) < begun
  if (!queue.bindings.some(isOld)) return queue
  const bindings = queue.bindings.map((binding) => {
    if (!isOld(binding)) return binding
    const { undone: _, ...rest } = binding
    return rest
  })
  return { ...queue, bindings }
}

function findingsOf(queue: QueueFacts, hold: QueueHold, now: EpochMs): Findings {
  const held = queue.bindings.filter(({ state }) => state === 'Waiting' || state === 'HeldPlaced')
  const since = hold.since
  return {
    hold,
    queue,
    now,
    held,
    leaks: since === undefined ? [] : queue.bindings.flatMap((binding) => leakOf(binding, since)),
    notSuspended: hold.resume ? [] : queue.bindings.flatMap((binding) => notSuspendedOf(queue, binding, hold)),
    undone: undoneOf(queue, hold, now),
  }
}

function notSuspendedOf(queue: QueueFacts, binding: QueuedBinding, hold: QueueHold): Findings['notSuspended'] {
  if (isExempt(binding, hold)) return []
  const isOnItsWay = binding.state === 'TakenOut' && wasResumedBefore(queue, binding, hold)
  const reason = isOnItsWay ? onItsWay : suspendReason(binding, hold)
  return reason ? [{ binding, reason }] : []
}

const onItsWay = because(message('queues.step.Held'))

function suspendReason(binding: QueuedBinding, { includePlaced }: QueueHold): QueueReason | undefined {
  const { state, heldPlaced } = binding
  switch (state) {
    case 'InFlight':
    case 'Refused':
      return onItsWay
    case 'SlippedThrough':
      return because(message('queues.step.SlippedThrough'))
    case 'TakenOut':
      return undoneReason(binding)
    case 'Admitted':
      if (!includePlaced) return undefined
      return heldPlaced ? undoneReason(binding) : because(message('queues.step.HeldPlaced'))
    default:
      return undefined
  }
}

/** Returns undefined once the workload was suspended again often enough. */
function undoneReason({ undone, suspensionWriter }: QueuedBinding): QueueReason | undefined {
  if ((undone?.times ?? 0) >= MAX_TAKEN_BACK) return undefined
  return because(message('queues.step.Undone', { who: orNone(suspensionWriter?.who) }))
}

function holding(findings: Findings): HoldAssessment {
  const { held, leaks, notSuspended, undone, hold, now } = findings
  const state = undone?.recent
    ? 'Undone'
    : leaks.length > 0
      ? 'Leaking'
      : notSuspended.length > 0
        ? 'Requested'
        : 'Effective'
  const looks = [hold.until && parseTime(hold.until), undone?.recent ? undone.lastAt + RECENTLY_MS : undefined].filter(
    (at): at is number => typeof at === 'number' && at > now,
  )
  return {
    state,
    message: holdMessageOf(state, findings),
    affected: held.length,
    leaks,
    toSuspend: notSuspended,
    ...(undone && { undone: undone.undoing }),
    ...(looks.length > 0 && { lookAgainAt: Math.min(...looks) }),
  }
}

function holdMessageOf(
  state: 'Undone' | 'Leaking' | 'Requested' | 'Effective',
  { held, leaks, notSuspended, undone, hold }: Findings,
): Message {
  switch (state) {
    case 'Undone':
      return undoneMessage(undone!.undoing)
    case 'Leaking':
      return message('queues.hold.Leaking', { leaks: leaks.length, held: held.length })
    case 'Requested':
      return message('queues.hold.Requested', { left: notSuspended.length, held: held.length })
    case 'Effective':
      return message('queues.hold.Effective', { held: held.length, since: orNone(hold.since && moment(hold.since)) })
  }
}

function undoneMessage({ who, times, released }: Undoing): Message {
  return message('queues.hold.Undone', {
    who: who === UNKNOWN_USER ? 'none' : who,
    count: released.length,
    times,
    free: released.filter((each) => each.free).length,
  })
}

function resuming({ queue, held, leaks, undone, hold, now }: Findings, { step }: { step: number }): HoldAssessment {
  const since = findCondition(queue.status?.conditions, RESUMING_CONDITION)
  const began = since?.status === 'True' ? since.lastTransitionTime : undefined
  const start = began === undefined ? now : parseTime(began)
  const left = held.filter(({ sinceMs, state }) => state === 'HeldPlaced' || sinceMs <= start).length
  const heldSince = hold.since === undefined ? start : parseTime(hold.since)
  const done = queue.bindings.filter((binding) => isResumed(binding, heldSince)).length
  const out = queue.bindings.filter(isInFlight).length
  return {
    state: 'Resuming',
    affected: held.length,
    leaks,
    toSuspend: [],
    message: message('queues.hold.Resuming', { step, done, left, waits: out }),
    ...(undone && { undone: undone.undoing }),
    resume: { ...(began && { since: began }), step, done, left, budget: out === 0 ? step : 0 },
    ...(left === 0 && { ends: because(message('queues.step.ResumeFinished', { count: done })) }),
    ...(hold.until && parseTime(hold.until) > now && { lookAgainAt: parseTime(hold.until) }),
  }
}

/**
 * Returns the first pending workload if a staged resume makes no progress: none is in flight, and none is admitted now.
 */
export function blockedResume({
  hold,
  pendingWorkloads,
}: Pick<QueuePlan, 'hold' | 'pendingWorkloads'>): PendingEntry | undefined {
  if (!hold.resume?.budget || pendingWorkloads.some(({ next }) => next)) return undefined
  return pendingWorkloads.find(({ why }) => why.code !== 'SuspendedByOther')
}

/** Reports whether the staged resume admitted the workload: after the hold began, the queue admits no others. */
function isResumed({ releasedAt, releasedBy, suspended }: QueuedBinding, since: EpochMs): boolean {
  return (
    !suspended
    && releasedAt !== undefined
    && releasedBy?.startsWith('queue ') === true
    && parseTime(releasedAt) >= since
  )
}
