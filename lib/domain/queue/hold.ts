/** How true the pause of a queue is: what was asked for, and what is. */
import type { QueueHold } from '@/lib/kube/kinds/queue'
import { findCondition } from '@/lib/kube/conditions'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { because, counted, type Reason } from '../plan'
import { isExempt, isFreedBefore, leakOf, RECENTLY_MS, UNKNOWN_USER, type Undone, undoneOf } from './hold-bypass'
import type { HoldAssessment, Leak, QueuePlan, Undoing, PendingEntry } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import { moment } from './wait-reason'

/** The condition of a Queue that remembers when its staged resume began. */
export const RESUMING_CONDITION = 'Resuming'
/** So often is one binding taken back from somebody who releases it past a hold; then it is left alone. */
export const MOST_TAKEN_BACK = 5

const NONE: HoldAssessment = { state: 'None', sentence: '', affected: 0, leaks: [], toSuspend: [] }

/** True while nothing of the queue's line may go, but for what a person asks for by name. */
export function holdsBack({ spec: { hold } }: QueueFacts, now: EpochMs): boolean {
  return hold !== undefined && !hold.resume && !isOver(hold, now)
}

const isOver = ({ until }: QueueHold, now: EpochMs): boolean => until !== undefined && parseTime(until) <= now

/** Released, and the scheduler has not said anything yet. */
export function isInFlight({ state, refused }: QueuedBinding): boolean {
  return (state === 'InFlight' || state === 'TakenOut') && !refused
}

/** What a hold found. */
interface Findings {
  hold: QueueHold
  queue: QueueFacts
  now: EpochMs
  held: readonly QueuedBinding[]
  leaks: readonly Leak[]
  loose: readonly { binding: QueuedBinding; reason: Reason }[]
  undone: Undone | undefined
}

/**
 * Judges the hold of a queue. `Undone` outweighs `Leaking`, that outweighs `Requested`. Suspensions by others are no
 * matter for it. A hold whose time is over is none, and ends.
 */
export function assessHold(queue: QueueFacts, now: EpochMs): HoldAssessment {
  const { hold } = queue.spec
  if (!hold) return NONE
  if (isOver(hold, now)) return { ...NONE, ends: because('TimeOver', `Its end was set to ${moment(hold.until!)}.`) }
  if (queue.invalid) {
    return {
      ...NONE, state: 'Requested', sentence: `The pause has no effect, for the queue is invalid. ${queue.invalid.text}`,
    }
  }
  const findings = findingsOf(ofThisHold(queue, hold), hold, now)
  return hold.resume ? resuming(findings, hold.resume) : holding(findings)
}

/** Without the notes of former holds: what was undone then says nothing about this one. */
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
    hold, queue, now, held,
    leaks: since === undefined ? [] : queue.bindings.flatMap((binding) => leakOf(binding, since)),
    loose: hold.resume ? [] : queue.bindings.flatMap((binding) => looseOf(queue, binding, hold)),
    undone: undoneOf(queue, hold, now),
  }
}

function looseOf(queue: QueueFacts, binding: QueuedBinding, hold: QueueHold): Findings['loose'] {
  if (isExempt(binding, hold)) return []
  const isOnItsWay = binding.state === 'TakenOut' && isFreedBefore(queue, binding, hold)
  const reason = isOnItsWay ? onItsWay : looseReason(binding, hold)
  return reason ? [{ binding, reason }] : []
}

const onItsWay = because('Held', 'Its queue is paused and it is not placed yet.')

function looseReason(binding: QueuedBinding, { includePlaced }: QueueHold): Reason | undefined {
  const { state, heldPlaced } = binding
  switch (state) {
    case 'InFlight':
    case 'Refused': return onItsWay
    case 'SlippedThrough': return because('SlippedThrough', 'It came without the webhook while its queue is paused.')
    case 'TakenOut': return undoneReason(binding)
    case 'Admitted':
      if (!includePlaced) return undefined
      return heldPlaced
        ? undoneReason(binding)
        : because('HeldPlaced', 'Its queue is paused together with what is placed.')
    default: return undefined
  }
}

/** Undefined once it was taken back often enough. */
function undoneReason({ undone, suspensionWriter }: QueuedBinding): Reason | undefined {
  if ((undone?.times ?? 0) >= MOST_TAKEN_BACK) return undefined
  return because('Undone', `${suspensionWriter?.who ?? 'Somebody'} released it although its queue is paused.`)
}

