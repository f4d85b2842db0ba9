/** Resilience score of a fleet: the share of running replicas that survive simulated losses. */
import type { LossesView } from './rebalance-model'

type Scored = Pick<LossesView, 'tookMs' | 'cluster' | 'region' | 'pairs' | 'pairsTotal'>

/**
 * Returns the average over clusters, regions and pairs of the share of replicas that get another cluster, from 0 to
 * 100, rounded down. A kind of loss without such replicas does not count. Undefined while pairs are not computed, or if
 * no replica is affected.
 */
export function scoreOf({ tookMs, cluster, region, pairs, pairsTotal }: Scored): number | undefined {
  if (tookMs === undefined || (pairs === undefined && pairsTotal > 0)) return undefined
  const kinds = [cluster, region, ...(pairs ? [pairs] : [])].filter(({ needed }) => needed > 0)
  if (kinds.length === 0) return undefined
  const sum = kinds.reduce((shares, { needed, placed }) => shares + placed / needed, 0)
  return Math.floor((100 * sum) / kinds.length)
}
