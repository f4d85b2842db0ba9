import { lastRank, type Share } from './division'
import { dispenseSeats, prefersLaterName } from './webster'

/**
 * Divides replicas in proportion to the numbers of `shares`. The result is sorted by cluster name and includes clusters
 * that get no replica.
 */
export function dispenseByWeight(replicas: number, shares: readonly Share[], uid: string | undefined): Share[] {
  const parties = orderByName(shares)
  const votes: number[] = []
  for (const party of parties) votes.push(party.replicas)
  const seats = dispenseSeats({ seats: replicas, votes, laterNameFirst: prefersLaterName(uid) })
  return parties.map(({ cluster }, index) => ({ cluster, replicas: seats[index]! }))
}

/** Ranks are positions by name, so shares are ordered by indexing; sorting is needed only if a cluster occurs twice. */
function orderByName(shares: readonly Share[]): Share[] {
  // Of its full length at once: a list that is filled in any order would become a dictionary.
  const byRank = new Array<Share | undefined>(lastRank(shares) + 1)
  for (const share of shares) byRank[share.cluster.rank] = share
  const ordered: Share[] = []
  for (const share of byRank) if (share) ordered.push(share)
  return ordered.length === shares.length ? ordered : [...shares].sort((a, b) => a.cluster.rank - b.cluster.rank)
}
