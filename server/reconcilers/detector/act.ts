/** Writes of the detector: claims on templates and bindings, and the bindings. */
import {
  buildBinding,
  type Claim,
  claimOf,
  controllerUidOf,
  isClaimedBy,
  mergeSuspension,
  type Policy,
  withClaim,
  withoutClaim,
} from '@/lib/domain/propagation'
import { InterpretError, ScriptUnavailable } from '@/lib/domain/interpreter'
import { protectedClusters } from '@/lib/domain/rebalance'
import { isAlreadyExists, isConflict, isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { type KubeObject, parseKey, type UnknownObject } from '@/lib/kube/object'
import { TerminalError } from '@/server/runtime/controller'
import { type Binding, referenceTo } from '../shared/binding-kinds'
import type { InterpreterContext } from '../shared/interpreter'
import { writeChanges } from '../shared/object-writes'
import { type BindingPlace, bindingOf } from './observe'
import { readSchedulePriority } from './policy-needs'
import { templateEvents } from './reasons'

/** A template with its kind. */
export interface Found {
  kind: Kind<UnknownObject>
  template: UnknownObject
}

/** A template claimed by its policy. */
export interface Claimed extends Found {
  /** Its binding was built from this version of the template, except for status changes. */
  isSettled: boolean
  /** See `DetectorOptions`. */
  workloadAffinity: boolean
  componentScheduling: boolean
  /** The binding of the template that was deleted. */
  lost: Binding | undefined
}

/**
 * Runs a step of applying a policy, and records a failure as an event on the template. Conflicts are retried without an
 * event.
 */
export async function withFailureEvents<T>(
  { events }: InterpreterContext,
  { found, policy }: { found: Found; policy: Policy },
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) {
      templateEvents(events, referenceTo(found.kind, found.template)).failed(policy, error)
    }
    throw error
  }
}

/** Adds the claim to the template; returns the written object. */
export async function claimTemplate(
  { client }: InterpreterContext,
  { kind, template }: Found,
  policy: Policy,
): Promise<UnknownObject> {
  const claim = claimOf(policy)
  if (!claim.id) throw new Error(`the policy ${claim.name} was not admitted: it has no permanent id`)
  if (isClaimedBy(template.metadata, claim)) return template
  const claimed = { ...template, metadata: withClaim(template.metadata, claim) }
  return (await writeChanges(client, kind, { from: template, to: claimed })) ?? template
}

/**
 * Takes a template over from another policy, with its resourceVersion as a precondition, because several preempting
 * policies must see each other's result. Throws a conflict otherwise.
 */
export async function takeOver(
  { client }: InterpreterContext,
  { kind, template }: Found,
  policy: Policy,
): Promise<void> {
  const { metadata } = template
  const { labels, annotations } = withClaim(metadata, claimOf(policy))
  const value = {
    metadata: {
      resourceVersion: metadata.resourceVersion,
      labels: mergeTo(metadata.labels, labels),
      annotations: mergeTo(metadata.annotations, annotations),
    },
  }
  await client.patch(kind, metadata, { type: 'merge', value })
}

/** Returns a merge patch between two sets of labels or annotations. */
function mergeTo(from: Words = {}, to: Words = {}): Record<string, string | null> {
  const gone = Object.keys(from).filter((name) => !(name in to))
  return { ...to, ...Object.fromEntries(gone.map((name) => [name, null])) }
}

type Words = Readonly<Record<string, string>>

/** Removes the claim from an object, unless it was deleted or another policy claimed it meanwhile. */
export async function unclaim<T extends KubeObject>(
  { client }: InterpreterContext,
  kind: Kind<T>,
  { object, claim }: { object: T; claim: Claim },
): Promise<void> {
  try {
    const metadata = withoutClaim(object.metadata, claim)
    await writeChanges(client, kind, { from: object, to: { ...object, metadata } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Creates or updates the binding, and records the result as an event. */
export async function applyBinding(context: InterpreterContext, claimed: Claimed, policy: Policy): Promise<void> {
  const { kind, template, isSettled, workloadAffinity, lost } = claimed
  const notify = templateEvents(context.events, referenceTo(kind, template))
  try {
    const asked = await readAsked(context, claimed, notify)
    const schedulePriority = await readSchedulePriority(context, template, policy)
    const place = bindingOf(context, template)
    const source = isSettled ? asBound(template, place.existing) : template
    const request = { template: source, policy, ...asked, schedulePriority, workloadAffinity, lost }
    if (await writeBinding(context, place, request)) notify.applied(policy)
    if (mergeSuspension({ policy, existing: place.existing }).tooLate) notify.suspendedTooLate(policy)
  } catch (error) {
    notify.failed(policy, error)
    // A script that was only unavailable is retried, because another script may have been the cause.
    const isFinal = error instanceof InterpretError && !(error instanceof ScriptUnavailable)
    throw isFinal ? new TerminalError(error.message, { cause: error }) : error
  }
}

/**
 * Returns the template with the resourceVersion that the binding already refers to, so that a status change does not
 * write the binding.
 */
function asBound(template: UnknownObject, existing: Binding | undefined): UnknownObject {
  const resourceVersion = existing?.spec.resource.resourceVersion ?? template.metadata.resourceVersion
  return { ...template, metadata: { ...template.metadata, resourceVersion } }
}

/** Reads the replicas of the template's components if it has several, otherwise those of the template. */
async function readAsked(
  { interpreter }: InterpreterContext,
  { template, componentScheduling }: Claimed,
  notify: ReturnType<typeof templateEvents>,
): Promise<Pick<Request, 'components' | 'replicas'>> {
  const what = componentScheduling && interpreter.hasComponentRule(template) ? 'components' : 'replicas'
  try {
    const asked = await interpreter[what](template)
    if (asked) notify.read(what)
    return { [what]: asked }
  } catch (error) {
    notify.unreadable(what, error)
    throw error
  }
}

type Request = Parameters<typeof buildBinding>[0]

/** Returns whether anything was written. */
async function writeBinding({ client }: InterpreterContext, place: BindingPlace, request: Request): Promise<boolean> {
  const { kind, existing } = place
  if (!existing) return createBinding(client, place, request)
  const owner = controllerUidOf(existing)
  if (owner !== undefined && owner !== request.template.metadata.uid) throw new Error(FOREIGN_OWNER)
  // Its deletion enqueues the template again.
  if (existing.metadata.deletionTimestamp) return false
  const to = buildBinding({ ...request, existing, held: protectedClusters(existing) })
  return (await writeChanges(client, kind, { from: existing, to })) !== undefined
}

/** The cache may be outdated: an existing binding is updated. */
async function createBinding(
  client: InterpreterContext['client'],
  { kind, key }: BindingPlace,
  request: Request,
): Promise<boolean> {
  try {
    await client.create(kind, buildBinding(request))
    return true
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
  const existing = await client.get(kind, parseKey(key))
  return writeBinding({ client } as InterpreterContext, { kind, key, existing }, request)
}

// upstream: Karmada resource detector
const FOREIGN_OWNER =
  'failed to update binding due to different owner reference UID, will try again later after binding '
  // upstream: as above
  + 'is garbage collected, see https://github.com/karmada-io/karmada/issues/2090'
