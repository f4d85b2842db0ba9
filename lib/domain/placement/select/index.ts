/** Selects among the feasible clusters by the spread constraints of the placement. */
import type { Placement, SpreadConstraint } from '@/lib/kube/kinds/placement'
import type { Candidate } from '../candidate'
import { type PlacementRequest, isDuplicated } from '../request'
import { selectByCluster } from './cluster'
import { selectByRegion } from './region'
import type { Bounds, Selection, SelectionInput } from './selection'

/** Selects among candidates that are sorted by preference. */
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

/** Returns the fields of a request that the strategies read. */
export function selectionInput(
  candidates: readonly Candidate[],
  { placement, spec, wholeSets }: PlacementRequest,
): SelectionInput {
  const constraints = placement.spreadConstraints ?? []
  return {
    candidates,
    replicas: wholeSets ? 1 : (spec.replicas ?? 0),
    duplicated: isDuplicated(placement),
    cluster: boundsOf(constraints, 'cluster'),
    region: boundsOf(constraints, 'region'),
  }
}

/** If several constraints use one field, the last counts. */
export function boundsOf(constraints: readonly SpreadConstraint[], field: string): Bounds {
  const constraint = constraints.findLast(({ spreadByField }) => spreadByField === field)
  return { minGroups: constraint?.minGroups ?? 0, maxGroups: constraint?.maxGroups ?? 0 }
}

/**
 * Static weights name their clusters themselves, so constraints are ignored. As upstream, a preference with both parts
 * empty divides by static weight but honors constraints.
 */
function ignoresSpreading({ replicaScheduling }: Placement): boolean {
  if (replicaScheduling?.replicaSchedulingType !== 'Divided') return false
  if (replicaScheduling.replicaDivisionPreference !== 'Weighted') return false
  const preference = replicaScheduling.weightPreference
  return !preference || (!!preference.staticWeightList?.length && !preference.dynamicWeight)
}
