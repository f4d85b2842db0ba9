/** Input of a reconcile. */
import { isNotFound } from '@/lib/kube/errors'
import {
  federatedResourceQuota,
  type FederatedResourceQuota,
  resourceBinding,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { type ObjectKey, parseKey } from '@/lib/kube/object'
import type { Work } from '@/lib/kube/kinds/work'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { sharesOf } from './assignments'

export interface QuotaObservation {
  quota: FederatedResourceQuota
  /** All bindings in its namespace. */
  bindings: readonly ResourceBinding[]
  /** Works with its shares, from the cache. */
  shares: readonly Work[]
}

/**
 * Reads the quota, then the bindings, both from the server; undefined if the quota is gone. Scheduling a binding after
 * the quota was read also changes the quota, so the write of an outdated sum fails. Caches do not guarantee an order
 * between two kinds.
 */
export async function observe(
  { client, informers }: ReconcilerContext,
  key: ObjectKey,
): Promise<QuotaObservation | undefined> {
  const ref = parseKey(key)
  const { namespace } = ref
  try {
    const quota = await client.get(federatedResourceQuota, ref)
    const { items } = await client.list(resourceBinding, { ...(namespace !== undefined && { namespace }) })
    return { quota, bindings: items, shares: sharesOf(informers, key) }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
