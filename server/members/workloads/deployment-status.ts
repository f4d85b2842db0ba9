/** The status of a Deployment, as kube-controller-manager writes it. */
import { findCondition } from '@/lib/kube/conditions'
import type { Deployment, ReplicaSet, WorkloadCondition } from '@/lib/kube/kinds'
import { formatTime, parseTime, type EpochMs } from '@/lib/std/clock'

export type DeploymentStatus = NonNullable<Deployment['status']>

export interface DeploymentSnapshot {
  deployment: Deployment
  /** Undefined while it does not exist. */
  fresh: ReplicaSet | undefined
  old: readonly ReplicaSet[]
  /** Pods that may be missing while the Deployment still counts as available. */
  maxUnavailable: number
  now: EpochMs
}

const DEADLINE_SECONDS = 600

/** Counts and conditions. `recheckMs`: until the roll-out counts as stuck. */
export function deploymentStatus(snapshot: DeploymentSnapshot): { status: DeploymentStatus; recheckMs?: number } {
  const { deployment, fresh, old } = snapshot
  const sets = fresh ? [...old, fresh] : old
  const desired = deployment.spec.replicas ?? 1
  const available = total(sets, (set) => set.status?.availableReplicas)
  const counts = {
    observedGeneration: deployment.metadata.generation,
    replicas: total(sets, (set) => set.status?.replicas),
    updatedReplicas: fresh?.status?.replicas ?? 0,
    readyReplicas: total(sets, (set) => set.status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(
      0,
      Math.max(
        desired,
        total(sets, (set) => set.spec.replicas),
      ) - available,
    ),
  }
  const progressing = progress(snapshot, counts)
  const failure = sets.flatMap((set) => set.status?.conditions ?? []).find(({ type }) => type === 'ReplicaFailure')
  const conditions = [availability(snapshot, available), progressing.condition, ...(failure ? [failure] : [])]
  const status = {
    ...counts,
    conditions: conditions.map((condition) => keepTimes(deployment, condition, snapshot.now)),
  }
  return progressing.recheckMs === undefined ? { status } : { status, recheckMs: progressing.recheckMs }
}

function availability({ deployment, maxUnavailable }: DeploymentSnapshot, available: number): WorkloadCondition {
  const enough = available >= (deployment.spec.replicas ?? 1) - maxUnavailable
  return enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}

/** Determines the progress: complete, progressing, or stuck for longer than the deadline. */
function progress(
  { deployment, fresh, now }: DeploymentSnapshot,
  counts: DeploymentStatus,
): { condition: WorkloadCondition; recheckMs?: number } {
  const desired = deployment.spec.replicas ?? 1
  const name = fresh?.metadata.name ?? ''
  const type = 'Progressing'
  if (counts.updatedReplicas === desired && counts.replicas === desired && counts.availableReplicas === desired) {
    return {
      condition: {
        type,
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${name}" has successfully progressed.`,
      },
    }
  }
  const old = findCondition(deployment.status?.conditions, type)
  const moved = !old || old.reason === 'NewReplicaSetAvailable' || hasMoved(deployment.status, counts)
  const since = moved ? now : parseTime(old.lastUpdateTime ?? '')
  const deadline = since + (deployment.spec.progressDeadlineSeconds ?? DEADLINE_SECONDS) * 1000
  if (now >= deadline) {
    return {
      condition: {
        type,
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: `ReplicaSet "${name}" has timed out progressing.`,
      },
    }
  }
  const lastUpdateTime = formatTime(since)
  const condition = {
    type,
    status: 'True',
    reason: 'ReplicaSetUpdated',
    message: `ReplicaSet "${name}" is progressing.`,
    lastUpdateTime,
  }
  return { condition, recheckMs: deadline - now }
}

/** Reports whether there are more new pods, fewer old ones, or more available ones. */
function hasMoved(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const oldPods = (status: DeploymentStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0)
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0)
    || oldPods(after) < oldPods(before)
    || (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0)
    || (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  )
}

function keepTimes({ status }: Deployment, condition: WorkloadCondition, now: EpochMs): WorkloadCondition {
  const old = findCondition(status?.conditions, condition.type)
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : undefined
  const same =
    old?.status === condition.status && old?.reason === condition.reason && old?.message === condition.message
  const lastUpdateTime = condition.lastUpdateTime ?? (same ? old.lastUpdateTime : undefined)
  return {
    ...condition,
    lastTransitionTime: lastTransitionTime ?? formatTime(now),
    lastUpdateTime: lastUpdateTime ?? formatTime(now),
  }
}

function total(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0)
}
