/** The status that a pass leaves behind. Pure. */
import { totalUsage } from '@/lib/kube/admission/quota'
import type { FederatedResourceQuota } from '@/lib/kube/kinds'
import { deepEqual } from '@/lib/std/equal'
import type { QuotaObservation } from './observe'

type QuotaStatus = NonNullable<FederatedResourceQuota['status']>

/** Undefined when the status is right already. */
export function statusOf({ quota, bindings }: QuotaObservation): QuotaStatus | undefined {
  const overallUsed = totalUsage(bindings.map(({ spec }) => spec), quota.spec.overall)
  const wanted: QuotaStatus = { ...quota.status, overall: quota.spec.overall, overallUsed }
  return deepEqual(wanted, quota.status) ? undefined : wanted
}
