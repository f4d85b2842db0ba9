/** Builds the status of a quota. Pure. */
import { totalUsage } from '@/lib/kube/admission/quota'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { FederatedResourceQuota } from '@/lib/kube/kinds'
import type { Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { deepEqual } from '@/lib/std/equal'
import type { QuotaObservation } from './observe'

type QuotaStatus = NonNullable<FederatedResourceQuota['status']>
type ClusterQuotaStatus = NonNullable<QuotaStatus['aggregatedStatus']>[number]

/** Returns undefined if the status is up to date. */
export function statusOf({ quota, bindings, shares }: QuotaObservation): QuotaStatus | undefined {
  const overallUsed = totalUsage(
    bindings.map(({ spec }) => spec),
    quota.spec.overall,
  )
  const { aggregatedStatus: _, ...rest } = quota.status ?? {}
  const reported = clusterStatuses(shares)
  const wanted: QuotaStatus = {
    ...rest,
    overall: quota.spec.overall,
    overallUsed,
    ...(reported.length > 0 && { aggregatedStatus: reported }),
  }
  return deepEqual(wanted, quota.status) ? undefined : wanted
}

/**
 * Returns the statuses of the ResourceQuotas in the clusters, sorted by cluster, without quotas that are not applied or
 * have no status.
 */
function clusterStatuses(shares: readonly Work[]): ClusterQuotaStatus[] {
  return shares
    .flatMap((work): ClusterQuotaStatus[] => {
      const clusterName = clusterOfExecutionSpace(work.metadata.namespace ?? '') ?? ''
      const status = work.status?.manifestStatuses?.[0]?.status as Omit<ClusterQuotaStatus, 'clusterName'> | undefined
      if (work.metadata.deletionTimestamp || !isConditionTrue(work.status?.conditions, 'Applied') || !status) return []
      const { hard, used } = status
      return [{ clusterName, ...(hard && { hard }), ...(used && { used }) }]
    })
    .toSorted((left, right) => (left.clusterName < right.clusterName ? -1 : 1))
}
