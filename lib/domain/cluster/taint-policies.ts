/** Applies ClusterTaintPolicies to the taints of a cluster. */
import type { Cluster, ClusterConditionMatch, ClusterTaintPolicy, Taint } from '../../kube/kinds'
import { findCondition } from '../../kube/conditions'
import type { Condition } from '../../kube/object'
import { formatTime, type EpochMs } from '../../std/clock'
import { factsOf } from '../placement/facts'
import { matchesAffinity } from '../placement/affinity'
import type { TaintPlan } from './taints'

export interface TaintPolicySnapshot {
  now: EpochMs
  cluster: Cluster
  /** In any order. */
  policies: readonly ClusterTaintPolicy[]
}

/** Reports whether the policy selects the cluster. */
export function concernsCluster({ spec: { targetClusters } }: ClusterTaintPolicy, cluster: Cluster): boolean {
  return !targetClusters || matchesAffinity(targetClusters, factsOf(cluster))
}

/**
 * Plans the taints of a cluster. Policies that select it are applied one after the other, in the order of their
 * creation. A policy adds its taints if all `addOnConditions` match, except where a taint with that key and effect
 * exists. It then removes its taints if all `removeOnConditions` match, even if a user or another policy added them. An
 * empty list of conditions never matches. Taints that a policy added stay when the policy is changed or deleted.
 */
export function planPolicyTaints({ now, cluster, policies }: TaintPolicySnapshot): TaintPlan {
  const before = cluster.spec.taints ?? []
  const conditions = cluster.status?.conditions ?? []
  const taints = policies
    .filter((policy) => concernsCluster(policy, cluster))
    .toSorted(byCreation)
    .reduce((present, { spec }) => {
      const grown = holds(spec.addOnConditions, conditions) ? withTaints(present, spec.taints, now) : present
      return holds(spec.removeOnConditions, conditions)
        ? grown.filter((taint) => !spec.taints.some((one) => isSame(one, taint)))
        : grown
    }, before)
  const changed = taints.length !== before.length || taints.some((taint, index) => !isSame(taint, before[index]))
  return { taints: changed ? [...taints] : before, changed }
}

function holds(wanted: readonly ClusterConditionMatch[] | undefined, conditions: readonly Condition[]): boolean {
  return (
    wanted !== undefined
    && wanted.length > 0
    && wanted.every((match) => isMet(match, findCondition(conditions, match.conditionType)))
  )
}

/** A condition that the cluster does not have never matches, not even `NotIn`. */
function isMet({ operator, statusValues }: ClusterConditionMatch, condition: Condition | undefined): boolean {
  if (!condition) return false
  const listed = statusValues.includes(condition.status)
  return operator === 'In' ? listed : operator === 'NotIn' && !listed
}

function withTaints(present: readonly Taint[], added: ClusterTaintPolicy['spec']['taints'], now: EpochMs): Taint[] {
  return added.reduce<Taint[]>(
    (taints, taint) =>
      taints.some((one) => isSame(one, taint)) ? taints : [...taints, { ...taint, timeAdded: formatTime(now) }],
    [...present],
  )
}

const isSame = (a: Pick<Taint, 'key' | 'effect'>, b: Pick<Taint, 'key' | 'effect'> | undefined): boolean =>
  a.key === b?.key && a.effect === b.effect

function byCreation({ metadata: a }: ClusterTaintPolicy, { metadata: b }: ClusterTaintPolicy): number {
  const [left, right] = [`${a.creationTimestamp} ${a.name}`, `${b.creationTimestamp} ${b.name}`]
  return left < right ? -1 : left > right ? 1 : 0
}
