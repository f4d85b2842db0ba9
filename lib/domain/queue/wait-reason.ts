/** Explains why a binding is pending: a code with its figures, and the message for it. */
import { message, type Message, type Value } from '@/lib/messages/message'
import { amountMessage, amountMessages, resourceName, usageMessage } from './amount-message'
import type { Amounts } from './amounts'

export type WaitReason =
  | { code: 'Next'; borrows: Amounts }
  | { code: 'Queued'; ahead: number }
  | { code: 'BlockedByHead'; head: string | Message; ahead: number }
  | { code: 'YieldsToHead'; head: string | Message }
  | { code: 'YieldsToOtherQueue'; resource: string }
  | { code: 'OverQuota'; resource: string; needs: number; left: number; hard: number; borrowing: Borrowing }
  | { code: 'BeyondQuota'; resource: string; needs: number; most: number }
  | { code: 'QuotaLentOut'; resource: string; needs: number; free: number }
  | { code: 'NoCapacity'; resource: string; needs: number; free: number }
  | { code: 'BeyondCapacity'; resource: string; needs: number; most: number }
  | { code: 'MaxInFlight'; most: number; ahead: number }
  | { code: 'Held'; by?: string | undefined; reason: string; until?: string | undefined }
  | { code: 'Resuming'; step: number; ahead: number }
  | ({ code: 'SuspendedByOther' } & Suspension)
  | { code: 'QueueInvalid'; cause: Message | string }
  | { code: 'QuotaNotFound'; name: string }

/** How far borrowing could help when the quota is used up. */
export type Borrowing =
  | { may: 'nothing' }
  /** The queue's own borrowing limit leaves this much. */
  | { may: 'limit'; left: number }
  /** Other queues leave this much unused. */
  | { may: 'others'; left: number }

export type WaitCode = WaitReason['code']

/** The suspender of a binding, with time and reason. */
interface Suspension {
  who?: string | undefined
  at?: string | undefined
  reason?: string | undefined
  /** `who` is a policy. */
  policy?: true | undefined
}

/** Reports whether a request can never be admitted. Such a binding blocks others only in a StrictFIFO queue. */
export const isBeyondLimits = ({ code }: WaitReason): boolean => code === 'BeyondQuota' || code === 'BeyondCapacity'

/** Formats `2026-11-21T09:14:02Z` as `2026-11-21 09:14:02 UTC`, the same in the console and in kubectl. */
export const moment = (time: string): string => time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')

/** Returns `none` for an empty value, by which a text omits a part of its sentence. */
export const orNone = (value: string | undefined): string => value || 'none'

/** Returns the message of a reason. It may name a workload, but never another tenant. */
export function waitMessage(reason: WaitReason): Message {
  switch (reason.code) {
    case 'Next': {
      const amounts = amountMessages(reason.borrows)
      return amounts.length > 0 ? message('queues.reason.NextBorrowing', { amounts }) : message('queues.reason.Next')
    }
    case 'YieldsToOtherQueue':
      return message('queues.reason.YieldsToOtherQueue', { resource: resourceName(reason.resource) })
    case 'OverQuota':
      return overQuota(reason)
    case 'BeyondQuota':
    case 'QuotaLentOut':
    case 'NoCapacity':
    case 'BeyondCapacity':
      return amountsOf(reason)
    case 'Held': {
      const { by, until, reason: why } = reason
      return message('queues.reason.Held', { by: orNone(by), until: orNone(until && moment(until)), reason: why })
    }
    case 'SuspendedByOther':
      return suspensionMessage(reason)
    default:
      return plain(reason)
  }
}

/** Returns who suspends a binding, and how to resume it. */
export function suspensionMessage({ who, at, reason, policy }: Suspension): Message {
  return policy
    ? message('suspension.byPolicy', { policy: who ?? '' })
    : message('suspension.byUser', { who: orNone(who), at: orNone(at && moment(at)), reason: orNone(reason) })
}

type Plain = 'Queued' | 'BlockedByHead' | 'YieldsToHead' | 'MaxInFlight' | 'Resuming' | 'QueueInvalid' | 'QuotaNotFound'

/** Returns the message of a reason whose fields are the arguments of its text. */
function plain({ code, ...args }: Extract<WaitReason, { code: Plain }>): Message {
  return { code: `queues.reason.${code}`, args: args as Record<string, Value> }
}

type AmountReason = Extract<WaitReason, { code: 'BeyondQuota' | 'QuotaLentOut' | 'NoCapacity' | 'BeyondCapacity' }>

function amountsOf({ code, resource, ...amounts }: AmountReason): Message {
  const args = Object.entries(amounts).map(([name, amount]) => [name, amountMessage(resource, amount)] as const)
  return { code: `queues.reason.${code}`, args: Object.fromEntries(args) }
}

function overQuota({ resource, needs, left, hard, borrowing }: Extract<WaitReason, { code: 'OverQuota' }>): Message {
  const args = {
    over: amountMessage(resource, needs - Math.max(0, left)),
    needs: amountMessage(resource, needs),
    usage: usageMessage(resource, hard - left, hard),
  }
  if (borrowing.may === 'nothing') return message('queues.reason.OverQuota', args)
  const code = borrowing.may === 'limit' ? 'queues.reason.OverBorrowingLimit' : 'queues.reason.NothingToBorrow'
  return message(code, { ...args, available: amountMessage(resource, Math.max(0, borrowing.left)) })
}
