/** The placement algorithm: filter, score, estimate, select, divide. One run, from clusters to a result. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { type Share, divideReplicas } from '../division'
import type { Estimator } from '../estimate'
import { type Candidate, compileCandidate } from './candidate'
import { compileAllocatable } from './capacity'
import type { ClusterSnapshot } from './facts'
import { type Rejection, describeNoFit, filterClusters } from './filter'
import { sortByPreference } from './preference'
import type { PlacementRequest } from './request'
import { selectClusters } from './select'

/** Why a run has no result. */
export interface PlacementFailure {
  /**
   * FitError: no cluster passes the filters. UnschedulableError: capacity is lacking. Error: the placement is not
   * possible for another reason.
   */
  type: 'FitError' | 'UnschedulableError' | 'Error'
  /** In upstream's wording. */
  message: string
}

export type PlacementOutcome = { ok: true; clusters: TargetCluster[] } | { ok: false; failure: PlacementFailure }

/** One run with everything that explains it. Stages that were not reached are empty. */
export interface PlacementRun {
  request: PlacementRequest
  rejections: readonly Rejection[]
  /** Clusters that passed the filters, sorted by preference. */
  candidates: readonly Candidate[]
  /** Clusters that take part in the division, in order. */
  selected: readonly Candidate[]
  /** Weights of the division, for strategies with weights. */
  weights: readonly Share[]
  outcome: PlacementOutcome
}

export interface PlacementContext {
  clusters: ClusterSnapshot
  /** Default: `filterClusters`. */
  filter?: typeof filterClusters
  /** The lowest estimate counts. */
  estimators: readonly Estimator[]
  /** Also list selected clusters without replicas. */
  propagateEmptyWorkloads?: boolean
}

/** Runs the algorithm once. Never throws: a workload that cannot be placed yields a failure with a message. */
export function placeOnce(request: PlacementRequest, context: PlacementContext): PlacementRun {
  const { clusters, filter = filterClusters } = context
  const run = { request, candidates: [], selected: [], weights: [] }
  const { feasible, rejections } = filter(clusters.facts, request)
  if (feasible.length === 0) {
    const message = describeNoFit(
      clusters.facts.length,
      rejections.map(({ reason }) => reason),
    )
    return { ...run, rejections, outcome: fail('FitError', message) }
  }
  const candidates = rankCandidates(feasible, request, context)
  const selection = selectClusters(candidates, request)
  if (!selection.ok) {
    // upstream: karmada-scheduler, generic scheduler
    return { ...run, rejections, candidates, outcome: fail('Error', `failed to select clusters: ${selection.message}`) }
  }
  const ranked = { request, rejections, candidates, selected: selection.selected }
  const division = divideReplicas(request, selection.selected)
  if (!division.ok) {
    // upstream: karmada-scheduler, generic scheduler
    const type = division.unschedulable ? 'UnschedulableError' : 'Error'
    return { ...ranked, weights: [], outcome: fail(type, `failed to assign replicas: ${division.message}`) }
  }
  const { weights } = division
  const result = context.propagateEmptyWorkloads ? withEmpty(division.clusters, selection.selected) : division.clusters
  return { ...ranked, weights, outcome: { ok: true, clusters: result } }
}

function rankCandidates(
  feasible: readonly number[],
  request: PlacementRequest,
  { clusters, estimators }: PlacementContext,
): Candidate[] {
  const allocatable = compileAllocatable(request.spec, estimators, { wholeSets: request.wholeSets === true })
  const candidateAt = compileCandidate(request, clusters, allocatable)
  const candidates: Candidate[] = []
  for (const rank of feasible) candidates.push(candidateAt(rank))
  return sortByPreference(candidates)
}

function withEmpty(result: TargetCluster[], selected: readonly Candidate[]): TargetCluster[] {
  const listed = new Set(result.map(({ name }) => name))
  return [...result, ...selected.filter(({ name }) => !listed.has(name)).map(({ name }) => ({ name, replicas: 0 }))]
}

function fail(type: PlacementFailure['type'], message: string): PlacementOutcome {
  return { ok: false, failure: { type, message } }
}
