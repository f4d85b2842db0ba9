import { cluster, type Cluster } from '@/lib/kube/kinds'

export const clusterKind = cluster

/** True when the cluster's Ready condition is True and its capacity is known. */
export function ready({ status }: Cluster): boolean {
  return (
    status?.resourceSummary !== undefined
    && status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  )
}
