/** What a binding says of its suspended scheduling: who suspended it, since when, and that it goes on. */
import { findCondition, setCondition } from '@/lib/kube/conditions'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { HELD_PLACED_ANNOTATION, SUSPENDED_BY_POLICY_ANNOTATION, SUSPENSION_WRITER_ANNOTATION } from '@/lib/kube/names'
import type { Condition } from '@/lib/kube/object'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import {
  parseSignature,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from '../queue/annotations'
import { suspendingPolicyOf, userOf } from '../queue/suspender'
import { type Binding, isSchedulingSuspended } from './binding'

/** Type of the condition. A binding that never was suspended does not have it. */
export const SUSPENSION_CONDITION = 'SchedulingSuspended'

/**
 * `SuspendedByQueue`: pending in a queue. `HeldByQueue`: placed, and a hold includes it. `SuspendedByPolicy`: its policy
 * says so. `Suspended`: by a user or another controller.
 */
export type SuspensionReason = 'SuspendedByPolicy' | 'SuspendedByQueue' | 'HeldByQueue' | 'Suspended' | 'Resumed'

/**
 * The conditions as they should be; undefined when they are. Who comes from the annotations of policies, queues and
 * admission, else from the managed fields: whose entry owns the field, and when it was written last. Once said, a time
 * stays.
 */
export function suspensionConditions(binding: Binding, now: EpochMs): BindingStatus['conditions'] {
  const conditions = (binding.status?.conditions ?? []) as Condition[]
  const said = findCondition(conditions, SUSPENSION_CONDITION)
  if (!isSchedulingSuspended(binding.spec) && said?.status !== 'True') return undefined
  const next = setCondition(
    conditions,
    { type: SUSPENSION_CONDITION, ...statement(binding, said, now) },
    formatTime(now),
  )
  return next === conditions ? undefined : next
}

function statement(
  binding: Binding,
  said: Condition | undefined,
  now: EpochMs,
): Omit<Condition, 'type' | 'lastTransitionTime'> {
  if (!isSchedulingSuspended(binding.spec)) {
    return { status: 'False', reason: 'Resumed', message: `Scheduling was resumed at ${formatTime(now)}.` }
  }
  const { reason, who, since: noted, why } = suspenderIn(binding)
  const opening = `Scheduling is suspended${who ? ` by ${who}` : ''} since `
  const before = said?.status === 'True' ? said : undefined
  if (before?.reason === reason && before.message.startsWith(opening))
    return { status: 'True', reason, message: before.message }
  const since = noted ?? before?.lastTransitionTime ?? userOf(binding)?.at ?? formatTime(now)
  return { status: 'True', reason, message: `${opening}${since}${why}` }
}

interface Suspender {
  reason: SuspensionReason
  /** Undefined when neither notes nor managed fields name anyone. */
  who: string | undefined
  /** As far as a note says it. */
  since?: string | undefined
  /** How the sentence ends. */
  why: string
}

function suspenderIn(binding: Binding): Suspender {
  const {
    [HELD_PLACED_ANNOTATION]: held,
    [QUEUE_ANNOTATION]: queue,
    [SUSPENDED_BY_ANNOTATION]: person,
    [SUSPENDED_REASON_ANNOTATION]: why,
  } = binding.metadata.annotations ?? {}
  const signature = parseSignature(person)
  const policy = suspendingPolicyOf(binding)
  if (policy) {
    const who = signature ? `${policy} and ${signature.who}` : policy
    return {
      reason: 'SuspendedByPolicy',
      who,
      why: '; remove spec.suspension.scheduling from that policy to resume it.',
    }
  }
  if (signature) return { reason: 'Suspended', who: signature.who, since: signature.at, why: why ? `: ${why}` : '.' }
  if (held)
    return { reason: 'HeldByQueue', who: `the hold of queue ${held}`, why: '; its scaling and failover wait, too.' }
  if (queue) return { reason: 'SuspendedByQueue', who: `queue ${queue}`, why: ', which releases it in its turn.' }
  return { reason: 'Suspended', who: userOf(binding)?.who, why: '.' }
}

const NOTES = [
  HELD_PLACED_ANNOTATION,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
  SUSPENDED_BY_POLICY_ANNOTATION,
  SUSPENSION_WRITER_ANNOTATION,
]

/** True when the notes of who suspended a binding, and why, differ. */
export function isSuspendedOtherwise({ metadata: before }: Binding, { metadata: after }: Binding): boolean {
  return NOTES.some((name) => before.annotations?.[name] !== after.annotations?.[name])
}
