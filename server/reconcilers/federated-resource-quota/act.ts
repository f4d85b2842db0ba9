/** The one write: the status, guarded by the version that was counted for. */
import { isNotFound } from '@/lib/kube/errors'
import { federatedResourceQuota, type FederatedResourceQuota } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** Replaces the status as a whole: a merge could not take a resource away. */
export async function writeStatus(
  { client }: ReconcilerContext,
  quota: FederatedResourceQuota,
  status: FederatedResourceQuota['status'],
): Promise<void> {
  try {
    await client.update(federatedResourceQuota, { ...quota, status }, { subresource: 'status' })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
