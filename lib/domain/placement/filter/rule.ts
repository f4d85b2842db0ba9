import type { ClusterFacts } from '../facts'
import type { PlacementRequest } from '../request'

/** The rules that may keep a cluster out, by the names of the scheduler's plugins. */
export type RuleName =
  | 'APIEnablement'
  | 'TaintToleration'
  | 'ClusterAffinity'
  | 'SpreadConstraint'
  | 'ClusterEviction'
  | 'EvictionHistory'
  | 'WorkloadAffinity'
  | 'WorkloadAntiAffinity'

/** A compiled rule: the reason why the cluster is kept out, or undefined. */
export type ClusterCheck = (facts: ClusterFacts) => string | undefined

/** One rule. It is compiled once per request and then asks every cluster. */
export interface FilterRule {
  name: RuleName
  /** Undefined when the rule keeps no cluster out under this request. */
  compile(request: PlacementRequest): ClusterCheck | undefined
}
