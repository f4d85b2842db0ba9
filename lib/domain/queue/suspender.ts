/** Determines who suspends the scheduling of a binding, from its annotations and managed fields. */
import { SUSPENDED_BY_POLICY_ANNOTATION, SUSPENSION_WRITER_ANNOTATION } from '@/lib/kube/names'
import type { ObjectMeta } from '@/lib/kube/object'
import {
  parseSignature,
  QUEUE_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  type Signature,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from './annotations'

/** The user, controller or policy that suspends a binding. `who` is empty if unknown. */
export interface Suspender extends Signature {
  reason?: string
  /** `who` is a policy, which must resume the scheduling. */
  policy?: true
}

interface Noted {
  metadata: Pick<ObjectMeta, 'annotations' | 'managedFields'>
}

/** Prefix of the field managers of this product. */
const OWN_MANAGERS = 'evenkeel'

/** Returns the policy that suspends scheduling as `<kind> [<namespace>/]<name>`; undefined if none does. */
export function suspendingPolicyOf({ metadata: { annotations = {} } }: Noted): string | undefined {
  return annotations[SUSPENDED_BY_POLICY_ANNOTATION] || undefined
}

/**
 * Returns the suspender of a binding that no queue suspends: its policy, otherwise the user in an annotation, otherwise
 * the user recorded by admission, otherwise the field manager.
 */
export function suspenderOf(binding: Noted): Suspender {
  const policy = suspendingPolicyOf(binding)
  if (policy) return { who: policy, policy: true }
  const { annotations = {} } = binding.metadata
  const reason = annotations[SUSPENDED_REASON_ANNOTATION]
  return { ...(userOf(binding) ?? { who: '' }), ...(reason && { reason }) }
}

/** Returns the user or field manager that set the field, regardless of a policy. */
export function userOf({ metadata: { annotations = {}, managedFields } }: Noted): Signature | undefined {
  return (
    parseSignature(annotations[SUSPENDED_BY_ANNOTATION])
    ?? parseSignature(annotations[SUSPENSION_WRITER_ANNOTATION])
    ?? writerOfSuspension(managedFields)
  )
}

/**
 * Returns the annotations of the queue or user by which a binding stays suspended after its policy resumes it, or after
 * it is deleted and created again. Undefined if only its policy suspends it.
 */
export function ownSuspensionNotes(binding: Noted): Record<string, string> | undefined {
  const { annotations = {} } = binding.metadata
  const user = parseSignature(annotations[SUSPENDED_BY_ANNOTATION])
  const queue = annotations[RELEASED_AT_ANNOTATION] ? undefined : annotations[QUEUE_ANNOTATION]
  const writer = user || queue ? undefined : writerNoteOf(binding)
  const notes = {
    ...(queue && { [QUEUE_ANNOTATION]: queue }),
    ...(user && pick(annotations, [SUSPENDED_BY_ANNOTATION, SUSPENDED_REASON_ANNOTATION])),
    ...(writer && { [SUSPENSION_WRITER_ANNOTATION]: writer }),
  }
  return Object.keys(notes).length > 0 ? notes : undefined
}

/**
 * The product's controllers own the field if they wrote a policy's suspension, which is not the binding's own
 * suspension.
 */
function writerNoteOf({ metadata: { annotations = {}, managedFields } }: Noted): string | undefined {
  const noted = annotations[SUSPENSION_WRITER_ANNOTATION]
  if (noted) return noted
  const { who, at } = writerOfSuspension(managedFields) ?? {}
  return who === undefined || who.startsWith(OWN_MANAGERS) ? undefined : `${who}${at ? ` ${at}` : ''}`
}

function pick(record: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])))
}

interface ManagedEntry {
  manager?: unknown
  time?: unknown
  fieldsV1?: { 'f:spec'?: { 'f:suspension'?: unknown } }
}

/** Returns the last writer of `spec.suspension` according to managedFields. */
export function writerOfSuspension(managedFields: readonly unknown[] = []): Signature | undefined {
  const owners = managedFields
    .filter(ownsSuspension)
    .map(({ manager, time }): Signature => ({ who: manager, ...(typeof time === 'string' && { at: time }) }))
  return owners.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))[0]
}

/** Reports whether an entry of managedFields names a writer of `spec.suspension`. */
export function ownsSuspension(entry: unknown): entry is ManagedEntry & { manager: string } {
  const { manager, fieldsV1 } = (entry ?? {}) as ManagedEntry
  return typeof manager === 'string' && ownsScheduling(fieldsV1?.['f:spec']?.['f:suspension'])
}

function ownsScheduling(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false
  return 'f:scheduling' in fields || Object.keys(fields).length === 0
}
