/** Restores a recorded distribution. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { type Message, message } from '@/lib/messages/message'
import { strategyOf } from '../division'
import { type Binding, factsOf, isSchedulingSuspended, matchesAffinity } from '../placement'
import { isPausedAmong } from './dispatching'
import { isSameDistribution, shiftsBetween } from './distribution'
import { because } from '../plan'
import { describeMove, describeRefusal, describeStay, type RefusalCode } from './plan-reasons'
import { refKey } from './plan-base'
import {
  concludePlan,
  moveOf,
  type RebalancePlan,
  type RebalanceSnapshot,
  unchangedPlan,
  type TargetPlan,
  withinBudget,
} from './plan-rebalance'
import { totalReplicas } from './readiness'
import { bindingRefOf } from './trigger'
import type { WorkloadRef } from './sync-status'

/** A workload and the distribution to restore. */
export interface Restoration {
  workload: WorkloadRef
  clusters: readonly TargetCluster[]
}

type RestoreSnapshot = Omit<RebalanceSnapshot, 'workloads' | 'policies'>

/** Returns the distributions before a plan, for every workload that the plan changed. */
export function invertPlan(status: Pick<RebalancePlanStatus, 'workloads'> | undefined): Restoration[] {
  return (status?.workloads ?? [])
    .filter(({ triggeredAt }) => triggeredAt !== undefined)
    .map(({ workload, before = [] }) => ({ workload, clusters: before }))
}

/** Previews an undo: the recorded distributions, and why some of them cannot be restored. */
export function planRestore(restorations: readonly Restoration[], snapshot: RestoreSnapshot): RebalancePlan {
  const index = new Map(snapshot.bindings.map((binding) => [refKey(binding.kind, binding.metadata), binding]))
  const planned = restorations.map(({ workload, clusters }) => {
    const ref = bindingRefOf(workload)
    const binding = index.get(refKey(ref.kind, ref))
    return {
      plan: restoreWorkload({ workload, clusters }, binding, snapshot),
      generation: binding?.metadata.generation ?? 0,
    }
  })
  return concludePlan(planned, snapshot, index)
}

/**
 * Previews the undo of one workload. Only divided replicas can be restored exactly, because the scheduler keeps them
 * until there is another reason to schedule. It places duplicated workloads again in every run.
 */
export function restoreWorkload(
  { workload, clusters }: Restoration,
  binding: Binding | undefined,
  snapshot: Omit<RestoreSnapshot, 'bindings'>,
): TargetPlan {
  const refuse = (reason: Message): TargetPlan =>
    unchangedPlan(workload, binding, { verdict: 'refused', reason: because(reason) }, snapshot)
  const refuseAs = (code: RefusalCode): TargetPlan => refuse(describeRefusal(code).text)
  if (!binding) return refuseAs('BindingNotFound')
  const { metadata, spec } = binding
  if (metadata.deletionTimestamp) return refuseAs('Deleting')
  const before = spec.clusters ?? []
  const after = clusters.filter(({ replicas = 0 }) => replicas > 0)
  if (isSameDistribution(before, after)) {
    return unchangedPlan(workload, binding, { verdict: 'stays', reason: describeStay('AlreadyBest') }, snapshot)
  }
  if (isSchedulingSuspended(spec)) return refuseAs('Suspended')
  if (spec.suspension?.dispatching || isPausedAmong(binding, after)) return refuseAs('DispatchingSuspended')
  if (strategyOf(spec.placement ?? {}) === 'Duplicated' || !spec.replicas)
    return refuse(message('rebalance.refused.SchedulerDecides'))
  if (totalReplicas(after) !== spec.replicas)
    return refuse(message('rebalance.refused.ReplicasChanged', { was: totalReplicas(after), now: spec.replicas }))
  const gone = after.filter(({ name }) => !isUsable(name, snapshot)).map(({ name }) => name)
  if (gone.length > 0) return refuse(message('rebalance.refused.ClusterGone', { clusters: gone }))
  const excluded = after.filter(({ name }) => !isAdmitted(name, spec.placement, snapshot)).map(({ name }) => name)
  if (excluded.length > 0) return refuse(message('rebalance.refused.ClusterExcluded', { clusters: excluded }))
  const reason = { ...describeMove(shiftsBetween(before, after), { before, after, rule: undefined }), code: 'Restores' }
  return withinBudget(moveOf({ workload, binding, after, reason }, snapshot))
}

/** Reports whether the cluster exists, is not being deleted and does not evict. */
function isUsable(name: string, { clusters }: Pick<RestoreSnapshot, 'clusters'>): boolean {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  return (
    cluster !== undefined
    && !cluster.metadata.deletionTimestamp
    && !cluster.spec.taints?.some(({ effect }) => effect === 'NoExecute')
  )
}

/** Reports whether the current affinity of the policy matches, in any of its groups. */
function isAdmitted(
  name: string,
  { clusterAffinity, clusterAffinities }: Placement = {},
  { clusters }: Pick<RestoreSnapshot, 'clusters'>,
): boolean {
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  const terms = clusterAffinities?.flatMap((term) => [term, ...(term.overflowAffinities ?? [])]) ?? [
    clusterAffinity ?? {},
  ]
  return cluster !== undefined && terms.some((term) => matchesAffinity(term, factsOf(cluster)))
}
