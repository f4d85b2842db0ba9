/** Filters the clusters for a workload, with the rule that rejects each of the others. */
import type { ClusterFacts } from '../facts'
import type { PlacementRequest } from '../request'
import { apiEnablement } from './api-enablement'
import { clusterAffinity } from './cluster-affinity'
import { clusterEviction } from './cluster-eviction'
import { evictionHistory } from './eviction-history'
import type { ClusterCheck, FilterRule, RuleName } from './rule'
import { spreadConstraint } from './spread-constraint'
import { taintToleration } from './taint-toleration'
import { workloadAffinity, workloadAntiAffinity } from './workload-affinity'

export type { RuleName } from './rule'

/**
 * The order is fixed, so that the reported reason is deterministic; the set of feasible clusters does not depend on it.
 */
export const filterRules: readonly FilterRule[] = [
  apiEnablement,
  taintToleration,
  clusterAffinity,
  spreadConstraint,
  clusterEviction,
  evictionHistory,
  workloadAffinity,
  workloadAntiAffinity,
]

/** Why a cluster was rejected. */
export interface Rejection {
  cluster: string
  rule: RuleName
  reason: string
}

export interface FilterVerdict {
  /** Positions of the feasible clusters, ascending. */
  feasible: number[]
  rejections: Rejection[]
}

/** Filters all clusters. Clusters that are being deleted are rejected without a reason. */
export function filterClusters(clusters: readonly ClusterFacts[], request: PlacementRequest): FilterVerdict {
  const checks = compileRules(request)
  const verdict: FilterVerdict = { feasible: [], rejections: [] }
  for (let position = 0; position < clusters.length; position += 1) {
    const facts = clusters[position]!
    if (facts.deleting) continue
    const rejection = reject(facts, checks)
    if (rejection) verdict.rejections.push(rejection)
    else verdict.feasible.push(position)
  }
  return verdict
}

/** Filters the clusters at these positions. */
export function recheckClusters(
  clusters: readonly ClusterFacts[],
  request: PlacementRequest,
  positions: Iterable<number>,
): number[] {
  const checks = compileRules(request)
  return [...positions].filter((at) => !clusters[at]!.deleting && !reject(clusters[at]!, checks))
}

interface CompiledRule {
  rule: RuleName
  check: ClusterCheck
}

function compileRules(request: PlacementRequest): CompiledRule[] {
  return filterRules.flatMap(({ name, compile }) => {
    const check = compile(request)
    return check ? [{ rule: name, check }] : []
  })
}

function reject(facts: ClusterFacts, checks: readonly CompiledRule[]): Rejection | undefined {
  for (const { rule, check } of checks) {
    const reason = check(facts)
    if (reason !== undefined) return { cluster: facts.name, rule, reason }
  }
  return undefined
}

/**
 * Returns the message for a workload without a feasible cluster. `total` counts all clusters, including those being
 * deleted.
 */
export function describeNoFit(total: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  // upstream: karmada-scheduler, FitError
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
  return `0/${total} clusters are available: ${parts.length > 0 ? parts.join(', ') : 'no cluster exists'}.`
}
