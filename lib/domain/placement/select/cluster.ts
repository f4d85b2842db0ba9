import type { Candidate } from '../candidate'
import type { Selection, SelectionInput } from './selection'

/**
 * Takes the most preferred clusters up to the maximum. If their capacity is insufficient, replaces the least preferred
 * ones by larger clusters, in place.
 */
export function selectByCluster({ candidates, cluster, replicas, duplicated }: SelectionInput): Selection {
  // upstream: karmada-scheduler, selectBestClustersByCluster
  if (candidates.length < cluster.minGroups) {
    return { ok: false, message: 'the number of feasible clusters is less than spreadConstraint.MinGroups' }
  }
  const count = Math.min(candidates.length, cluster.maxGroups)
  const chosen = candidates.slice(0, count)
  if (duplicated) return { ok: true, selected: chosen }
  exchangeForCapacity(chosen, candidates.slice(count), replicas)
  // upstream: the same
  if (chosen.length === 0 || capacityOf(chosen) < replicas) {
    return { ok: false, message: `no enough resource when selecting ${count} clusters` }
  }
  return { ok: true, selected: chosen }
}

function exchangeForCapacity(chosen: Candidate[], rest: Candidate[], replicas: number): void {
  let capacity = capacityOf(chosen)
  for (let index = chosen.length - 1; index >= 0 && capacity < replicas; index -= 1) {
    const displaced = chosen[index]!
    const larger = indexOfLarger(rest, displaced.availableReplicas)
    if (larger < 0) continue
    chosen[index] = rest[larger]!
    rest[larger] = displaced
    capacity += chosen[index]!.availableReplicas - displaced.availableReplicas
  }
}

/** Returns the index of the first of the largest candidates, if strictly larger; otherwise -1. */
function indexOfLarger(rest: readonly Candidate[], than: number): number {
  let best = -1
  let capacity = than
  rest.forEach(({ availableReplicas }, index) => {
    if (availableReplicas <= capacity) return
    best = index
    capacity = availableReplicas
  })
  return best
}

function capacityOf(clusters: readonly Candidate[]): number {
  return clusters.reduce((sum, { availableReplicas }) => sum + availableReplicas, 0)
}
