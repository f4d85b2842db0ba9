/** Limits the rate of evictions from lost clusters. */
import { isConditionTrue } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds'

/** Evictions per second. */
export interface EvictionRates {
  perSecond: number
  /**
   * Rate while many clusters are lost: the fault is then probably in the control plane's network, or the remaining
   * clusters cannot take all workloads.
   */
  slowPerSecond: number
  /** Share of lost clusters, from 0 to 1, at which the slow rate begins. */
  unhealthyShare: number
}

/** Returns the current eviction rate. Clusters that are being deleted do not count. */
export function evictionRate(
  clusters: readonly Cluster[],
  { perSecond, slowPerSecond, unhealthyShare }: EvictionRates,
): number {
  const staying = clusters.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const lost = staying.filter(({ status }) => !isConditionTrue(status?.conditions, 'Ready')).length
  return staying.length > 0 && lost / staying.length >= unhealthyShare ? slowPerSecond : perSecond
}
