/** Formats replicas by cluster as part of a message. */
import { clustersInWords } from '../domain/rebalance/distribution'
import type { Message } from '../messages/message'
import type { ReplicasInCluster } from './model'

/** Returns `2 in member1 and 1 in member2`, `member1 and member2` for objects without replicas, or `no cluster`. */
export const replicasIn = (places: readonly ReplicasInCluster[]): Message =>
  clustersInWords(places.map(({ cluster, replicas }) => ({ name: cluster, replicas })))
