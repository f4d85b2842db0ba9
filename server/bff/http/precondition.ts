/** Changes of existing objects: read as the user, compared with If-Match, written under a lock where one was asked for. */
import { isConflict } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectMeta, ObjectRef } from '@/lib/kube/object'
import type { EndpointCall } from './endpoint'
import { type Refusal, refuse } from './refusal'

type Changer = Pick<EndpointCall, 'principal' | 'ifMatch'>

/** What a write needs to know of the object that it changes. */
export interface Locked<T> {
  object: T
  /** Put into `metadata` of a merge patch: empty without If-Match. */
  lock: { resourceVersion?: string }
}

/**
 * Reads the object as the user and lets `write` change it. With If-Match nothing is written unless the object is still the
 * one that was read then, and is still when the write arrives: else it refuses with 412 and says what changed.
 */
export async function changeObject<T extends KubeObject, R>(
  { principal: { client }, ifMatch }: Changer, { kind, ref }: { kind: Kind<T>; ref: ObjectRef }, write: (locked: Locked<T>) => Promise<R>,
): Promise<R> {
  const object = await client.get(kind, ref)
  if (ifMatch === undefined) return write({ object, lock: {} })
  if (object.metadata.resourceVersion !== ifMatch) throw changedSince(object.metadata)
  try {
    return await write({ object, lock: { resourceVersion: ifMatch } })
  } catch (error) {
    if (!isConflict(error)) throw error
    const { metadata } = await client.get(kind, ref)
    throw metadata.resourceVersion === ifMatch ? error : changedSince(metadata)
  }
}

interface ManagedEntry {
  manager?: string
  time?: string
  subresource?: string
}

/** Who changed it last, as the API server noted it. */
function changedSince({ managedFields = [], resourceVersion }: ObjectMeta): Refusal {
  const last = (managedFields as ManagedEntry[]).toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? '')).at(-1)
  const what = last?.subresource === undefined ? '' : ` (its ${last.subresource})`
  const who = last?.manager === undefined ? '' : `, last by ${last.manager}${last.time === undefined ? '' : ` at ${last.time}`}${what}`
  return refuse(412, 'PreconditionFailed', `It was changed since you read it${who}. Nothing was changed; read it again, then decide.`, {
    changed: 'nothing', headers: { etag: `"${resourceVersion}"` },
  })
}
