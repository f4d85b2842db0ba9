import type { Share } from './division'
import { dispenseSeats, prefersLaterName } from './webster'

/**
 * Divides replicas in proportion to the numbers of `shares`. The result is sorted by cluster name and includes clusters
 * that get no replica.
 */
export function dispenseByWeight(replicas: number, shares: readonly Share[], uid: string | undefined): Share[] {
  const parties = orderByName(shares)
  const votes = parties.map((party) => party.replicas)
  const seats = dispenseSeats({ seats: replicas, votes, laterNameFirst: prefersLaterName(uid) })
  return parties.map(({ cluster }, index) => ({ cluster, replicas: seats[index]! }))
}

/** Ranks are positions by name, so shares are ordered by indexing; sorting is needed only if a cluster occurs twice. */
function orderByName(shares: readonly Share[]): Share[] {
  const byRank: (Share | undefined)[] = []
  for (const share of shares) byRank[share.cluster.rank] = share
  const ordered = byRank.filter((share) => share !== undefined)
  return ordered.length === shares.length ? ordered : [...shares].sort((a, b) => a.cluster.rank - b.cluster.rank)
}
