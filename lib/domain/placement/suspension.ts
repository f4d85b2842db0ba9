/** What a binding says of its suspended scheduling: who suspended it, since when, and that it goes on. */
import { findCondition, setCondition } from '@/lib/kube/conditions'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { HELD_PLACED_ANNOTATION } from '@/lib/kube/names'
import type { Condition } from '@/lib/kube/object'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import {
  parseSignature,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from '../queue/annotations'
import { type Binding, isSchedulingSuspended } from './binding'

/** Type of the condition. A binding that never was suspended does not have it. */
export const SUSPENSION_CONDITION = 'SchedulingSuspended'

/** `SuspendedByQueue`: waits in a line. `HeldByQueue`: placed, and a hold includes it. `Suspended`: by somebody else. */
export type SuspensionReason = 'SuspendedByQueue' | 'HeldByQueue' | 'Suspended' | 'Resumed'

/**
 * The conditions as they should be; undefined when they are. Who comes from the annotations of queues, else from the
 * managed fields: whose entry owns the field, and when it was written last. Once said, a time stays.
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
  const { reason, who, since: noted, why } = suspenderOf(binding)
  const opening = `Scheduling is suspended by ${who} since `
  const before = said?.status === 'True' ? said : undefined
  if (before?.reason === reason && before.message.startsWith(opening))
    return { status: 'True', reason, message: before.message }
  const since = noted ?? before?.lastTransitionTime ?? ownerOf(binding)?.time ?? formatTime(now)
  return { status: 'True', reason, message: `${opening}${since}${why}` }
}

interface Suspender {
  reason: SuspensionReason
  who: string
  /** As far as a note says it. */
  since?: string | undefined
  /** How the sentence ends. */
  why: string
}

function suspenderOf(binding: Binding): Suspender {
  const {
    [HELD_PLACED_ANNOTATION]: held,
    [QUEUE_ANNOTATION]: queue,
    [SUSPENDED_BY_ANNOTATION]: person,
    [SUSPENDED_REASON_ANNOTATION]: why,
  } = binding.metadata.annotations ?? {}
  const signature = parseSignature(person)
  if (signature) return { reason: 'Suspended', who: signature.who, since: signature.at, why: why ? `: ${why}` : '.' }
  if (held)
    return { reason: 'HeldByQueue', who: `the hold of queue ${held}`, why: '; its scaling and failover wait, too.' }
  if (queue) return { reason: 'SuspendedByQueue', who: `queue ${queue}`, why: ', which releases it in its turn.' }
  return { reason: 'Suspended', who: ownerOf(binding)?.manager ?? 'somebody unknown', why: '.' }
}

interface FieldOwner {
  manager?: string
  time?: string
}

const NOTES = [HELD_PLACED_ANNOTATION, QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION, SUSPENDED_REASON_ANNOTATION]

/** True when the notes of who suspended a binding, and why, differ. */
export function isSuspendedOtherwise({ metadata: before }: Binding, { metadata: after }: Binding): boolean {
  return NOTES.some((name) => before.annotations?.[name] !== after.annotations?.[name])
}

/** The entry of the managed fields that owns `spec.suspension.scheduling`; of several the youngest. */
function ownerOf({ metadata }: Binding): FieldOwner | undefined {
  const entries = (metadata.managedFields ?? []) as (FieldOwner & { fieldsV1?: Record<string, unknown> })[]
  const owners = entries.filter(({ fieldsV1 }) => owns(fieldsV1, ['f:spec', 'f:suspension', 'f:scheduling']))
  return owners.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))[0]
}

function owns(fields: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true
  if (typeof fields !== 'object' || fields === null || !(first in fields)) return false
  return owns((fields as Record<string, unknown>)[first], rest)
}
