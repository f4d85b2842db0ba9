/** When scheduling of a binding may be suspended. Required by Karmada's proposal, not implemented in its code. */
import { ownField } from '@/lib/std/fields'
import { isConditionTrue } from '../conditions'
import { textOfFindings, unsupportedField } from '../field-error'
import type { BindingSpec, BindingStatus } from '../kinds/binding'
import {
  CLUSTER_POLICY_ID_LABEL,
  HELD_PLACED_ANNOTATION,
  POLICY_ID_LABEL,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_BY_POLICY_ANNOTATION,
  SUSPENSION_WRITER_ANNOTATION,
} from '../names'
import type { UnknownObject } from '../object'
import type { WriteContext } from '../rules'
import { denied } from './webhook'

/** Name of the webhook in the refusal, in the embedded server and beside a real one. */
export const SUSPENSION_WEBHOOK = 'suspension.evenkeel.io'

interface Suspendable {
  metadata: { annotations?: Record<string, string>; labels?: Record<string, string> }
  spec: Pick<BindingSpec, 'suspension' | 'clusters'>
  status?: Pick<BindingStatus, 'conditions'>
}

/**
 * Why a change of a binding's `spec.suspension.scheduling` is refused: it suspends a scheduled binding, or resumes one
 * whose policy suspends it. Undefined if it is allowed.
 */
export function suspensionRefusal(object: Suspendable, old: Suspendable): string | undefined {
  return lateSuspensionRefusal(object, old) ?? policySuspensionRefusal(object, old)
}

/**
 * Why a suspension is refused: the binding has been scheduled, so its scaling and failover would stop. The annotation
 * of a hold declares that this is intended. Undefined if it is allowed.
 */
function lateSuspensionRefusal(object: Suspendable, old: Suspendable): string | undefined {
  if (!isSuspended(object) || isSuspended(old) || !hasBeenScheduled(old)) return undefined
  if (object.metadata.annotations?.[HELD_PLACED_ANNOTATION] !== undefined) return undefined
  return (
    'spec.suspension.scheduling: this binding has been scheduled already, and suspending it now would stop its '
    + 'scaling and failover. Suspend a binding when it is created, hold its queue (spec.hold.includePlaced also holds what '
    + 'is placed), or set spec.suspension.dispatching in its policy to stop what is sent to clusters'
  )
}

/** The policy is where its suspension is lifted: the detector would suspend the binding again, unless it is too late. */
function policySuspensionRefusal(object: Suspendable, old: Suspendable): string | undefined {
  const policy = object.metadata.annotations?.[SUSPENDED_BY_POLICY_ANNOTATION]
  const { labels = {} } = object.metadata
  const claimed = labels[POLICY_ID_LABEL] !== undefined || labels[CLUSTER_POLICY_ID_LABEL] !== undefined
  if (!policy || !claimed || !isSuspended(old) || isSuspended(object)) return undefined
  return (
    `spec.suspension.scheduling: ${policy} suspends the scheduling of this binding. Remove `
    + 'spec.suspension.scheduling from that policy to resume it'
  )
}

function isSuspended({ spec }: Suspendable): boolean {
  return spec?.suspension?.scheduling === true
}

/** True for bindings with clusters, and for those that the scheduler reported as scheduled before. */
export function hasBeenScheduled({ spec, status }: Pick<Suspendable, 'spec' | 'status'>): boolean {
  return (spec?.clusters?.length ?? 0) > 0 || isConditionTrue(status?.conditions, 'Scheduled')
}

/** Throws (403) when a binding may not be suspended, or may not be resumed. */
export function refuseSuspensionChange(object: UnknownObject, old: UnknownObject | undefined): void {
  const refusal = old && suspensionRefusal(object as unknown as Suspendable, old as unknown as Suspendable)
  if (refusal) throw denied(SUSPENSION_WEBHOOK, refusal)
}

/**
 * Throws (403) for a `false` where the proposal accepts only `true`: `dispatching` of policies and bindings, `scheduling`
 * of policies. On a binding `scheduling: false` resumes it. A false that is there already stays.
 */
export function refuseFalseSuspension(webhook: string, object: UnknownObject, old: UnknownObject | undefined): void {
  const fields = webhook === SUSPENSION_WEBHOOK ? (['dispatching'] as const) : (['dispatching', 'scheduling'] as const)
  const [next, before] = [suspensionIn(object), suspensionIn(old)]
  const findings = fields
    .filter((field) => next?.[field] === false && before?.[field] !== false)
    .map((field) => unsupportedField(`spec.suspension.${field}`, false, [true]))
  const problem = textOfFindings(findings)
  if (problem) throw denied(webhook, problem)
}

const suspensionIn = (object: UnknownObject | undefined): BindingSpec['suspension'] =>
  (object as Suspendable | undefined)?.spec?.suspension

/**
 * The binding with an annotation of the user who suspends it in this write; without one if it is not suspended.
 * managedFields are no substitute: they name a tool, not a user, and objects of our controllers have none.
 */
export function withSuspensionWriter(
  object: UnknownObject,
  old: UnknownObject | undefined,
  { writer, now, upstream }: WriteContext,
): UnknownObject {
  if (upstream) return object
  const [next, before] = [object, old] as unknown as [Suspendable, Suspendable | undefined]
  const noted = next.metadata.annotations?.[SUSPENSION_WRITER_ANNOTATION]
  if (!isSuspended(next)) return noted === undefined ? object : withNote(object, undefined)
  const becomes = before === undefined || !isSuspended(before)
  const forged = before !== undefined && noted !== before.metadata.annotations?.[SUSPENSION_WRITER_ANNOTATION]
  if (writer === undefined || (!becomes && !forged) || isSigned(next, before)) return object
  return withNote(object, becomes ? `${writer} ${now}` : before?.metadata.annotations?.[SUSPENSION_WRITER_ANNOTATION])
}

/** True when a queue or the console suspends, which leave a note of their own. */
function isSigned(next: Suspendable, before: Suspendable | undefined): boolean {
  return [QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION].some((name) => {
    const note = ownField(next.metadata.annotations ?? {}, name)
    return note !== undefined && note !== ownField(before?.metadata.annotations ?? {}, name)
  })
}

function withNote(object: UnknownObject, note: string | undefined): UnknownObject {
  const { [SUSPENSION_WRITER_ANNOTATION]: _, ...others } = object.metadata.annotations ?? {}
  const annotations = { ...others, ...(note !== undefined && { [SUSPENSION_WRITER_ANNOTATION]: note }) }
  const { annotations: _before, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) } }
}
