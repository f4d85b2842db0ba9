/** The view of a WorkloadRebalancer with the progress of every target. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { type IgnoredTrigger, type ObservedWorkload, workloadKey } from '@/lib/domain/rebalance'
import { message } from '../../messages/message'
import type { ReplicasInCluster, StateView, WorkloadRef } from '../model'
import type { RebalanceStage, RebalancerView, RebalanceTargetView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { CREATED_BY_ANNOTATION, PLAN_ANNOTATION, readPlanRecord } from './plan-record'
import { projectRebalanceTarget, type TargetNow } from './rebalance-target'
import { predictionOf } from './rebalance-prediction'
import { say } from './say'

export interface RebalancerSnapshot {
  rebalancer: WorkloadRebalancer
  /** Returns the current state of a target. */
  target(id: string): TargetNow | undefined
  /** Returns all rebalancers that list a target. */
  naming(id: string): readonly WorkloadRebalancer[]
  /** Returns the trigger of a target, if the scheduler ignored it. */
  ignored(id: string): IgnoredTrigger | undefined
  /** Returns where the scheduler should place a target by the latest reports of the clusters before its decision. */
  expected?(id: string): readonly TargetCluster[] | undefined
  /** Returns the placements before and after the rebalance, if the console observed it. */
  seen(id: string): { before: ReplicasInCluster[]; after: ReplicasInCluster[] } | undefined
}

/** Returns the row of a rebalancer, with targets sorted by name. */
export function projectRebalancer(snapshot: RebalancerSnapshot): RebalancerView {
  const { rebalancer } = snapshot
  const { metadata, spec, status } = rebalancer
  const targets = projectTargets(snapshot)
  return {
    id: metadata.name,
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    finishTime: status?.finishTime,
    ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished,
    createdBy: metadata.annotations?.[CREATED_BY_ANNOTATION],
    state: rebalancerState(targets),
    targets,
    counts: countStages(targets),
    prediction: predictionOf(targets),
  }
}

function projectTargets({
  rebalancer,
  target,
  naming,
  ignored,
  seen,
  expected,
}: RebalancerSnapshot): RebalanceTargetView[] {
  const { observedWorkloads = [] } = rebalancer.status ?? {}
  const observed = new Map(observedWorkloads.map((entry) => [workloadKey(entry.workload), entry]))
  const record = readPlanRecord(rebalancer.metadata.annotations?.[PLAN_ANNOTATION])
  return targetsOf(rebalancer, observed).map((ref) => {
    const id = workloadId(ref)
    const planned = record.get(id)
    const observedMove = seen(id)
    return projectRebalanceTarget({
      ref,
      rebalancer,
      observed: observed.get(workloadKey(ref)),
      naming: naming(id),
      now: target(id),
      ignored: ignored(id),
      before: planned?.before ?? observedMove?.before,
      predicted: planned?.predicted,
      isUncertain: planned?.isUncertain === true,
      expected: expected?.(id),
      placedByIt: observedMove?.after,
    })
  })
}

/** Returns the targets of the spec, and former ones in the status, without duplicates. */
function targetsOf({ spec }: WorkloadRebalancer, observed: ReadonlyMap<string, ObservedWorkload>): WorkloadRef[] {
  const refs = new Map(spec.workloads.map((workload) => [workloadKey(workload), workload]))
  for (const [key, { workload }] of observed) refs.set(key, workload)
  return [...refs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { apiVersion, kind, namespace, name }]) => ({ apiVersion, kind, ...(namespace && { namespace }), name }))
}

function countStages(targets: readonly RebalanceTargetView[]): Record<RebalanceStage, number> {
  const count = (stage: RebalanceStage): number => targets.filter((target) => target.stage === stage).length
  return {
    pending: count('pending'),
    triggered: count('triggered'),
    scheduled: count('scheduled'),
    applied: count('applied'),
    healthy: count('healthy'),
    failed: count('failed'),
  }
}

/** In progress until every target is done or failed; then the worst state of a target. */
function rebalancerState(targets: readonly RebalanceTargetView[]): StateView {
  const having = (state: StateView['state']): number => targets.filter((target) => target.state.state === state).length
  const total = targets.length
  const done = having('ok')
  if (having('active') > 0) return say('active', message('rebalance.state.inProgress', { done, total }))
  if (having('fail') > 0) return say('fail', message('rebalance.state.failed', { n: having('fail'), total }))
  if (having('warn') > 0) return say('warn', message('rebalance.state.notHealthy', { n: having('warn'), total }))
  if (having('held') > 0) return say('held', message('rebalance.state.suspended', { n: having('held'), total }))
  if (having('unknown') > 0) return say('unknown', message('rebalance.state.unknown', { n: having('unknown'), total }))
  const moved = targets.reduce((sum, target) => sum + (target.moved ?? 0), 0)
  return say('ok', message('rebalance.state.done', { total, moved }))
}
