/**
 * Changes existing objects: read as the user, compared with If-Match, written with a precondition if one was requested.
 */
import { isConflict } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectMeta, ObjectRef } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { EndpointCall } from './endpoint'
import { type Refusal, refuse } from './refusal'

type Changer = Pick<EndpointCall, 'principal' | 'ifMatch'>

/** What a write needs about the object that it changes. */
export interface Locked<T> {
  object: T
  /** Goes into `metadata` of a merge patch or into preconditions; empty without If-Match. */
  lock: { resourceVersion?: string }
}

/** Status reports change the resourceVersion too, so the write is tried this often. */
const TRIES = 4

/**
 * Returns the version of an object for its ETag: `g` and the generation, which changes with the spec and not with every
 * report.
 */
export function versionOf(
  metadata: Pick<ObjectMeta, 'generation' | 'resourceVersion'> | undefined,
): string | undefined {
  return metadata?.generation === undefined ? metadata?.resourceVersion : `g${metadata.generation}`
}

/** The object to change. */
interface Changing<T extends KubeObject> {
  kind: Kind<T>
  ref: ObjectRef
  /** True: even without If-Match, no concurrent change of another client is overwritten. Default: false. */
  guarded?: boolean
}

/**
 * Reads the object as the user and lets `write` change it. With If-Match (an ETag, or a resourceVersion) nothing is
 * written unless the object still has that version when it is read and when the write arrives; otherwise refuses with
 * 412 and names the client that changed it.
 */
export async function changeObject<T extends KubeObject, R>(
  { principal: { client }, ifMatch }: Changer,
  { kind, ref, guarded }: Changing<T>,
  write: (locked: Locked<T>) => Promise<R>,
): Promise<R> {
  let expected = ifMatch
  for (let left = TRIES; ; left -= 1) {
    const object = await client.get(kind, ref)
    if (expected === undefined && !guarded) return write({ object, lock: {} })
    const { resourceVersion } = object.metadata
    expected ??= versionOf(object.metadata)
    if (expected !== versionOf(object.metadata) && expected !== resourceVersion) throw changedSince(object.metadata)
    try {
      return await write({ object, lock: { resourceVersion } })
    } catch (error) {
      if (!isConflict(error) || left <= 1) throw error
    }
  }
}

interface ManagedEntry {
  manager?: string
  time?: string
  subresource?: string
}

/** Returns the refusal, with the last manager in managedFields. */
function changedSince(metadata: ObjectMeta): Refusal {
  const entries = (metadata.managedFields ?? []) as ManagedEntry[]
  const last = entries
    .filter(({ subresource }) => subresource === undefined)
    .toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
    .at(-1)
  const detail =
    last?.manager === undefined
      ? message('api.refused.changedSince')
      : message('api.refused.changedSinceBy', { manager: last.manager, at: last.time ?? 'none' })
  return refuse(412, 'PreconditionFailed', detail, {
    changed: 'nothing',
    headers: { etag: `"${versionOf(metadata)}"` },
  })
}
