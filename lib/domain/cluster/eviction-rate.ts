/** How fast workloads may leave lost clusters. */
import { isConditionTrue } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds'

/** Evictions per second. */
export interface EvictionRates {
  perSecond: number
  /** While so many clusters are lost that the fault is probably on our side, or the others cannot take everything. */
  slowPerSecond: number
  /** The share of clusters, of 0 to 1, from which on evictions are slow. */
  unhealthyShare: number
}

/** The rate that holds at the moment. Clusters that go do not count. */
export function evictionRate(
  clusters: readonly Cluster[],
  { perSecond, slowPerSecond, unhealthyShare }: EvictionRates,
): number {
  const staying = clusters.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const lost = staying.filter(({ status }) => !isConditionTrue(status?.conditions, 'Ready')).length
  return staying.length > 0 && lost / staying.length >= unhealthyShare ? slowPerSecond : perSecond
}
