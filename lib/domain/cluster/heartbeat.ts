/** Whether the agent of a cluster in Pull mode still reports. */
import { findCondition, type NewCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'

/** How long silence is borne, in milliseconds. */
export interface HeartbeatPatience {
  /** Since the last sign of life. */
  graceMs: number
  /** Since its creation, for a cluster that never reported. */
  startupMs: number
}

/** The last heartbeats, and when they were seen by the local clock. */
export interface HeartbeatMemory {
  renewTime: string | undefined
  readySince: string | undefined
  at: EpochMs
}

export interface HeartbeatSnapshot {
  now: EpochMs
  cluster: Cluster
  /** `spec.renewTime` of the cluster's Lease. */
  renewTime: string | undefined
  memory: HeartbeatMemory | undefined
  patience: HeartbeatPatience
}

export interface HeartbeatVerdict {
  memory: HeartbeatMemory
  /** What has to be published; absent while the cluster is heard of, or was given up already. */
  lost?: NewCondition
  /** Until the patience is over, when nothing is heard before. */
  recheckAfterMs?: number
}

/**
 * A newer renewal or a change of the Ready condition is a sign of life; what counts is when it was seen, not what the
 * clock of the member says. After too long a silence the cluster is Unknown.
 */
export function judgeHeartbeat({ now, cluster, renewTime, memory, patience }: HeartbeatSnapshot): HeartbeatVerdict {
  const ready = findCondition(cluster.status?.conditions, 'Ready')
  const readySince = ready?.lastTransitionTime
  const alive = !memory || memory.renewTime !== renewTime || memory.readySince !== readySince
  const next = alive ? { renewTime, readySince, at: now } : memory
  const due = ready ? next.at + patience.graceMs : parseTime(cluster.metadata.creationTimestamp) + patience.startupMs
  if (now <= due) return { memory: next, recheckAfterMs: due - now + 1 }
  if (ready?.status === 'Unknown') return { memory: next }
  return { memory: next, lost: ready ? stopped : never }
}

const never: NewCondition = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'ClusterStatusNeverUpdated',
  // upstream: Karmada cluster controller
  message: 'Cluster status controller never posted cluster status.',
}
const stopped: NewCondition = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'ClusterStatusUnknown',
  // upstream: Karmada cluster controller
  message: 'Cluster status controller stopped posting cluster status.',
}
