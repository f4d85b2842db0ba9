/** Writes of the detector: claims on templates and bindings, and the bindings themselves. */
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

/** A template that its policy claimed. */
export interface Claimed extends Found {
  /** Its binding was made from this very template; at most its status changed since. */
  isSettled: boolean
  /** See `DetectorOptions`. */
  workloadAffinity: boolean
  componentScheduling: boolean
  /** The binding that the template had before it was deleted. */
  lost: Binding | undefined
}

/** Runs a step of applying a policy, and tells on the template why it failed. A conflict is only too early. */
export async function tellingFailure<T>(
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

/** Marks the template; answers it as it then is. */
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
 * Takes the template over from another policy, provided that it is unchanged since it was read: of several that
 * preempt, each has to see what the one before it did. Throws a conflict otherwise.
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

/** A merge patch from one set of words to another. */
function mergeTo(from: Words = {}, to: Words = {}): Record<string, string | null> {
  const gone = Object.keys(from).filter((name) => !(name in to))
  return { ...to, ...Object.fromEntries(gone.map((name) => [name, null])) }
}

type Words = Readonly<Record<string, string>>

/** Removes the claim from an object, unless it is gone or another policy claimed it meanwhile. */
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

/** Creates or updates the binding; events tell what came of it. */
export async function applyBinding(context: InterpreterContext, claimed: Claimed, policy: Policy): Promise<void> {
  const { kind, template, isSettled, workloadAffinity, lost } = claimed
  const tell = templateEvents(context.events, referenceTo(kind, template))
  try {
    const asked = await readAsked(context, claimed, tell)
    const schedulePriority = await readSchedulePriority(context, template, policy)
    const place = bindingOf(context, template)
    const source = isSettled ? asBound(template, place.existing) : template
    const request = { template: source, policy, ...asked, schedulePriority, workloadAffinity, lost }
    if (await writeBinding(context, place, request)) tell.applied(policy)
    if (mergeSuspension({ policy, existing: place.existing }).tooLate) tell.suspendedTooLate(policy)
  } catch (error) {
    tell.failed(policy, error)
    // What only could not be asked now is asked again: another's script may have been the reason.
    const isFinal = error instanceof InterpretError && !(error instanceof ScriptUnavailable)
    throw isFinal ? new TerminalError(error.message, { cause: error }) : error
  }
}

/** The template in the version that the binding names already, so that a mere status does not reschedule it. */
function asBound(template: UnknownObject, existing: Binding | undefined): UnknownObject {
  const resourceVersion = existing?.spec.resource.resourceVersion ?? template.metadata.resourceVersion
  return { ...template, metadata: { ...template.metadata, resourceVersion } }
}

/** What the template asks for: the replicas of its components, where it has several, or of the whole. */
async function readAsked(
  { interpreter }: InterpreterContext,
  { template, componentScheduling }: Claimed,
  tell: ReturnType<typeof templateEvents>,
): Promise<Pick<Request, 'components' | 'replicas'>> {
  const what = componentScheduling && interpreter.hasComponentRule(template) ? 'components' : 'replicas'
  try {
    const asked = await interpreter[what](template)
    if (asked) tell.read(what)
    return { [what]: asked }
  } catch (error) {
    tell.unreadable(what, error)
    throw error
  }
}

type Request = Parameters<typeof buildBinding>[0]

/** True when something was written. */
async function writeBinding({ client }: InterpreterContext, place: BindingPlace, request: Request): Promise<boolean> {
  const { kind, existing } = place
  if (!existing) return createBinding(client, place, request)
  const owner = controllerUidOf(existing)
  if (owner !== undefined && owner !== request.template.metadata.uid) throw new Error(FOREIGN_OWNER)
  // Its end brings the template here again.
  if (existing.metadata.deletionTimestamp) return false
  const to = buildBinding({ ...request, existing, held: protectedClusters(existing) })
  return (await writeChanges(client, kind, { from: existing, to })) !== undefined
}

/** The cache may be behind: what exists already is updated. */
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
