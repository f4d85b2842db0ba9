/** How true the pause of a queue is: what was asked for, and what is. */
import type { QueueHold } from '@/lib/kube/kinds/queue'
import { findCondition } from '@/lib/kube/conditions'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { because, counted, type Reason } from '../plan'
import type { HoldAssessment, Leak } from './plan-model'
import type { QueuedBinding, QueueFacts } from './snapshot-model'
import { moment } from './wait'

/** The condition of a Queue that remembers when its staged resume began. */
export const RESUMING_CONDITION = 'Resuming'
/** A hold that somebody undid this short ago is not called effective. */
const RECENTLY_MS = 5 * 60_000
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
  undone: { who: string; times: number; recent: boolean; lastAt: EpochMs } | undefined
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
  const findings = findingsOf(queue, hold, now)
  return hold.resume ? resuming(findings, hold.resume) : holding(findings)
}

function findingsOf(queue: QueueFacts, hold: QueueHold, now: EpochMs): Findings {
  const held = queue.bindings.filter(({ state }) => state === 'Waiting' || state === 'HeldPlaced')
  const since = hold.since
  return {
    hold, queue, now, held,
    leaks: since === undefined ? [] : queue.bindings.flatMap((binding) => leakOf(binding, since)),
    loose: hold.resume ? [] : queue.bindings.flatMap((binding) => looseOf(binding, hold)),
    undone: undoneOf(queue, hold, now),
  }
}

/** Placed after the hold began, although suspended. Times have whole seconds: the same second is no leak. */
function leakOf(binding: QueuedBinding, since: string): Leak[] {
  const { state, heldPlaced, lastScheduledTime } = binding
  if (state !== 'HeldPlaced') return []
  const later = lastScheduledTime !== undefined && parseTime(lastScheduledTime) > parseTime(since)
  if (!later && (heldPlaced || lastScheduledTime !== undefined)) return []
  const at = lastScheduledTime
  const message = `It was placed${at ? ` at ${moment(at)}` : ''} although it is held since ${moment(since)}.`
  return [{ binding, ...(at && { at }), message }]
}

/** True for what a person released by name after the hold began. */
function isExempt({ releasedAt, releasedBy = '', releaseRequested }: QueuedBinding, { since }: QueueHold): boolean {
  if (releaseRequested) return true
  if (!releasedAt || releasedBy.startsWith('queue ')) return false
  return since === undefined || parseTime(releasedAt) >= parseTime(since)
}

function looseOf(binding: QueuedBinding, hold: QueueHold): Findings['loose'] {
  if (isExempt(binding, hold)) return []
  const reason = looseReason(binding, hold)
  return reason ? [{ binding, reason }] : []
}

function looseReason(binding: QueuedBinding, { includePlaced }: QueueHold): Reason | undefined {
  const { state, heldPlaced } = binding
  switch (state) {
    case 'InFlight':
    case 'Refused': return because('Held', 'Its queue is paused and it is not placed yet.')
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

/** Released past the hold: found free now, or noted when it was taken back. */
function undoneOf({ bindings }: QueueFacts, hold: QueueHold, now: EpochMs): Findings['undone'] {
  const since = hold.since === undefined ? -Infinity : parseTime(hold.since)
  let [times, lastAt, who] = [0, -Infinity, '']
  let isFree = false
  for (const binding of bindings) {
    const note = binding.undone && parseTime(binding.undone.at) >= since ? binding.undone : undefined
    const free = isReleasedPast(binding, since) && !isExempt(binding, hold)
    times += (note?.times ?? 0) + (free ? 1 : 0)
    isFree ||= free
    if (!free && !note) continue
    const [at, name] = free ? [now, binding.suspensionWriter?.who ?? ''] : [parseTime(note!.at), note!.who]
    if (at > lastAt || (at === lastAt && name !== '' && (who === '' || name < who))) [lastAt, who] = [at, name]
  }
  return times === 0
    ? undefined
    : { who: who || 'somebody', times, lastAt, recent: isFree || now - lastAt < RECENTLY_MS }
}

/**
 * Suspended by the queue before, free without any note of a release, and held as placed or not placed before the hold.
 */
function isReleasedPast(binding: QueuedBinding, since: EpochMs): boolean {
  const { state, notedQueue, releasedAt, lastScheduledTime, heldPlaced } = binding
  if (state === 'TakenOut') return true
  if (state !== 'Admitted' || !notedQueue || releasedAt) return false
  if (heldPlaced) return true
  return lastScheduledTime !== undefined && parseTime(lastScheduledTime) > since
}

function holding(findings: Findings): HoldAssessment {
  const { held, leaks, loose, undone, hold, now } = findings
  const state = undone?.recent ? 'Undone' : leaks.length > 0 ? 'Leaking' : loose.length > 0 ? 'Requested' : 'Effective'
  const looks = [hold.until && parseTime(hold.until), undone?.recent ? undone.lastAt + RECENTLY_MS : undefined]
    .filter((at): at is number => typeof at === 'number' && at > now)
  return {
    state, sentence: sentenceOf(state, findings), affected: held.length, leaks, toSuspend: loose,
    ...(undone && { undone: { who: undone.who, times: undone.times } }),
    ...(looks.length > 0 && { lookAgainAt: Math.min(...looks) }),
  }
}

type Truth = 'Undone' | 'Leaking' | 'Requested' | 'Effective'

function sentenceOf(state: Truth, { held, leaks, loose, undone, hold }: Findings): string {
  const back = are(held.length)
  switch (state) {
    case 'Undone': return `${undone!.who} releases what this pause holds back: ${counted(undone!.times, 'time')} so `
      + 'far. '
      + 'Stop it, or end the pause.'
    case 'Leaking': return `${were(leaks.length)} placed although held back; ${back} suspended.`
    case 'Requested': return `${are(loose.length)} not held back yet; ${back}.`
    default: return `${back} held back${hold.since ? `, and none was placed since ${moment(hold.since)}` : ''}.`
  }
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
    ...(undone && { undone: { who: undone.who, times: undone.times } }),
    resume: { ...(began && { since: began }), step, done, left, budget: out === 0 ? step : 0 },
    ...(left === 0 && {
      ends: because('ResumeFinished', `Everything that waited is out: ${counted(done, 'workload')}.`),
    }),
    ...(hold.until && parseTime(hold.until) > now && { lookAgainAt: parseTime(hold.until) }),
  }
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
