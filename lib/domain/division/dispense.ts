import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Candidate } from '../placement/candidate'
import type { Share } from './division'
import { dispenseSeats, prefersLaterName } from './webster'

/** Divides replicas over shares in proportion to their numbers; clusters in order of name, those without replicas too. */
export function dispenseByWeight(replicas: number, shares: readonly Share[], uid: string | undefined): TargetCluster[] {
  const parties = [...shares].sort((a, b) => a.cluster.rank - b.cluster.rank)
  const votes = parties.map((party) => party.replicas)
  const seats = dispenseSeats({ seats: replicas, votes, laterNameFirst: prefersLaterName(uid) })
  return parties.map(({ cluster }, index) => ({ name: cluster.name, replicas: seats[index]! }))
}

/** The weights of shares by cluster name. */
export function weightsOf(shares: readonly { cluster: Candidate; replicas: number }[]): Map<string, number> {
  return new Map(shares.map(({ cluster, replicas }) => [cluster.name, replicas]))
}
