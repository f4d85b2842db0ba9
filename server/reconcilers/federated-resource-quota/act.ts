/** The only write: the status, with the resourceVersion of the count as a precondition. */
import { isConflict, isNotFound } from '@/lib/kube/errors'
import { federatedResourceQuota, type FederatedResourceQuota } from '@/lib/kube/kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { notifyStatus } from './events'

/** Replaces the whole status, because a merge patch could not remove a resource. */
export async function writeStatus(
  context: ReconcilerContext,
  quota: FederatedResourceQuota,
  status: FederatedResourceQuota['status'],
): Promise<void> {
  try {
    await context.client.update(federatedResourceQuota, { ...quota, status }, { subresource: 'status' })
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) notifyStatus(context, quota, status, error)
    throw error
  }
  notifyStatus(context, quota, status)
}
