/** Why a binding waits: a code with its figures, and one sentence that never names another tenant. */
import { because, counted, type Reason } from '../plan'
import { amountText } from './amounts'

export type WaitReason =
  | { code: 'Next'; borrows?: string }
  | { code: 'BehindInLine'; ahead: number }
  | { code: 'StrictHeadBlocked'; head: string; ahead: number }
  | { code: 'YieldsToHead'; head: string }
  | { code: 'YieldsToOtherQueue'; resource: string }
  | { code: 'OverQuota'; resource: string; needs: number; left: number; hard: number; borrowing: Borrowing }
  | { code: 'BeyondQuota'; resource: string; needs: number; most: number }
  | { code: 'LentOut'; resource: string; needs: number; free: number }
  | { code: 'NoCapacity'; resource: string; needs: number; free: number }
  | { code: 'BeyondCapacity'; resource: string; needs: number; most: number }
  | { code: 'MaxInFlight'; most: number; ahead: number }
  | { code: 'Held'; by?: string | undefined; reason: string; until?: string | undefined }
  | { code: 'ResumesInStages'; step: number; ahead: number }
  | ({ code: 'SuspendedByOther' } & Suspended)
  | { code: 'QueueInvalid'; message: string }
  | { code: 'QuotaMissing'; name: string }

/** What borrowing could do about a quota that is used up. */
export type Borrowing =
  | { may: 'nothing' }
  /** The queue's own limit of borrowing leaves this much. */
  | { may: 'limit'; left: number }
  /** Others leave this much unused. */
  | { may: 'others'; left: number }

export type WaitCode = WaitReason['code']

/** The first of the codes that no turn can help; they block nobody in a line that is not strict. */
export const isHopeless = ({ code }: WaitReason): boolean => code === 'BeyondQuota' || code === 'BeyondCapacity'

/** `2026-11-21T09:14:02Z` as `2026-11-21 09:14:02 UTC`. */
export const moment = (time: string): string => time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')

/** The sentence of a reason. */
export function waitMessage(why: WaitReason): Reason {
  return because(why.code, sentenceOf(why))
}

function sentenceOf(why: WaitReason): string {
  switch (why.code) {
    case 'Next':
      return `It is released now${why.borrows ? `, with ${why.borrows} borrowed from what others leave unused` : ''}.`
    case 'BehindInLine':
      return `It waits behind ${counted(why.ahead, 'other')} in line.`
    case 'StrictHeadBlocked':
      return `Nothing passes the head of this line: ${why.head} waits, and ${areAhead(why.ahead)}.`
    case 'YieldsToHead':
      return `It would fit, but ${why.head} came well before it and still waits; what gets free is kept for that one.`
    case 'YieldsToOtherQueue':
      return (
        'It would fit, but an older workload of another queue has a claim to the next '
        + `${why.resource} that gets free.`
      )
    case 'OverQuota':
      return overQuota(why)
    case 'BeyondQuota':
    case 'LentOut':
    case 'NoCapacity':
    case 'BeyondCapacity':
      return roomSentence(why)
    case 'MaxInFlight':
      return `At most ${counted(why.most, 'workload')} may be released and not yet scheduled; ${goFirst(why.ahead)}.`
    default:
      return heldSentence(why)
  }
}

type RoomWhy = Extract<WaitReason, { code: 'BeyondQuota' | 'LentOut' | 'NoCapacity' | 'BeyondCapacity' }>

function roomSentence(why: RoomWhy): string {
  const { resource } = why
  const needs = amountText(resource, why.needs)
  const text = (amount: number): string => amountText(resource, amount)
  switch (why.code) {
    case 'BeyondQuota': return `It needs ${needs}, and the queue can never have more than ${text(why.most)}. `
      + 'Make it smaller or raise the quota.'
    case 'LentOut': return 'Its quota would allow it, but '
      + `${why.free > 0 ? `all except ${text(why.free)}` : `all its ${resource}`} `
      + `is lent to other queues; it needs ${needs} and goes before any new borrower.`
    case 'NoCapacity': return `It needs ${needs}, and the fleet has `
      + `${why.free > 0 ? `only ${text(why.free)}` : 'none'} free.`
    case 'BeyondCapacity': return `It needs ${needs}, and the whole fleet has only ${text(why.most)}. Make it smaller `
      + 'or add clusters.'
  }
}

type HeldWhy =
  Extract<WaitReason, { code: 'Held' | 'ResumesInStages' | 'SuspendedByOther' | 'QueueInvalid' | 'QuotaMissing' }>

function heldSentence(why: HeldWhy): string {
  switch (why.code) {
    case 'Held': return `The queue is paused${by(why.by)} `
      + `${why.until ? `until ${moment(why.until)}` : 'until somebody resumes it'}: ${ended(why.reason)}`
    case 'ResumesInStages': return `The queue is being resumed, ${why.step} at a time; ${goFirst(why.ahead)}.`
    case 'SuspendedByOther': return suspensionMessage(why)
    case 'QueueInvalid': return `Its queue does nothing: ${ended(why.message)}`
    case 'QuotaMissing': return `Its queue takes its quota from the FederatedResourceQuota ${why.name}, which does not `
      + 'exist. '
      + 'Create it or choose another.'
  }
}

/** Who suspends a binding itself, and how it is resumed. */
export function suspensionMessage({ who, at, reason, policy }: Suspended): string {
  if (policy) {
    return `${who} suspends its scheduling. Remove spec.suspension.scheduling from that policy to resume it.`
  }
  const when = at ? ` at ${moment(at)}` : ''
  const why = reason ? ` (${reason})` : ''
  return `It was suspended${by(who)}${when}${why} and waits until it is resumed by hand.`
}

interface Suspended {
  who?: string | undefined
  at?: string | undefined
  reason?: string | undefined
  /** `who` is a policy. */
  policy?: true | undefined
}

const areAhead = (ahead: number): string => `${counted(ahead, 'workload')} ${ahead === 1 ? 'is' : 'are'} ahead`
const goFirst = (ahead: number): string =>
  ahead === 0 ? 'it is the next' : `${counted(ahead, 'other')} ${ahead === 1 ? 'goes' : 'go'} first`
const by = (who: string | undefined): string => (who ? ` by ${who}` : '')
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function overQuota({ resource, needs, left, hard, borrowing }: Extract<WaitReason, { code: 'OverQuota' }>): string {
  const short = amountText(resource, needs - Math.max(0, left))
  const rest = left > 0 ? `only ${amountText(resource, left)} is` : 'nothing is'
  const own = `It is over the quota by ${short}: it needs ${amountText(resource, needs)}, `
    + `and of ${amountText(resource, hard)} ${rest} left`
  if (borrowing.may === 'nothing') return `${own}; the queue borrows nothing.`
  const some = borrowing.left > 0 ? `only ${amountText(resource, borrowing.left)}` : 'nothing'
  return borrowing.may === 'limit'
    ? `${own}; the queue may borrow ${some} more.`
    : `${own}; others leave ${some} to borrow.`
}
