/** Writes of the binding controller: Works, and the binding's finalizer. */
import type { Manifest } from '@/lib/domain/interpreter'
import type { ClusterOverrides } from '@/lib/domain/override'
import { buildWork, workRefOf } from '@/lib/domain/propagation'
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { BINDING_FINALIZER, CLUSTER_BINDING_FINALIZER } from '@/lib/kube/names'
import type { UnknownObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'
import { AwaitedError } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, parseBindingKey } from '../shared/binding-kinds'
import { writeChanges } from '../shared/object-writes'

/** Deletes these Works, except those that are already being deleted. */
export async function deleteWorks(client: KubeClient, works: readonly Work[]): Promise<void> {
  await Promise.all(works.filter(({ metadata }) => !metadata.deletionTimestamp).map((work) => deleteWork(client, work)))
}

async function deleteWork(client: KubeClient, { metadata: { namespace, name, uid } }: Work): Promise<void> {
  try {
    await client.delete(workKind, { namespace: namespace!, name }, { preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** The Work to write for one cluster. */
export interface DesiredWork {
  binding: Binding
  template: UnknownObject
  target: TargetCluster
  /** The template with the cluster's replicas; absent: the built-in rule of its kind sets them. */
  revised?: Manifest
  completions?: number | undefined
  overrides?: ClusterOverrides | undefined
}

/** Creates or updates the Work of one cluster. Returns whether anything was written. */
export async function ensureWork(
  client: KubeClient,
  desired: DesiredWork,
  existing: Work | undefined,
): Promise<boolean> {
  if (!existing) return createWork(client, desired)
  if (existing.metadata.deletionTimestamp) {
    const { namespace, name } = existing.metadata
    throw new AwaitedError(`work ${namespace}/${name} is being deleted`)
  }
  return (
    (await writeChanges(client, workKind, { from: existing, to: buildWork({ ...desired, existing }) })) !== undefined
  )
}

/** The cache may be outdated: an existing Work is read and updated. */
async function createWork(client: KubeClient, desired: DesiredWork): Promise<boolean> {
  try {
    await client.create(workKind, buildWork(desired))
    return true
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
  return ensureWork(client, desired, await client.get(workKind, workRefOf(desired.template, desired.target.name)))
}

const OWN_FINALIZERS: ReadonlySet<string> = new Set([BINDING_FINALIZER, CLUSTER_BINDING_FINALIZER])

/** Removes the finalizers of this controller. */
export async function removeFinalizer(client: KubeClient, binding: Binding): Promise<void> {
  const finalizers = binding.metadata.finalizers?.filter((name) => !OWN_FINALIZERS.has(name))
  const { kind } = parseBindingKey(bindingKeyOf(binding))
  await writeChanges(client, kind, { from: binding, to: { ...binding, metadata: { ...binding.metadata, finalizers } } })
}
