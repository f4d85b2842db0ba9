/** Detects whether the agent of a cluster in Pull mode still reports. */
import { findCondition, type NewCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'

/** Timeouts of heartbeats, in milliseconds. */
export interface HeartbeatTimeouts {
  /** Counted from the last heartbeat. */
  graceMs: number
  /** Counted from the creation of a cluster that never reported. */
  startupMs: number
}

/** The last observed heartbeats, with the local time of the observation. */
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
  timeouts: HeartbeatTimeouts
}

export interface HeartbeatVerdict {
  memory: HeartbeatMemory
  /** Condition to publish; absent while the cluster reports, or if it is already marked as lost. */
  lost?: NewCondition
  /** Time until the timeout ends, if no heartbeat arrives before. */
  recheckAfterMs?: number
}

/**
 * Judges heartbeats. A newer renewTime or a change of the Ready condition is a heartbeat; it counts from the local time
 * of its observation, because the member's clock may differ. After the timeout the cluster is Unknown.
 */
export function assessHeartbeat({ now, cluster, renewTime, memory, timeouts }: HeartbeatSnapshot): HeartbeatVerdict {
  const ready = findCondition(cluster.status?.conditions, 'Ready')
  const readySince = ready?.lastTransitionTime
  const alive = !memory || memory.renewTime !== renewTime || memory.readySince !== readySince
  const next = alive ? { renewTime, readySince, at: now } : memory
  const due = ready ? next.at + timeouts.graceMs : parseTime(cluster.metadata.creationTimestamp) + timeouts.startupMs
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
