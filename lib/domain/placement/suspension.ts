/** The condition of a binding about suspended scheduling: by which user, queue or policy, and since when. */
import { findCondition, setCondition } from '@/lib/kube/conditions'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { HELD_PLACED_ANNOTATION, SUSPENDED_BY_POLICY_ANNOTATION, SUSPENSION_WRITER_ANNOTATION } from '@/lib/kube/names'
import type { Condition } from '@/lib/kube/object'
import { type Message, message } from '@/lib/messages/message'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import type { InEnglish } from '../plan'
import {
  parseSignature,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from '../queue/annotations'
import { suspendingPolicyOf, userOf } from '../queue/suspender'
import { type Binding, isSchedulingSuspended } from './binding'

/** Type of the condition. A binding that was never suspended does not have it. */
export const SUSPENSION_CONDITION = 'SchedulingSuspended'

/**
 * `SuspendedByQueue`: pending in a queue. `HeldByQueue`: placed, and a hold includes it. `SuspendedByPolicy`: its
 * policy suspends it. `Suspended`: a user or another controller suspends it.
 */
export type SuspensionReason = 'SuspendedByPolicy' | 'SuspendedByQueue' | 'HeldByQueue' | 'Suspended' | 'Resumed'

/**
 * Returns the conditions with the current state of the suspension; undefined if they are up to date. The suspender is
 * read from the annotations of policies, queues and admission, otherwise from the managed fields. The start time stays
 * while the suspender stays.
 */
export function suspensionConditions(binding: Binding, now: EpochMs, english: InEnglish): BindingStatus['conditions'] {
  const conditions = (binding.status?.conditions ?? []) as Condition[]
  const before = findCondition(conditions, SUSPENSION_CONDITION)
  if (!isSchedulingSuspended(binding.spec) && before?.status !== 'True') return undefined
  const { text, ...state } = suspensionState(binding, { before, now, english })
  const next = setCondition(
    conditions,
    { type: SUSPENSION_CONDITION, ...state, message: english(text) },
    formatTime(now),
  )
  return next === conditions ? undefined : next
}

interface Noted {
  /** The existing condition. */
  before: Condition | undefined
  now: EpochMs
  english: InEnglish
}

function suspensionState(
  binding: Binding,
  { before, now, english }: Noted,
): { status: Condition['status']; reason: SuspensionReason; text: Message } {
  if (!isSchedulingSuspended(binding.spec)) {
    return {
      status: 'False',
      reason: 'Resumed',
      text: message('suspension.condition.Resumed', { at: formatTime(now) }),
    }
  }
  const { reason, textSince, since } = suspenderIn(binding)
  const suspended = before?.status === 'True' ? before : undefined
  const known = suspended?.reason === reason ? TIME.exec(suspended.message)?.[0] : undefined
  const isKnown = known !== undefined && suspended?.message === english(textSince(known))
  const start = since ?? suspended?.lastTransitionTime ?? userOf(binding)?.at ?? formatTime(now)
  return { status: 'True', reason, text: textSince(isKnown ? known : start) }
}

/** Matches an RFC 3339 time in the message of the condition. */
const TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/

interface Suspender {
  reason: SuspensionReason
  /** Known from an annotation only. */
  since?: string | undefined
  textSince: (since: string) => Message
}

function suspenderIn(binding: Binding): Suspender {
  const {
    [HELD_PLACED_ANNOTATION]: held,
    [QUEUE_ANNOTATION]: queue,
    [SUSPENDED_BY_ANNOTATION]: user,
    [SUSPENDED_REASON_ANNOTATION]: why = 'none',
  } = binding.metadata.annotations ?? {}
  const signature = parseSignature(user)
  const policy = suspendingPolicyOf(binding)
  if (policy) {
    const by = signature ? [policy, signature.who] : policy
    return {
      reason: 'SuspendedByPolicy',
      textSince: (since) => message('suspension.condition.SuspendedByPolicy', { by, since }),
    }
  }
  if (signature) {
    const { who, at } = signature
    return {
      reason: 'Suspended',
      since: at,
      textSince: (since) => message('suspension.condition.Suspended', { by: who, since, why }),
    }
  }
  if (held) {
    return {
      reason: 'HeldByQueue',
      textSince: (since) => message('suspension.condition.HeldByQueue', { queue: held, since }),
    }
  }
  if (queue) {
    return {
      reason: 'SuspendedByQueue',
      textSince: (since) => message('suspension.condition.SuspendedByQueue', { queue, since }),
    }
  }
  const by = userOf(binding)?.who ?? 'none'
  return {
    reason: 'Suspended',
    textSince: (since) => message('suspension.condition.Suspended', { by, since, why: 'none' }),
  }
}

const NOTES = [
  HELD_PLACED_ANNOTATION,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
  SUSPENDED_BY_POLICY_ANNOTATION,
  SUSPENSION_WRITER_ANNOTATION,
]

/** Reports whether the annotations about the suspender or the reason differ. */
export function isSuspendedOtherwise({ metadata: before }: Binding, { metadata: after }: Binding): boolean {
  return NOTES.some((name) => before.annotations?.[name] !== after.annotations?.[name])
}
