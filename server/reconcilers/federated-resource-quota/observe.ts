/** What a pass knows. */
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
  /** Every binding of its namespace. */
  bindings: readonly ResourceBinding[]
  /** The Works that keep its shares in clusters, as the cache has them. */
  shares: readonly Work[]
}

/**
 * The quota, then the bindings, both from the server; undefined when the quota is gone. The scheduler of a binding
 * after the quota was read has changed the quota, too, so a sum over bindings that are too old or too new can never be
 * written. The caches promise no order between two kinds.
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
