import type { ClusterAffinity } from '@/lib/kube/kinds/placement'
import { type ClusterTest, compileAffinity } from '../affinity'
import { type PlacementRequest, affinityTermOf, isWorkload } from '../request'
import type { FilterRule } from './rule'

/**
 * Requires that the cluster matches the affinity, or the current affinity group or (workloads only) one of its overflow
 * groups.
 */
export const clusterAffinity: FilterRule = {
  name: 'ClusterAffinity',
  compile(request) {
    const belongs = compileMembership(request)
    return (
      belongs
      // upstream: karmada-scheduler, plugin ClusterAffinity
      && ((facts) =>
        belongs(facts) ? undefined : 'cluster(s) did not match the placement cluster affinity constraint')
    )
  },
}

/** Returns the test for the affinities of the request; undefined if every cluster matches. */
export function compileMembership(request: PlacementRequest): ClusterTest | undefined {
  const tests = affinitiesOf(request).map(compileAffinity)
  return tests.length === 0 ? undefined : (facts) => tests.some((test) => test(facts))
}

function affinitiesOf(request: PlacementRequest): ClusterAffinity[] {
  const { placement, spec } = request
  if (placement.clusterAffinity) return [placement.clusterAffinity]
  const term = affinityTermOf(request)
  if (!term) return []
  return isWorkload(spec) ? [term, ...(term.overflowAffinities ?? [])] : [term]
}
