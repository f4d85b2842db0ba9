/** Reconciles one quota. */
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { writeStatus } from './act'
import { keepAssignments } from './assignments'
import { observe } from './observe'
import { statusOf } from './status'

/** 1. Read quota and bindings. 2. Update the shares of clusters. 3. Count. 4. Write; a conflict starts over. */
export async function reconcileQuota(context: ReconcilerContext, key: ObjectKey): Promise<void> {
  const observed = await observe(context, key)
  const quota = observed?.quota.metadata.deletionTimestamp ? undefined : observed?.quota
  await keepAssignments(context, key, quota)
  const status = observed && quota && statusOf(observed)
  if (status) await writeStatus(context, observed.quota, status)
}
