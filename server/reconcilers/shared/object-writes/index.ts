/** Writes only the changed fields, so that controllers that own different fields do not conflict. */
import { patchTo } from '@/lib/domain/propagation'
import { hasReason, isAlreadyExists, KubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import type { Draft, KubeObject, ObjectRef } from '@/lib/kube/object'
import type { JsonPatchOperation } from '@/lib/kube/patch'
import { deepEqual } from '@/lib/std/equal'
import type { KubeClient, WriteOptions } from '@/server/kube/client'

/** Reports whether a server rejected an object as too large, by itself or by its store (upstream: etcd). */
export function isTooLarge(error: unknown): boolean {
  return (
    hasReason(error, 'RequestEntityTooLarge')
    // upstream: etcd
    || (error instanceof KubeError && error.message.includes('request is too large'))
  )
}

/** An object and its new version. */
export interface Transition<T extends KubeObject> {
  from: T
  to: Draft<T>
}

/**
 * Sends the difference, if any; returns the written object, or undefined if no write was needed. The patch applies to
 * this object's UID only: if it was deleted and created again, the server rejects it (Invalid).
 */
export async function writeChanges<T extends KubeObject>(
  client: KubeClient,
  kind: Kind<T>,
  { from, to }: Transition<T>,
): Promise<T | undefined> {
  return sendPatch(client, { kind, object: from, operations: patchTo(from, to) })
}

/**
 * Creates `to`, or sends the difference from `existing`. Returns whether anything was written. An object that exists
 * but is not cached yet is left until it arrives in the cache.
 */
export async function createOrChange<T extends KubeObject>(
  client: KubeClient,
  kind: Kind<T>,
  { existing, to }: { existing: T | undefined; to: Draft<T> },
): Promise<boolean> {
  if (existing) return (await writeChanges(client, kind, { from: existing, to })) !== undefined
  try {
    await client.create(kind, to)
    return true
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    return false
  }
}

/** New values of status fields. Lists are replaced as a whole; `undefined` removes a field. */
export interface StatusChange<T extends KubeObject & { status?: object }> {
  object: T
  fields: Partial<NonNullable<T['status']>>
  /** Reject with a Conflict if the object changed since: needed for fields with several writers. */
  lock?: boolean
}

/** Sends the changed fields; returns the written object, or undefined if nothing differs. */
export async function writeStatusFields<T extends KubeObject & { status?: object }>(
  client: KubeClient,
  kind: Kind<T>,
  { object, fields, lock = false }: StatusChange<T>,
): Promise<T | undefined> {
  const present: Record<string, unknown> = { ...object.status }
  const changed = Object.entries(fields).filter(([name, value]) => !deepEqual(present[name], value))
  if (changed.length === 0) return undefined
  const { namespace, name, resourceVersion } = object.metadata
  const value = {
    ...(lock && { metadata: { resourceVersion } }),
    status: Object.fromEntries(changed.map(([field, wanted]) => [field, wanted ?? null])),
  }
  return client.patch(kind, refOf({ namespace, name }), { type: 'merge', value }, { subresource: 'status' })
}

/** Replaces the whole status. For kinds whose status has a single writer. */
export function replaceStatus<T extends KubeObject>(
  client: KubeClient,
  kind: Kind<T>,
  { object, status }: { object: T; status: unknown },
): Promise<T | undefined> {
  const operations = [{ op: 'add' as const, path: '/status', value: status }]
  return sendPatch(client, { kind, object, operations, options: { subresource: 'status' } })
}

function refOf({ namespace, name }: { namespace: string | undefined; name: string }): ObjectRef {
  return { name, ...(namespace !== undefined && { namespace }) }
}

interface PatchRequest<T extends KubeObject> {
  kind: Kind<T>
  object: T
  operations: readonly JsonPatchOperation[]
  options?: WriteOptions
}

function sendPatch<T extends KubeObject>(client: KubeClient, request: PatchRequest<T>): Promise<T | undefined> {
  const { kind, object, operations, options } = request
  if (operations.length === 0) return Promise.resolve(undefined)
  const { namespace, name, uid } = object.metadata
  const guarded: JsonPatchOperation[] = [{ op: 'test', path: '/metadata/uid', value: uid }, ...operations]
  return client.patch(kind, refOf({ namespace, name }), { type: 'json', operations: guarded }, options)
}
