/** Decides how many replicas each selected cluster gets. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { Candidate } from '../placement/candidate'
import { type PlacementRequest, affinityTermOf } from '../placement/request'
import { type Division, type DivisionInput, type Share, type Strategy, strategyOf } from './division'
import { divideAggregated, divideDynamicWeight } from './dynamic'
import { divideDuplicated } from './duplicated'
import { divideStaticWeight } from './static-weight'

type Failure = Extract<Division, { ok: false }>

/** The result for `spec.clusters`, with the weights that produced it. */
export type Assignment = { ok: true; clusters: TargetCluster[]; weights: readonly Share[] } | Failure

const strategies: Record<Strategy, (input: DivisionInput) => Division> = {
  Duplicated: divideDuplicated,
  StaticWeight: divideStaticWeight,
  DynamicWeight: divideDynamicWeight,
  Aggregated: divideAggregated,
}

/**
 * Divides the replicas of a binding over the selected clusters. A template that is not a divisible workload is assigned
 * to all of them without replicas. Clusters that get no replica are omitted. The sum of the result is the desired
 * number, except for Duplicated (the desired number in each cluster) and for weights that sum to zero (none).
 */
export function divideReplicas(request: PlacementRequest, selected: readonly Candidate[]): Assignment {
  const { spec, placement } = request
  // upstream: Karmada scheduler, replica assignment
  if (selected.length === 0) return refuse('no clusters available to schedule')
  if (!isDivisible(request)) return { ok: true, clusters: wholeIn(request, selected), weights: [] }
  const strategy = strategyOf(placement)
  if (!strategy) return refuse(unsupported(placement.replicaScheduling))
  const input = { request, clusters: selected, replicas: spec.replicas ?? 0 }
  return toAssignment(usesOverflow(request) ? divideByTier(input, strategy) : strategies[strategy](input))
}

/** The workload without division; a set of components says how many replicas of each go there. */
function wholeIn({ spec: { components = [] }, wholeSets }: PlacementRequest, selected: readonly Candidate[]) {
  const parts = components.map(({ name, replicas }) => ({ name, replicas }))
  return selected.map(({ name }) => ({ name, ...(wholeSets && parts.length > 1 && { components: parts }) }))
}

function isDivisible({ spec }: PlacementRequest): boolean {
  return ((spec.replicas ?? 0) > 0 || !!spec.replicaRequirements) && (spec.components?.length ?? 0) <= 1
}

function usesOverflow(request: PlacementRequest): boolean {
  return !request.placement.clusterAffinity && affinityTermOf(request)?.overflowAffinities !== undefined
}

/** Fills the first overflow tier up to its capacity, then the next one. */
function divideByTier({ request, clusters, replicas }: DivisionInput, strategy: Strategy): Division {
  const shares: Share[] = []
  const weights: Share[] = []
  let remaining = replicas
  for (const tier of tiersOf(clusters)) {
    const capacity = tier.reduce((sum, { availableReplicas }) => sum + availableReplicas, 0)
    const part = Math.min(remaining, capacity)
    const division = strategies[strategy]({ request, clusters: tier, replicas: part })
    if (!division.ok) return division
    shares.push(...division.shares)
    weights.push(...division.weights)
    remaining -= part
    if (remaining <= 0) break
  }
  // upstream: Karmada scheduler, replica assignment
  if (remaining > 0) return refuse('Clusters available replicas are not enough to schedule.', true)
  return { ok: true, shares, weights }
}

function tiersOf(clusters: readonly Candidate[]): Candidate[][] {
  const tiers = new Map<number, Candidate[]>()
  for (const cluster of clusters) {
    const tier = tiers.get(cluster.overflowOrder)
    if (tier) tier.push(cluster)
    else tiers.set(cluster.overflowOrder, [cluster])
  }
  return [...tiers].sort(([a], [b]) => a - b).map(([, tier]) => tier)
}

function toAssignment(division: Division): Assignment {
  if (!division.ok) return division
  const clusters: TargetCluster[] = []
  for (const { cluster, replicas } of division.shares) if (replicas > 0) clusters.push({ name: cluster.name, replicas })
  return { ok: true, clusters, weights: division.weights }
}

function refuse(message: string, unschedulable = false): Failure {
  return { ok: false, unschedulable, message }
}

function unsupported(scheduling: Placement['replicaScheduling']): string {
  const { replicaSchedulingType = '', replicaDivisionPreference = '' } = scheduling ?? {}
  // upstream: Karmada scheduler, replica assignment
  return (
    `unsupported replica scheduling strategy, replicaSchedulingType: ${replicaSchedulingType}, `
    // upstream: the same message
    + `replicaDivisionPreference: ${replicaDivisionPreference}, please try another scheduling strategy`
  )
}
