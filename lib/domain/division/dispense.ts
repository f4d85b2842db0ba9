import { byName, type Share } from './division'
import { dispenseSeats, prefersLaterName } from './webster'

/**
 * Divides replicas in proportion to the numbers of `shares`. The result is sorted by cluster name and includes clusters
 * that get no replica.
 */
export function dispenseByWeight(replicas: number, shares: readonly Share[], uid: string | undefined): Share[] {
  const parties = byName(shares, ({ cluster }) => cluster)
  const votes: number[] = []
  for (const party of parties) votes.push(party.replicas)
  const seats = dispenseSeats({ seats: replicas, votes, laterNameFirst: prefersLaterName(uid) })
  return parties.map(({ cluster }, index) => ({ cluster, replicas: seats[index]! }))
}
