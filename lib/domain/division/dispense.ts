import type { Share } from './division'
import { dispenseSeats, prefersLaterName } from './webster'

/** Divides replicas over shares in proportion to their numbers; clusters by name, also those that get none. */
export function dispenseByWeight(replicas: number, shares: readonly Share[], uid: string | undefined): Share[] {
  const parties = orderByName(shares)
  const votes = parties.map((party) => party.replicas)
  const seats = dispenseSeats({ seats: replicas, votes, laterNameFirst: prefersLaterName(uid) })
  return parties.map(({ cluster }, index) => ({ cluster, replicas: seats[index]! }))
}

/** Ranks are positions by name, so every share has its place; only doubled clusters need a real sort. */
function orderByName(shares: readonly Share[]): Share[] {
  const byRank: (Share | undefined)[] = []
  for (const share of shares) byRank[share.cluster.rank] = share
  const ordered = byRank.filter((share) => share !== undefined)
  return ordered.length === shares.length ? ordered : [...shares].sort((a, b) => a.cluster.rank - b.cluster.rank)
}
