/** Who suspends the scheduling of a binding, as far as its notes and its managed fields tell. */
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

/** The user, controller or policy that suspends a binding. `who` is empty when nothing names one. */
export interface Suspender extends Signature {
  reason?: string
  /** `who` is a policy, and the suspension is lifted there. */
  policy?: true
}

interface Noted {
  metadata: Pick<ObjectMeta, 'annotations' | 'managedFields'>
}

/** What our own loops and console call themselves begins with this. */
const OWN_MANAGERS = 'evenkeel'

/** The policy that suspends scheduling, `<kind> [<namespace>/]<name>`; undefined when none does. */
export function suspendingPolicyOf({ metadata: { annotations = {} } }: Noted): string | undefined {
  return annotations[SUSPENDED_BY_POLICY_ANNOTATION] || undefined
}

/**
 * Who suspended a binding that no queue suspends: its policy; else the user of a note; else the user that admission
 * saw; else the manager of the field.
 */
export function suspenderOf(binding: Noted): Suspender {
  const policy = suspendingPolicyOf(binding)
  if (policy) return { who: policy, policy: true }
  const { annotations = {} } = binding.metadata
  const reason = annotations[SUSPENDED_REASON_ANNOTATION]
  return { ...(userOf(binding) ?? { who: '' }), ...(reason && { reason }) }
}

/** The user or manager that set the field, whatever a policy says. */
export function userOf({ metadata: { annotations = {}, managedFields } }: Noted): Signature | undefined {
  return (
    parseSignature(annotations[SUSPENDED_BY_ANNOTATION])
    ?? parseSignature(annotations[SUSPENSION_WRITER_ANNOTATION])
    ?? writerOfSuspension(managedFields)
  )
}

/**
 * The notes by which a suspended binding stays suspended when its policy does not suspend it any more, or when it is
 * deleted and made again: those of its queue, or of its user. Undefined when only its policy suspends it.
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

/** Our own loops own the field where they wrote a policy's suspension; that is no suspension of the binding's own. */
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

/** Who wrote `spec.suspension` last, as far as managedFields tell. */
export function writerOfSuspension(managedFields: readonly unknown[] = []): Signature | undefined {
  const owners = (managedFields as readonly ManagedEntry[])
    .filter(
      (entry) => typeof entry?.manager === 'string' && ownsScheduling(entry.fieldsV1?.['f:spec']?.['f:suspension']),
    )
    .map(({ manager, time }): Signature => ({ who: manager as string, ...(typeof time === 'string' && { at: time }) }))
  return owners.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))[0]
}

function ownsScheduling(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false
  return 'f:scheduling' in fields || Object.keys(fields).length === 0
}
