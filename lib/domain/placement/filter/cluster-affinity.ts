import type { ClusterAffinity } from '@/lib/kube/kinds/placement'
import { compileAffinity } from '../affinity'
import { type PlacementRequest, affinityTermOf, isWorkload } from '../request'
import type { FilterRule } from './rule'

/** The cluster belongs to the affinity, or to the group in force or (workloads only) one of its overflow groups. */
export const clusterAffinity: FilterRule = {
  name: 'ClusterAffinity',
  compile(request) {
    const tests = affinitiesOf(request).map(compileAffinity)
    if (tests.length === 0) return undefined
    return (facts) =>
      tests.some((test) => test(facts))
        ? undefined
        : 'cluster(s) did not match the placement cluster affinity constraint'
  },
}

function affinitiesOf(request: PlacementRequest): ClusterAffinity[] {
  const { placement, spec } = request
  if (placement.clusterAffinity) return [placement.clusterAffinity]
  const term = affinityTermOf(request)
  if (!term) return []
  return isWorkload(spec) ? [term, ...(term.overflowAffinities ?? [])] : [term]
}
