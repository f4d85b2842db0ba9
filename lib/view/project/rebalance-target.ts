/** How far one target of a rebalance has come, told from what really runs and not from what was acknowledged. */
import { type ObservedWorkload, type TargetProgress, progressOf } from '@/lib/domain/rebalance'
import { formatNumberOf } from '@/lib/format/numbers'
import { formatReplicas } from '@/lib/format/words'
import type { Work } from '@/lib/kube/kinds/work'
import { parseTime } from '@/lib/std/clock'
import type { RebalanceTargetView, ReplicasInCluster, StateView, WorkloadRef, WorkloadView } from '../model'
import { workloadId } from '../workload-id'
import { type AnyBinding, placedReplicas } from './binding-facts'
import { replicasMoved } from './plan-record'

/** What is known of a target now. */
export interface TargetNow {
  binding: AnyBinding
  view: WorkloadView
  works: readonly Work[]
}

export interface TargetSnapshot {
  ref: WorkloadRef
  rebalancer: { metadata: { creationTimestamp: string } }
  /** What the rebalancer's status says of the target. */
  observed: ObservedWorkload | undefined
  /** Undefined when it has no binding. */
  now: TargetNow | undefined
  before: ReplicasInCluster[] | undefined
  predicted: ReplicasInCluster[] | undefined
  /** Where this rebalance put it, when that was seen; else the present placement counts. */
  placedByIt: ReplicasInCluster[] | undefined
}

/** One line of a rebalancer. */
export function projectRebalanceTarget(snapshot: TargetSnapshot): RebalanceTargetView {
  const { ref, observed, before, predicted } = snapshot
  const later = isSuperseded(snapshot)
  const progress: TargetProgress = later ? { stage: 'scheduled' } : progressOf({
    rebalancer: snapshot.rebalancer, ...(observed && { observed }), ...(snapshot.now && { binding: snapshot.now.binding, works: snapshot.now.works }),
  })
  const after = resultOf(snapshot, progress)
  const moved = before && after ? replicasMoved(before, after) : undefined
  const state = later ? { state: 'ok' as const, reason: 'A later rebalance took over' } : stateOf(progress, snapshot.now?.view)
  return {
    id: workloadId(ref), ref, stage: progress.stage, state: progress.stage === 'healthy' ? arrived(moved, after) : state,
    ...(observed?.result && { result: observed.result }),
    ...(observed?.reason && { reason: observed.reason }),
    ...(before && { before }), ...(predicted && { predicted }), ...(after && { after }), ...(moved !== undefined && { moved }),
  }
}

/** A later rebalance asked for the same; how this one ended shows no more. */
function isSuperseded({ now, rebalancer }: TargetSnapshot): boolean {
  const triggeredAt = now?.binding.spec.rescheduleTriggeredAt
  return triggeredAt !== undefined && parseTime(triggeredAt) > parseTime(rebalancer.metadata.creationTimestamp)
}

/** Where the rebalance put the target; undefined before it was scheduled. */
function resultOf({ now, placedByIt }: TargetSnapshot, { stage }: TargetProgress): ReplicasInCluster[] | undefined {
  const isScheduled = stage === 'scheduled' || stage === 'applied' || stage === 'healthy'
  return isScheduled && now ? (placedByIt ?? placedReplicas(now.binding)) : undefined
}

function stateOf({ stage, reason }: TargetProgress, view: WorkloadView | undefined): StateView {
  const text = reason?.text ?? ''
  if (stage === 'failed') return { state: 'fail', reason: text }
  if (reason?.code === 'Suspended') return { state: 'held', reason: text }
  if (reason?.code === 'ApplyFailed') return { state: 'fail', reason: text }
  // Once applied, how well it runs is the same question as for the workload itself.
  if (stage === 'applied' && view && view.state.state !== 'ok') return view.state
  return { state: 'active', reason: text }
}

function arrived(moved: number | undefined, after: ReplicasInCluster[] | undefined): StateView {
  if (moved === undefined) return { state: 'ok', reason: `Healthy in ${formatReplicas(after ?? [])}` }
  return { state: 'ok', reason: moved === 0 ? 'Healthy; it was already best placed' : `Healthy; ${formatNumberOf(moved, 'replica')} moved` }
}
