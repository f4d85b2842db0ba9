/** The stage of one target of a rebalance, derived from running replicas, not from the response of the API. */
import {
  type IgnoredTrigger,
  type ObservedWorkload,
  type TargetProgress,
  progressOf,
  readRunRecord,
} from '@/lib/domain/rebalance'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Work } from '@/lib/kube/kinds/work'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { message } from '../../messages/message'
import { replicasIn } from '../distribution'
import type { ReplicasInCluster, StateView, WorkloadRef, WorkloadView } from '../model'
import type { RebalanceTargetView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { type AnyBinding, placedReplicas, toReplicas } from './binding-facts'
import { replicasMoved } from './plan-record'
import { say } from './say'
import { isSuperseded } from './superseded'

/** Current state of a target. */
export interface TargetNow {
  binding: AnyBinding
  /** Returns the workload's row. Most targets need none, and each costs as much as the rest of the target. */
  view: () => WorkloadView | undefined
  works: readonly Work[]
}

export interface TargetSnapshot {
  ref: WorkloadRef
  rebalancer: Pick<WorkloadRebalancer, 'metadata' | 'status'>
  /** All rebalancers that list the target. */
  naming: readonly Pick<WorkloadRebalancer, 'metadata' | 'status'>[]
  /** Entry of the target in the rebalancer's status. */
  observed: ObservedWorkload | undefined
  /** Undefined if it has no binding. */
  now: TargetNow | undefined
  /** The trigger of its binding, if the scheduler ignored it. */
  ignored: IgnoredTrigger | undefined
  before: ReplicasInCluster[] | undefined
  predicted: ReplicasInCluster[] | undefined
  /** The preview called its prediction uncertain. */
  isUncertain: boolean
  /** By the latest reports of the clusters before the scheduler decided; undefined if that was not observed. */
  expected: readonly TargetCluster[] | undefined
  /** The observed result of this rebalance; otherwise the current placement counts. */
  placedByIt: ReplicasInCluster[] | undefined
}

/** Returns the row of one target. */
export function projectRebalanceTarget(snapshot: TargetSnapshot): RebalanceTargetView {
  const { ref, observed, before, predicted, rebalancer, naming, now, ignored } = snapshot
  // After another rebalance triggered the target, the result of this one cannot be observed any more.
  const later = isSuperseded({
    rebalancer,
    naming,
    triggeredAt: now?.binding.spec.rescheduleTriggeredAt,
    movedByPlanAt: now && movedByPlanAt(now.binding),
  })
  const progress: TargetProgress = later
    ? { stage: 'scheduled' }
    : progressOf({ rebalancer, observed, binding: now?.binding, works: now?.works, ignored })
  const after = later ? snapshot.placedByIt : resultOf(snapshot, progress)
  const moved = before && after ? replicasMoved(before, after) : undefined
  const state = later ? say('ok', message('rebalance.progress.superseded')) : stateOf(progress, now)
  return {
    id: workloadId(ref),
    ref,
    stage: progress.stage,
    state:
      progress.stage === 'healthy' && !progress.reason
        ? arrived(moved, after, ofSameSecond(rebalancer, naming))
        : state,
    result: observed?.result,
    reason: observed?.reason,
    before,
    predicted,
    after,
    moved,
    ...(snapshot.isUncertain && { uncertain: true }),
    expected: later ? undefined : refreshed(snapshot),
  }
}

/** Returns the expected placement if it is another one than in the preview. */
function refreshed({ predicted, expected }: TargetSnapshot): ReplicasInCluster[] | undefined {
  const places = expected && toReplicas([...expected])
  return places && (!predicted || !isSamePlaces(predicted, places)) ? places : undefined
}

function isSamePlaces(one: readonly ReplicasInCluster[], other: readonly ReplicasInCluster[]): boolean {
  return replicasMoved(one, other) === 0 && replicasMoved(other, one) === 0
}

/** Returns when a plan last moved it; undefined if the plan withdrew its trigger. */
function movedByPlanAt(binding: AnyBinding): string | undefined {
  const record = readRunRecord(binding)
  return record?.released === 'withdrawn' ? undefined : record?.at
}

/** Returns the placement by the rebalance; undefined before it was scheduled. */
function resultOf({ now, placedByIt }: TargetSnapshot, progress: TargetProgress): ReplicasInCluster[] | undefined {
  const { stage, reason } = progress
  if (reason?.code === 'NoReplicas') return []
  const isScheduled = stage === 'scheduled' || stage === 'applied' || stage === 'healthy'
  return isScheduled && now ? (placedByIt ?? placedReplicas(now.binding)) : undefined
}

function stateOf({ stage, reason }: TargetProgress, now: TargetNow | undefined): StateView {
  const text = reason?.text ?? ''
  if (stage === 'healthy') return say('ok', text)
  if (stage === 'failed' || reason?.code === 'ApplyFailed') return say('fail', text)
  if (reason?.code === 'FailedLater') return say('warn', text)
  if (reason?.code === 'Suspended') return say('held', text)
  // Once applied, the state is that of the workload.
  const workload = stage === 'applied' ? now?.view()?.state : undefined
  return workload && workload.state !== 'ok' ? workload : say('active', text)
}

/** Other rebalancers with the same time stamp as this one: it cannot be told which of them moved the target. */
function ofSameSecond({ metadata }: TargetSnapshot['rebalancer'], naming: TargetSnapshot['naming']): string[] {
  return naming
    .filter((other) => other.metadata.creationTimestamp === metadata.creationTimestamp)
    .flatMap((other) => (other.metadata.name === metadata.name ? [] : other.metadata.name))
}

function arrived(
  moved: number | undefined,
  after: ReplicasInCluster[] | undefined,
  others: readonly string[],
): StateView {
  if (moved === undefined)
    return say('ok', message('rebalance.progress.healthyIn', { places: replicasIn(after ?? []) }))
  if (moved === 0) return say('ok', message('rebalance.progress.unchanged'))
  const [other] = others
  return say(
    'ok',
    other === undefined
      ? message('rebalance.progress.moved', { n: moved })
      : message('rebalance.progress.movedForBoth', { n: moved, other }),
  )
}
