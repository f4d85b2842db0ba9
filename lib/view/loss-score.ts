/** The score of a fleet: how much of what runs survives simulated losses. */
import type { LossesView } from './rebalance-model'

type Scored = Pick<LossesView, 'tookMs' | 'cluster' | 'region' | 'pairs' | 'pairsTotal'>

/**
 * The average over clusters, regions and pairs of the share of replicas that get another place, from 0 to 100, rounded down.
 * A kind without such replicas does not count; undefined while pairs are not computed, or when nothing is at stake.
 */
export function scoreOf({ tookMs, cluster, region, pairs, pairsTotal }: Scored): number | undefined {
  if (tookMs === undefined || (pairs === undefined && pairsTotal > 0)) return undefined
  const kinds = [cluster, region, ...(pairs ? [pairs] : [])].filter(({ needed }) => needed > 0)
  if (kinds.length === 0) return undefined
  const sum = kinds.reduce((shares, { needed, placed }) => shares + placed / needed, 0)
  return Math.floor((100 * sum) / kinds.length)
}
