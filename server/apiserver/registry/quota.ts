/** Charges quotas in the commit of a binding, so that `status.overallUsed` includes it at once. */
import { reviewQuota } from '@/lib/kube/admission/quota'
import { resourceName } from '@/lib/kube/kind'
import {
  federatedResourceQuota,
  type FederatedResourceQuota,
  resourceBinding,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { keptFrom } from '@/lib/kube/stored-form'
import type { Scope } from '../api'
import { tooLargeToStore } from '../failures'
import { isTooLarge } from '@/lib/kube/object-size'
import { ObjectTooLarge } from '../store/errors'
import type { Entry, Location, Store } from '../store/store'

const BINDINGS = resourceName(resourceBinding)
const QUOTAS = resourceName(federatedResourceQuota)

/** A pending write with the revision that it expects. */
export interface Write {
  location: Location
  value: UnknownObject
  expected: number
}

/**
 * The quota changes of a new or changed ResourceBinding of the control plane; none for other objects. Throws 403
 * QuotaExceeded. Valid only in the current turn; see `putTogether`.
 */
export function quotaUsageFor({ api, keyspace, resource }: Scope, next: UnknownObject, old?: UnknownObject): Write[] {
  const { namespace } = next.metadata
  if (resource.id !== BINDINGS || keyspace.name !== '' || namespace === undefined || next.spec === old?.spec) return []
  const entries = api.store.list({ keyspace: keyspace.name, resource: QUOTAS }, { namespace })
  if (entries.length === 0) return []
  const entryOf = new Map(entries.map((entry) => [quotaOf(entry), entry]))
  const kept = (binding: UnknownObject): UnknownObject => keptFrom(resource.kind, binding)
  const verdict = reviewQuota({ old: old && specOf(kept(old)), next: specOf(kept(next)), quotas: [...entryOf.keys()] })
  if (!verdict.allowed) throw verdict.refusal
  return verdict.updates.map(({ quota, overallUsed }) => {
    const { location, value, revision } = entryOf.get(quota)!
    return { location, value: { ...value, status: { ...quota.status, overallUsed } }, expected: revision }
  })
}

/**
 * Writes an object and its accompanying writes in one turn and one commit. Rejects with 500 if the object is too large.
 */
export async function putTogether(store: Store, along: readonly Write[], main: Write): Promise<Entry> {
  // Otherwise the accompanying writes would exist when the store refuses the object.
  if (along.length > 0 && isTooLarge(JSON.stringify(main.value))) throw tooLargeToStore()
  const before = along.map(({ location, value, expected }) => store.put(location, value, expected))
  const written = store.put(main.location, main.value, main.expected)
  try {
    if (before.length > 0) await Promise.all([written, ...before])
    return await written
  } catch (error) {
    throw error instanceof ObjectTooLarge ? tooLargeToStore() : error
  }
}

function specOf(binding: UnknownObject): ResourceBinding['spec'] {
  return (binding as unknown as ResourceBinding).spec
}

function quotaOf({ value }: Entry): FederatedResourceQuota {
  return value as unknown as FederatedResourceQuota
}
