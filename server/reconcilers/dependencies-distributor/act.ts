/** Writes of the dependencies distributor: attached bindings, and the records in independent ones. */
import { attachBinding, detachBinding, recordDependencies } from '@/lib/domain/dependencies'
import type { DependencyReference } from '@/lib/domain/interpreter'
import { controllerUidOf } from '@/lib/domain/propagation'
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import { resourceBinding } from '@/lib/kube/kinds'
import { bindingNameOf, DEPENDENCIES_FINALIZER } from '@/lib/kube/names'
import { type Draft, keyOf, objectKey, type ObjectKey, parseKey, type UnknownObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { KubeClient } from '@/server/kube/client'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'
import { writeChanges } from '../shared/object-writes'
import { othersThatNeed } from './observe'

/** Records the dependencies and adds the finalizer. Returns whether anything was written. */
export async function record(
  { client }: ReconcilerContext,
  binding: Binding,
  dependencies: readonly DependencyReference[],
): Promise<boolean> {
  const to = recordDependencies(binding, dependencies)
  return (await writeChanges(client, resourceBinding, { from: binding, to })) !== undefined
}

/** Removes the finalizer. Locked, because another controller may remove its own finalizer at the same time. */
export async function release({ client }: ReconcilerContext, binding: Binding): Promise<void> {
  const finalizers = binding.metadata.finalizers?.filter((name) => name !== DEPENDENCIES_FINALIZER)
  await orGone(writeLocked(client, binding, { ...binding, metadata: { ...binding.metadata, finalizers } }))
}

/** The binding of a dependency after a write. */
export interface Attached {
  binding: Binding
  written: boolean
}

/**
 * Creates a binding for the dependency that follows `independent`, or attaches the existing one. Returns undefined
 * while the existing one belongs to an earlier object of that name or is being deleted; its deletion triggers another
 * reconcile.
 */
export async function attach(
  context: ReconcilerContext,
  independent: Binding,
  dependency: UnknownObject,
): Promise<Attached | undefined> {
  const { client, informers } = context
  const { namespace } = independent.metadata
  const name = bindingNameOf(dependency.kind, dependency.metadata.name)
  const ref = { name, ...(namespace !== undefined && { namespace }) }
  const cached = informers.of(resourceBinding).get(keyOf(ref))
  if (cached) return follow(context, { independent, dependency, existing: cached })
  try {
    const binding = await client.create(resourceBinding, attachBinding({ independent, dependency }))
    return { binding, written: true }
  } catch (error) {
    // The cache may be outdated.
    if (!isAlreadyExists(error)) throw error
  }
  return follow(context, { independent, dependency, existing: await client.get(resourceBinding, ref) })
}

interface Following {
  independent: Binding
  dependency: UnknownObject
  existing: Binding
}

async function follow(
  { client, informers }: ReconcilerContext,
  { independent, dependency, existing }: Following,
): Promise<Attached | undefined> {
  const owner = controllerUidOf(existing)
  if (existing.metadata.deletionTimestamp || (owner ?? dependency.metadata.uid) !== dependency.metadata.uid) return
  const others = othersThatNeed(informers, existing, objectKey(independent))
  const to = attachBinding({ independent, dependency, existing, others })
  return { binding: existing, written: await writeLocked(client, existing, to) }
}

/** Removes the binding with that key from the bindings that it needed. The attached bindings stay without clusters. */
export async function detach(
  { client, informers }: ReconcilerContext,
  key: ObjectKey,
  attached: readonly Binding[],
): Promise<boolean> {
  const results = await Promise.all(
    attached.map(async (binding) => {
      const to = detachBinding(binding, parseKey(key), othersThatNeed(informers, binding, key))
      return orGone(writeLocked(client, binding, to))
    }),
  )
  return results.includes(true)
}

/** Writes with a lock, because many bindings and several controllers write the same lists. */
async function writeLocked(client: KubeClient, existing: Binding, to: Draft<Binding>): Promise<boolean> {
  if (deepEqual(existing, to)) return false
  await client.update(resourceBinding, to)
  return true
}

async function orGone(write: Promise<boolean>): Promise<boolean> {
  try {
    return await write
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
