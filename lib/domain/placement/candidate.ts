/** Feasible clusters with the values by which the scheduler orders them. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { compileAffinity } from './affinity'
import type { ClusterFacts, ClusterSnapshot } from './facts'
import { type PlacementRequest, affinityTermOf } from './request'

/** A feasible cluster. */
export interface Candidate {
  facts: ClusterFacts
  name: string
  /** Position among all clusters by name; breaks ties. */
  rank: number
  /** Position in the current result, and the replicas there; undefined and 0 if the cluster is not part of it. */
  position: number | undefined
  assigned: number
  /** 100 if the workload already runs there, otherwise 0. */
  score: number
  /** 0 for the affinity group itself, k for its k-th overflow group, 1000 for neither. */
  overflowOrder: number
  /** Additional replicas that the cluster could take (int32). */
  allocatableReplicas: number
  /** Additional plus current replicas (may exceed int32). */
  availableReplicas: number
}

/** Order of a cluster that belongs to no group of the current term. */
const outsideAllGroups = 1000

/** Compiles the overflow order of clusters. */
export function compileOverflowOrder(request: PlacementRequest): (facts: ClusterFacts) => number {
  if (!request.placement.clusterAffinities?.length) return () => 0
  const term = affinityTermOf(request)
  if (!term) return () => outsideAllGroups
  const tiers = [term, ...(term.overflowAffinities ?? [])].map(compileAffinity)
  return (facts) => {
    const tier = tiers.findIndex((test) => test(facts))
    return tier < 0 ? outsideAllGroups : tier
  }
}

/** Compiles how clusters become candidates, by rank. `allocatable`: how many more replicas they could take. */
export function compileCandidate(
  request: PlacementRequest,
  clusters: ClusterSnapshot,
  allocatable: (facts: ClusterFacts) => number,
): (rank: number) => Candidate {
  const overflowOrder = compileOverflowOrder(request)
  const placed = request.spec.clusters ?? []
  const positions = positionsByRank(placed, clusters)
  return (rank) => {
    const facts = clusters.facts[rank]!
    const position = positions[rank]! < 0 ? undefined : positions[rank]!
    const assigned = position === undefined ? 0 : (placed[position]!.replicas ?? 0)
    const allocatableReplicas = allocatable(facts)
    return {
      facts,
      name: facts.name,
      rank,
      position,
      assigned,
      score: position === undefined ? 0 : 100,
      overflowOrder: overflowOrder(facts),
      allocatableReplicas,
      availableReplicas: allocatableReplicas + assigned,
    }
  }
}

/**
 * Returns positions in the result, -1 for clusters that are not part of it. Looks up the clusters of the result, because
 * they are fewer than all clusters. For duplicate entries, the first counts.
 */
function positionsByRank(placed: readonly TargetCluster[], { facts, ranks }: ClusterSnapshot): Int32Array {
  const positions = new Int32Array(facts.length).fill(-1)
  for (let position = placed.length - 1; position >= 0; position -= 1) {
    const rank = ranks.get(placed[position]!.name)
    if (rank !== undefined) positions[rank] = position
  }
  return positions
}
