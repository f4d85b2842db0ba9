/** Writes to members, and the finalizer of Works. */
import { assessManifest, disown, isManaged } from '@/lib/domain/propagation'
import { isAlreadyExists, isConflict, isInvalid, isNotFound } from '@/lib/kube/errors'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { WORK_FINALIZER } from '@/lib/kube/names'
import type { Draft, UnknownObject } from '@/lib/kube/object'
import type { CompatibilityProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import type { MemberWatch } from '../shared/member-watch'
import { writeChanges } from '../shared/object-writes'
import { type Destination, findInMember, readFromMember } from './observe'
import type { AppliedVersions } from './applied-versions'

/** Dependencies of writes to members. */
export interface Execution extends Readonly<CompatibilityProfile['execution']> {
  context: InterpreterContext
  members: MemberWatch
  versions: AppliedVersions
}

/** Applies a manifest to its member. Returns whether anything was written. Throws the member's errors. */
export async function applyManifest(execution: Execution, destination: Destination): Promise<boolean> {
  const observed = await findInMember(execution.context, execution.members, destination)
  try {
    return await applyTo(execution, destination, observed)
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return applyToPresent(execution, destination)
    if (observed || !isInvalid(error)) throw error
    const present = await readFromMember(execution.context, destination)
    // A create is rejected before its name is compared, for instance for the node port that the object itself holds.
    if (!present) throw error
    return applyTo(execution, destination, present)
  }
}

/** The cache contains only propagated objects and may be outdated. */
async function applyToPresent(execution: Execution, destination: Destination): Promise<boolean> {
  return applyTo(execution, destination, await readFromMember(execution.context, destination))
}

async function applyTo(
  { context, versions }: Execution,
  destination: Destination,
  observed: UnknownObject | undefined,
): Promise<boolean> {
  const { cluster, kind, manifest } = destination
  const wanted = observed ? await context.interpreter.retain(manifest, observed) : manifest
  const verdict = assessManifest(wanted, observed, cluster)
  if (verdict.act === 'refuse') throw new Error(verdict.message)
  if (verdict.act === 'nothing') return false
  const member = context.client.member(cluster)
  const draft = verdict.object as Draft<UnknownObject>
  const written = verdict.act === 'create' ? await member.create(kind, draft) : await member.update(kind, draft)
  versions.remember(cluster, kind, written)
  return true
}

/** Deletes the object from the member, or removes the product's marks from it if it is to be preserved. */
export async function withdrawManifest(
  execution: Execution,
  destination: Destination,
  preserve: boolean,
): Promise<void> {
  const { context, versions } = execution
  const { cluster, kind, ref } = destination
  const written = versions.of(cluster, kind, ref) !== undefined
  // A recent write may not be in the cache yet.
  const observed =
    (await findInMember(context, execution.members, destination))
    ?? (written ? await readFromMember(context, destination) : undefined)
  versions.forget(cluster, kind, ref)
  if (!observed || !isManaged(observed)) return
  const member = context.client.member(cluster)
  if (preserve) return void (await writeChanges(member, kind, { from: observed, to: disown(observed) }))
  try {
    await member.delete(kind, ref, { propagationPolicy: 'Background' })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Removes the finalizer of the Work. */
export async function removeFinalizer({ client }: InterpreterContext, work: Work): Promise<void> {
  const finalizers = work.metadata.finalizers?.filter((name) => name !== WORK_FINALIZER)
  await writeChanges(client, workKind, { from: work, to: { ...work, metadata: { ...work.metadata, finalizers } } })
}

/** Returns the text of a failed write. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
