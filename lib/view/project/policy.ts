/** The row of a propagation policy: what it selects, its effect, and the state of the claimed workloads. */
import { applicationRuleOf } from '@/lib/domain/failover'
import type { Policy } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { FailoverBehavior } from '@/lib/kube/kinds/failover'
import type { PropagationSpec, ResourceSelector } from '@/lib/kube/kinds/propagation-spec'
import { message, type Message } from '@/lib/messages/message'
import type { StateView } from '../model'
import { policyId, type PolicyView, type ResourceSelectorView } from '../policy-model'
import { type AnyBinding, byCluster } from './binding-facts'
import { placementRules, selectorTexts } from './placement'
import { say } from './say'

/** A binding that the policy claimed, with the replicas that a rebalance would move. */
export interface ClaimedBinding {
  binding: AnyBinding
  drift: number
}

/** `claimed`: those that the reader may view. */
export function projectPolicy(policy: Policy, claimed: readonly ClaimedBinding[]): PolicyView {
  const { metadata, spec } = policy
  const { namespace, name, creationTimestamp, deletionTimestamp } = metadata
  const sums = sumOf(claimed)
  const suspension = suspensionRules(spec)
  const deleting = deletionTimestamp !== undefined
  return {
    id: policyId({ namespace, name }),
    kind: namespace === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    ...(namespace !== undefined && { namespace }),
    name,
    state: stateOf({ ...sums, deleting, isSuspended: suspension.length > 0 }),
    selectors: spec.resourceSelectors.map(selectorView),
    priority: spec.priority ?? 0,
    preempts: spec.preemption === 'Always',
    lazy: spec.activationPreference === 'Lazy',
    placement: placementRules(spec.placement),
    suspension,
    failover: failoverRules(policy),
    workloads: sums.workloads,
    replicas: sums.replicas,
    clusters: sums.clusters,
    drifted: sums.drifted,
    drift: sums.drift,
    deleting,
    createdAt: creationTimestamp ?? '',
  }
}

function selectorView({ apiVersion, kind, namespace, name, labelSelector }: ResourceSelector): ResourceSelectorView {
  return {
    apiVersion,
    kind,
    ...(namespace && { namespace }),
    ...(name && { name }),
    // Labels are ignored if there is a name.
    labels: name ? [] : selectorTexts(labelSelector),
  }
}

interface Sums extends Pick<PolicyView, 'workloads' | 'replicas' | 'clusters' | 'drifted' | 'drift'> {
  unscheduled: number
}

function sumOf(claimed: readonly ClaimedBinding[]): Sums {
  const replicas = new Map<string, number>()
  const sums = { drifted: 0, drift: 0, unscheduled: 0 }
  for (const { binding, drift } of claimed) {
    for (const { name, replicas: count = 0 } of binding.spec.clusters ?? [])
      replicas.set(name, (replicas.get(name) ?? 0) + count)
    if (drift > 0) sums.drifted += 1
    sums.drift += drift
    if (isUnscheduled(binding)) sums.unscheduled += 1
  }
  const clusters = [...replicas].map(([cluster, count]) => ({ cluster, replicas: count })).sort(byCluster)
  const total = clusters.reduce((sum, { replicas: count }) => sum + count, 0)
  return { ...sums, workloads: claimed.length, replicas: total, clusters }
}

/** Reports whether the scheduler tried and found no placement. */
function isUnscheduled({ status }: AnyBinding): boolean {
  const conditions = status?.conditions
  return conditions?.some(({ type }) => type === 'Scheduled') === true && !isConditionTrue(conditions, 'Scheduled')
}

function stateOf({
  workloads,
  unscheduled,
  drifted,
  drift,
  deleting,
  isSuspended,
}: Sums & { deleting: boolean; isSuspended: boolean }): StateView {
  if (deleting) return say('active', message('policies.state.deleting'))
  if (unscheduled > 0) return say('fail', message('policies.state.unscheduled', { n: unscheduled, of: workloads }))
  if (isSuspended) return say('held', message('policies.state.suspended'))
  if (workloads === 0) return say('unknown', message('policies.state.empty'))
  if (drifted > 0) return say('warn', message('policies.state.drifted', { n: drifted, replicas: drift }))
  return say('ok', message('policies.state.ok', { n: workloads }))
}

function suspensionRules({ suspension = {} }: PropagationSpec): Message[] {
  const { scheduling, dispatching, dispatchingOnClusters } = suspension
  const clusters = dispatchingOnClusters?.clusterNames ?? []
  return [
    ...(scheduling ? [message('policies.suspension.scheduling')] : []),
    ...(dispatching ? [message('policies.suspension.dispatching')] : []),
    ...(!dispatching && clusters.length > 0 ? [message('policies.suspension.clusters', { clusters })] : []),
  ]
}

/** Describes what happens when a cluster fails, and when the workload fails. */
function failoverRules(policy: Policy): Message[] {
  const { failover = {} } = policy.spec
  return [...clusterRules(failover), ...applicationRules(policy)]
}

function clusterRules({ cluster }: FailoverBehavior): Message[] {
  return cluster ? [message('policies.failover.cluster', { mode: cluster.purgeMode ?? 'Gracefully' })] : []
}

function applicationRules({ metadata, spec }: Policy): Message[] {
  const binding = { metadata: {}, spec: { failover: spec.failover } } as Parameters<typeof applicationRuleOf>[0]
  const rule = applicationRuleOf(binding, { metadata })
  if (!rule) return []
  const { tolerationMs, failedStates, purgeMode } = rule
  return [
    message('policies.failover.application', { states: failedStates, span: { ms: tolerationMs }, mode: purgeMode }),
  ]
}