function holding(findings: Findings): HoldAssessment {
  const { held, leaks, loose, undone, hold, now } = findings
  const state = undone?.recent ? 'Undone' : leaks.length > 0 ? 'Leaking' : loose.length > 0 ? 'Requested' : 'Effective'
  const looks = [hold.until && parseTime(hold.until), undone?.recent ? undone.lastAt + RECENTLY_MS : undefined]
    .filter((at): at is number => typeof at === 'number' && at > now)
  return {
    state, sentence: sentenceOf(state, findings), affected: held.length, leaks, toSuspend: loose,
    ...(undone && { undone: undone.undoing }),
    ...(looks.length > 0 && { lookAgainAt: Math.min(...looks) }),
  }
}

type Truth = 'Undone' | 'Leaking' | 'Requested' | 'Effective'

function sentenceOf(state: Truth, { held, leaks, loose, undone, hold }: Findings): string {
  const back = are(held.length)
  switch (state) {
    case 'Undone': return undoneSentence(undone!.undoing)
    case 'Leaking': return `${were(leaks.length)} placed although the queue is held; ${back} suspended.`
    case 'Requested': return `${are(loose.length)} not held back yet; ${back}.`
    default: return `${back} held back${hold.since ? `, and none was placed since ${moment(hold.since)}` : ''}.`
  }
}

function undoneSentence({ who, times, released }: Undoing): string {
  const free = released.filter((each) => each.free).length
  const what = `${counted(released.length, 'workload')} past this hold${times > 1 ? `, ${times} times so far` : ''}`
  const one = released.length === 1 ? 'it is' : 'all are'
  return `${who === UNKNOWN_USER ? 'Somebody' : who} released ${what}; `
    + `${free === 0 ? `${one} held back again` : `${are(free)} free now`}.`
}

const are = (count: number): string => `${counted(count, 'workload')} ${count === 1 ? 'is' : 'are'}`
const were = (count: number): string => `${counted(count, 'workload')} ${count === 1 ? 'was' : 'were'}`

function resuming({ queue, held, leaks, undone, hold, now }: Findings, { step }: { step: number }): HoldAssessment {
  const since = findCondition(queue.status?.conditions, RESUMING_CONDITION)
  const began = since?.status === 'True' ? since.lastTransitionTime : undefined
  const start = began === undefined ? now : parseTime(began)
  const left = held.filter(({ sinceMs, state }) => state === 'HeldPlaced' || sinceMs <= start).length
  const heldSince = hold.since === undefined ? start : parseTime(hold.since)
  const done = queue.bindings.filter((binding) => isResumed(binding, heldSince)).length
  const out = queue.bindings.filter(isInFlight).length
  return {
    state: 'Resuming', affected: held.length, leaks, toSuspend: [],
    sentence: resumeSentence({ step, done, left, out }),
    ...(undone && { undone: undone.undoing }),
    resume: { ...(began && { since: began }), step, done, left, budget: out === 0 ? step : 0 },
    ...(left === 0 && {
      ends: because('ResumeFinished', `Everything that waited is out: ${counted(done, 'workload')}.`),
    }),
    ...(hold.until && parseTime(hold.until) > now && { lookAgainAt: parseTime(hold.until) }),
  }
}

/**
 * Whom a staged resume waits for: the first in line, where nothing is under way and nothing goes now. Undefined while
 * it moves.
 */
export function blockedResume({ hold, pendingWorkloads }: Pick<QueuePlan, 'hold' | 'pendingWorkloads'>): PendingEntry | undefined {
  if (!hold.resume?.budget || pendingWorkloads.some(({ next }) => next)) return undefined
  return pendingWorkloads.find(({ why }) => why.code !== 'SuspendedByOther')
}

/** Since the hold began the queue released nothing but by its resume. */
function isResumed({ releasedAt, releasedBy, suspended }: QueuedBinding, since: EpochMs): boolean {
  return !suspended && releasedAt !== undefined && releasedBy?.startsWith('queue ') === true
    && parseTime(releasedAt) >= since
}

function resumeSentence({ step, done, left, out }: { step: number; done: number; left: number; out: number }): string {
  const wait = out > 0
    ? `; the next when ${counted(out, 'workload')} ${out === 1 ? 'has' : 'have'} heard from the scheduler`
    : ''
  return `It is being resumed, ${step} at a time: ${done} out, ${left} to go${wait}.`
}
