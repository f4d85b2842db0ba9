/** Which of the feasible clusters take part, under the spread constraints of the placement. */
import type { Placement, SpreadConstraint } from '@/lib/kube/kinds/placement'
import type { Candidate } from '../candidate'
import { type PlacementRequest, isDuplicated } from '../request'
import { selectByCluster } from './cluster'
import { selectByRegion } from './region'
import type { Bounds, Selection, SelectionInput } from './selection'

/** Selects among candidates that are already in order of preference. */
export function selectClusters(candidates: readonly Candidate[], request: PlacementRequest): Selection {
  const constraints = request.placement.spreadConstraints ?? []
  if (constraints.length === 0 || ignoresSpreading(request.placement)) return { ok: true, selected: [...candidates] }
  const input = selectionInput(candidates, request)
  if (constraints.some(({ spreadByField }) => spreadByField === 'region')) return selectByRegion(input)
  if (selectsByCluster(request.placement)) return selectByCluster(input)
  // upstream: karmada-scheduler, SelectBestClusters
  return { ok: false, message: 'just support cluster and region spread constraint' }
}

/** A constraint on clusters, and none on regions, decides which clusters are selected. */
export function selectsByCluster(placement: Placement): boolean {
  const constraints = placement.spreadConstraints ?? []
  const has = (field: string): boolean => constraints.some(({ spreadByField }) => spreadByField === field)
  return !ignoresSpreading(placement) && has('cluster') && !has('region')
}

/** What the strategies read of a request. */
export function selectionInput(
  candidates: readonly Candidate[],
  { placement, spec }: PlacementRequest,
): SelectionInput {
  const constraints = placement.spreadConstraints ?? []
  return {
    candidates,
    replicas: spec.replicas ?? 0,
    duplicated: isDuplicated(placement),
    cluster: boundsOf(constraints, 'cluster'),
    region: boundsOf(constraints, 'region'),
  }
}

/** Of several constraints on one field the last counts. */
export function boundsOf(constraints: readonly SpreadConstraint[], field: string): Bounds {
  const constraint = constraints.findLast(({ spreadByField }) => spreadByField === field)
  return { minGroups: constraint?.minGroups ?? 0, maxGroups: constraint?.maxGroups ?? 0 }
}

/** Static weights name their clusters themselves. A preference with both parts empty divides so, and yet spreads. */
function ignoresSpreading({ replicaScheduling }: Placement): boolean {
  if (replicaScheduling?.replicaSchedulingType !== 'Divided') return false
  if (replicaScheduling.replicaDivisionPreference !== 'Weighted') return false
  const preference = replicaScheduling.weightPreference
  return !preference || (!!preference.staticWeightList?.length && !preference.dynamicWeight)
}
