/** Clusters that may take the workload, with what decides between them. */
import { compileAffinity } from './affinity'
import type { ClusterFacts } from './facts'
import { type PlacementRequest, affinityTermOf } from './request'

/** A feasible cluster. */
export interface Candidate {
  facts: ClusterFacts
  name: string
  /** Position among all clusters by name; breaks ties. */
  rank: number
  /** 100 when the workload already runs there, else 0. */
  score: number
  /** 0 for the affinity group itself, k for its k-th overflow group, 1000 for none of them. */
  overflowOrder: number
  /** More replicas that the cluster could take (int32). */
  allocatableReplicas: number
  /** The same plus those it has (may exceed int32). */
  availableReplicas: number
}

/** Belongs to no group of the term in force. */
const outsideAllGroups = 1000

/** 100 for clusters of the present result. */
export function localityScore(name: string, { assigned }: PlacementRequest): number {
  return assigned.has(name) ? 100 : 0
}

/** Compiles the question in which overflow tier a cluster lies. */
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

/** The order of preference: nearer tier, higher score, more available replicas, name. Total. */
export function comparePreference(a: Candidate, b: Candidate): number {
  return (
    a.overflowOrder - b.overflowOrder ||
    b.score - a.score ||
    b.availableReplicas - a.availableReplicas ||
    a.rank - b.rank
  )
}

/** Builds a candidate; `allocatableReplicas` comes from the estimation. */
export function candidateOf(
  facts: ClusterFacts,
  ranks: ReadonlyMap<string, number>,
  parts: Pick<Candidate, 'score' | 'overflowOrder' | 'allocatableReplicas'> & { assigned: number },
): Candidate {
  const { assigned, score, overflowOrder, allocatableReplicas } = parts
  return {
    facts,
    name: facts.name,
    rank: ranks.get(facts.name) ?? 0,
    score,
    overflowOrder,
    allocatableReplicas,
    availableReplicas: allocatableReplicas + assigned,
  }
}
