/** Feasible clusters with the values by which the scheduler ranks them. */
import { compileAffinity } from './affinity'
import type { ClusterFacts } from './facts'
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

/** What the order of preference reads. */
type Preference = Pick<Candidate, 'overflowOrder' | 'score' | 'availableReplicas' | 'rank'>

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

/** Orders by preference: lower overflow order, higher score, more available replicas, name. Total. */
export function comparePreference(a: Preference, b: Preference): number {
  return (
    a.overflowOrder - b.overflowOrder
    || b.score - a.score
    || b.availableReplicas - a.availableReplicas
    || a.rank - b.rank
  )
}

/** Builds a candidate from the facts of a cluster and the values of this run. */
export function candidateOf(
  facts: ClusterFacts,
  { spec, positions }: PlacementRequest,
  parts: Pick<Candidate, 'rank' | 'overflowOrder' | 'allocatableReplicas'> & { score?: number },
): Candidate {
  const position = positions.get(facts.name)
  const assigned = position === undefined ? 0 : (spec.clusters?.[position]?.replicas ?? 0)
  return {
    facts,
    name: facts.name,
    rank: parts.rank,
    position,
    assigned,
    score: parts.score ?? (position === undefined ? 0 : 100),
    overflowOrder: parts.overflowOrder,
    allocatableReplicas: parts.allocatableReplicas,
    availableReplicas: parts.allocatableReplicas + assigned,
  }
}
