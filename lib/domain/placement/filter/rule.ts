import type { ClusterFacts } from '../facts'
import type { PlacementRequest } from '../request'

/** Filters, named after the scheduler's plugins. */
export type RuleName =
  | 'APIEnablement'
  | 'TaintToleration'
  | 'ClusterAffinity'
  | 'SpreadConstraint'
  | 'ClusterEviction'
  | 'EvictionHistory'
  | 'WorkloadAffinity'
  | 'WorkloadAntiAffinity'

/** A compiled filter: returns the reason for rejecting the cluster, or undefined. */
export type ClusterCheck = (facts: ClusterFacts) => string | undefined

/** One filter, compiled once per request and then applied to every cluster. */
export interface FilterRule {
  name: RuleName
  /** Returns undefined if the filter rejects no cluster for this request. */
  compile(request: PlacementRequest): ClusterCheck | undefined
}
