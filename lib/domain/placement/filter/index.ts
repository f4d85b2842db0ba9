/** Which clusters may take a workload, and by which rule the others may not. */
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

/** Fixed order, so that the reported reason is the same every time; which clusters fit does not depend on it. */
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

/** Why one cluster is kept out. */
export interface Rejection {
  cluster: string
  rule: RuleName
  reason: string
}

export interface FilterVerdict {
  /** Positions of the clusters that fit, ascending. */
  feasible: number[]
  rejections: Rejection[]
}

/** Asks the rules about every cluster. Clusters that are being deleted never fit and give no reason. */
export function filterClusters(clusters: readonly ClusterFacts[], request: PlacementRequest): FilterVerdict {
  const checks = compileRules(request)
  const verdict: FilterVerdict = { feasible: [], rejections: [] }
  clusters.forEach((facts, position) => {
    if (facts.deleting) return
    const rejection = reject(facts, checks)
    if (rejection) verdict.rejections.push(rejection)
    else verdict.feasible.push(position)
  })
  return verdict
}

/** The same about some clusters only. */
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

/** The text for a workload that no cluster may take. `total` counts all clusters, also those being deleted. */
export function describeNoFit(total: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  // upstream: karmada-scheduler, FitError
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
  return `0/${total} clusters are available: ${parts.length > 0 ? parts.join(', ') : 'no cluster exists'}.`
}
