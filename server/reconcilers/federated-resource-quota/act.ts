/** The only write: the status, with the resourceVersion of the count as a precondition. */
import { isNotFound } from '@/lib/kube/errors'
import { federatedResourceQuota, type FederatedResourceQuota } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** Replaces the whole status, because a merge patch could not remove a resource. */
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
