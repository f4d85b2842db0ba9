/** Writes of the distributor: attached bindings, and what the independent one records. */
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

/** Writes down the dependencies and holds the binding. True when something was written. */
export async function record(
  { client }: ReconcilerContext,
  binding: Binding,
  dependencies: readonly DependencyReference[],
): Promise<boolean> {
  const to = recordDependencies(binding, dependencies)
  return (await writeChanges(client, resourceBinding, { from: binding, to })) !== undefined
}

/** Lets the binding go. Locked, as another loop takes its own mark off at the same time. */
export async function release({ client }: ReconcilerContext, binding: Binding): Promise<void> {
  const finalizers = binding.metadata.finalizers?.filter((name) => name !== DEPENDENCIES_FINALIZER)
  await orGone(writeLocked(client, binding, { ...binding, metadata: { ...binding.metadata, finalizers } }))
}

/** What became of the binding of a dependency. */
export interface Attached {
  binding: Binding
  written: boolean
}

/**
 * Gives the dependency a binding that follows `independent`, or adds it to the one that it has. Undefined while that
 * one belongs to an earlier object of the same name or is being deleted: its end brings the dependency here again.
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
    // The cache may be behind.
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

/** Takes the binding of that key off those that it needed. The attached bindings stay, with nothing to do. */
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

/** Many bindings and several loops meet in the same lists: a conflict when the object is not the one that was read. */
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
