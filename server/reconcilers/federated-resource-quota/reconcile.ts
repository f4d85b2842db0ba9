/** One pass over one quota. */
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { writeStatus } from './act'
import { observe } from './observe'
import { statusOf } from './status'

/** 1. Read the quota and the bindings. 2. Count. 3. Write what differs; a conflict starts over. */
export async function reconcileQuota(context: ReconcilerContext, key: ObjectKey): Promise<void> {
  const observed = await observe(context, key)
  if (!observed || observed.quota.metadata.deletionTimestamp) return
  const status = statusOf(observed)
  if (status) await writeStatus(context, observed.quota, status)
}
