/**
 * Restores objects of another control plane with identity, age, generation and status, as a backup of etcd does. Objects
 * are decoded, defaulted and validated; admission, quotas and webhooks have judged them where they come from.
 */
import { KubeError } from '@/lib/kube/errors'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { strategyOf } from '@/lib/kube/strategy'
import { formatTime } from '@/lib/std/clock'
import type { Api, Scope } from './api'
import type { Keyspace } from './registry/keyspace'
import { keyIn, type Resource } from './registry/resource'
import { ObjectTooLarge, RevisionMismatch } from './store/errors'
import type { Location } from './store/store'

/** Why an object was not restored. */
export type RestoreFault = 'NotServed' | 'Invalid' | 'TooLarge' | 'Exists'

export interface Restored {
  /** The stored object; absent if it was refused. */
  object?: UnknownObject
  fault?: RestoreFault
  /** Explains `Invalid`. */
  message?: string
  /** Paths of fields that the kind does not have here. They were left out. */
  dropped: readonly string[]
}

/** Restores objects in one keyspace: the control plane (''), or a member. Returns one result for each object, in order. */
export type Restore = (keyspace: string, objects: readonly UnknownObject[]) => Promise<Restored[]>

/** Other requests are answered between two portions. */
const PORTION = 250

export async function restoreObjects(
  api: Api,
  keyspace: Keyspace,
  objects: readonly UnknownObject[],
): Promise<Restored[]> {
  const results: Restored[] = []
  for (let start = 0; start < objects.length; start += PORTION) {
    const portion = objects.slice(start, start + PORTION)
    results.push(...(await Promise.all(portion.map((object) => restoreObject(api, keyspace, object)))))
  }
  return results
}

async function restoreObject(api: Api, keyspace: Keyspace, given: UnknownObject): Promise<Restored> {
  const resource = keyspace.registry.ofObject(given.apiVersion, given.kind)
  if (!resource) return { fault: 'NotServed', dropped: [] }
  let dropped: readonly string[] = []
  try {
    const ready = completed({ api, keyspace, resource }, given)
    dropped = ready.dropped
    const location = locationOf(keyspace, resource, ready.object.metadata)
    const entry = await api.store.put(location, await resource.write(ready.object), 0)
    return { object: resource.read(entry).value, dropped }
  } catch (error) {
    return { ...faultOf(error), dropped }
  }
}

function completed(
  { api, resource }: Scope,
  given: UnknownObject,
): { object: UnknownObject; dropped: readonly string[] } {
  const strategy = strategyOf(resource.kind)
  const { object: known, unknownFields: dropped } = strategy.decode(given)
  const object = strategy.complete({ ...known, metadata: restoredMetadata(api, resource, known.metadata) })
  const [finding] = strategy.validateCreate(object, { now: object.metadata.creationTimestamp, uid: api.uid })
  if (finding) throw new InvalidObject(`${finding.field}: ${finding.message}`)
  return { object, dropped }
}

class InvalidObject extends Error {}

/** Identity and age stay; the version belongs to this store, and deletions do not continue here. */
function restoredMetadata(api: Api, { kind }: Resource, metadata: Partial<ObjectMeta>): ObjectMeta {
  const { name = '', namespace, uid, generation, creationTimestamp } = metadata
  const { labels, annotations, ownerReferences, finalizers } = metadata
  return {
    name,
    ...(kind.scope === 'Namespaced' && { namespace: namespace ?? '' }),
    uid: uid ?? api.uid(),
    resourceVersion: '',
    ...(strategyOf(kind).hasGeneration && { generation: generation ?? 1 }),
    creationTimestamp: creationTimestamp ?? formatTime(api.clock.now()),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences?.length && { ownerReferences }),
    ...(finalizers?.length && { finalizers }),
  }
}

function locationOf(keyspace: Keyspace, resource: Resource, { namespace, name }: ObjectMeta): Location {
  return { keyspace: keyspace.name, resource: resource.id, key: keyIn(resource, namespace, name) }
}

function faultOf(error: unknown): Pick<Restored, 'fault' | 'message'> {
  if (error instanceof RevisionMismatch) return { fault: 'Exists' }
  if (error instanceof ObjectTooLarge) return { fault: 'TooLarge' }
  if (error instanceof KubeError || error instanceof InvalidObject) return { fault: 'Invalid', message: error.message }
  throw error
}
