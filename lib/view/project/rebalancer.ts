/** The views of a WorkloadRebalancer: its row, and its page with the progress of every target. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import {
  hasRoomForResults,
  type IgnoredTrigger,
  type ObservedWorkload,
  targetsOf,
  workloadKey,
} from '@/lib/domain/rebalance'
import { message } from '../../messages/message'
import type { ReplicasInCluster, State, StateView, WorkloadRef } from '../model'
import type { RebalancerRowView, RebalancerView, RebalanceStage, RebalanceTargetView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { CREATED_BY_ANNOTATION, PLAN_ANNOTATION, type PlannedMove, readPlanRecord } from './plan-record'
import { moveOf } from './rebalance-move'
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

/** One target as the object lists it. */
export interface ListedTarget {
  /** The workload ID. */
  id: string
  ref: WorkloadRef
  /** Its entry in the status. */
  observed: ObservedWorkload | undefined
  /** Its record by the console. */
  planned: PlannedMove | undefined
}

/** Returns the targets sorted by name. */
export function listTargets(rebalancer: WorkloadRebalancer): ListedTarget[] {
  const { metadata, status } = rebalancer
  const observed = new Map(status?.observedWorkloads?.map((entry) => [workloadKey(entry.workload), entry]))
  const record = readPlanRecord(metadata.annotations?.[PLAN_ANNOTATION])
  return [...targetsOf(rebalancer)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { apiVersion, kind, namespace, name }]) => {
      const ref = { apiVersion, kind, ...(namespace && { namespace }), name }
      const id = workloadId(ref)
      return { id, ref, observed: observed.get(key), planned: record.get(id) }
    })
}

export function projectTarget(
  { rebalancer, target, naming, ignored, seen, expected }: RebalancerSnapshot,
  { id, ref, observed, planned }: ListedTarget,
): RebalanceTargetView {
  const observedMove = seen(id)
  return projectRebalanceTarget({
    ref,
    rebalancer,
    observed,
    naming: naming(id),
    now: target(id),
    ignored: ignored(id),
    before: planned?.before ?? observedMove?.before,
    predicted: planned?.predicted,
    isUncertain: planned?.isUncertain === true,
    expected: expected?.(id),
    placedByIt: observedMove?.after,
  })
}

/** Returns the page of a rebalancer from all of its targets. */
export function projectRebalancer(rebalancer: WorkloadRebalancer, targets: RebalanceTargetView[]): RebalancerView {
  const { metadata, spec, status } = rebalancer
  const isRefused = targets.every(({ stage }) => stage === 'pending') && !hasRoomForResults(rebalancer)
  return {
    id: metadata.name,
    name: metadata.name,
    createdAt: metadata.creationTimestamp,
    finishTime: status?.finishTime,
    ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished,
    createdBy: metadata.annotations?.[CREATED_BY_ANNOTATION],
    state: isRefused ? say('fail', message('rebalance.state.tooLarge')) : rebalancerState(targets),
    targets,
    counts: countStages(targets),
    prediction: predictionOf(targets),
  }
}

/** Returns the row of a rebalancer, from its page and the ids of all targets of that page. */
export function projectRebalancerRow({ targets, ...summary }: RebalancerView, ids: string[]): RebalancerRowView {
  const moves = targets.flatMap(({ id, stage, before = [], predicted, after = [] }) =>
    moveOf(stage, { id, before, after: predicted ?? after }),
  )
  return { ...summary, ids, moves }
}

function countStages(targets: readonly RebalanceTargetView[]): Record<RebalanceStage, number> {
  const counts = { pending: 0, triggered: 0, scheduled: 0, applied: 0, healthy: 0, failed: 0 }
  for (const { stage } of targets) counts[stage] += 1
  return counts
}

/** In progress until every target is done or failed; then the worst state of a target. */
function rebalancerState(targets: readonly RebalanceTargetView[]): StateView {
  const having: Record<State, number> = { ok: 0, active: 0, fail: 0, warn: 0, held: 0, unknown: 0 }
  for (const { state } of targets) having[state.state] += 1
  const { ok: done, active, fail, warn, held, unknown } = having
  const total = targets.length
  if (active > 0) return say('active', message('rebalance.state.inProgress', { done, total }))
  if (fail > 0) return say('fail', message('rebalance.state.failed', { n: fail, total }))
  if (warn > 0) return say('warn', message('rebalance.state.notHealthy', { n: warn, total }))
  if (held > 0) return say('held', message('rebalance.state.suspended', { n: held, total }))
  if (unknown > 0) return say('unknown', message('rebalance.state.unknown', { n: unknown, total }))
  const moved = targets.reduce((sum, target) => sum + (target.moved ?? 0), 0)
  return say('ok', message('rebalance.state.done', { total, moved }))
}
