/** What Remedies ask to be done for a cluster. */
import { findCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds'
import type { Remedy } from '../../kube/kinds/remedy'

/** True when the remedy is about the cluster: it names the cluster, or none at all. */
export function isRemedyFor({ spec: { clusterAffinity } }: Remedy, { metadata: { name } }: Cluster): boolean {
  return !clusterAffinity || (clusterAffinity.clusterNames ?? []).includes(name)
}

/**
 * The actions of all remedies for a cluster, each once and in the order of their names. A remedy applies when one of its
 * matches holds, or when it has no list of them. A condition that the cluster does not have meets no match.
 */
export function remedyActionsOf(cluster: Cluster, remedies: readonly Remedy[]): string[] {
  const actions = remedies
    .filter((remedy) => isRemedyFor(remedy, cluster) && applies(remedy, cluster))
    .flatMap(({ spec }) => spec.actions ?? [])
  return [...new Set(actions)].sort()
}

function applies({ spec: { decisionMatches } }: Remedy, { status }: Cluster): boolean {
  if (!decisionMatches) return true
  return decisionMatches.some(({ clusterConditionMatch: match }) => {
    const condition = match && findCondition(status?.conditions, match.conditionType)
    if (!condition) return false
    return (condition.status === match.conditionStatus) === (match.operator === 'Equal')
  })
}
