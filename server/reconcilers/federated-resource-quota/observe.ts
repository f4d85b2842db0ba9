/** What a pass knows. */
import { isNotFound } from '@/lib/kube/errors'
import {
  federatedResourceQuota, type FederatedResourceQuota, resourceBinding, type ResourceBinding,
} from '@/lib/kube/kinds'
import { type ObjectKey, parseKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'

export interface QuotaObservation {
  quota: FederatedResourceQuota
  /** Every binding of its namespace. */
  bindings: readonly ResourceBinding[]
}

/**
 * The quota, then the bindings, both from the server; undefined when the quota is gone. Whoever schedules a binding
 * after the quota was read has changed the quota, too, so a sum over bindings that are too old or too new can never be
 * written. The caches promise no order between two kinds.
 */
export async function observe({ client }: ReconcilerContext, key: ObjectKey): Promise<QuotaObservation | undefined> {
  const ref = parseKey(key)
  const { namespace } = ref
  try {
    const quota = await client.get(federatedResourceQuota, ref)
    const { items } = await client.list(resourceBinding, { ...(namespace !== undefined && { namespace }) })
    return { quota, bindings: items }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
