/** From answers of a member's health endpoint to the Ready condition that is published. */
import type { NewCondition } from '../../kube/conditions'
import type { Condition } from '../../kube/object'
import type { EpochMs } from '../../std/clock'

/**
 * What one probe means. `code` is the HTTP status of the answer, undefined when none came. Every answer outside
 * 200 to 206 counts as none: a proxy that cannot reach the cluster answers too.
 */
export function observeProbe(code: number | undefined): NewCondition {
  // upstream: Karmada cluster status controller
  if (code === 200) return ready('True', 'ClusterReady', 'cluster is healthy and ready to accept workloads')
  if (code !== undefined && code > 200 && code <= 206) {
    // upstream: Karmada cluster status controller
    return ready('False', 'ClusterNotReady', 'cluster is reachable but health endpoint responded without ok')
  }
  // upstream: Karmada cluster status controller
  return ready('False', 'ClusterNotReachable', 'cluster is not reachable')
}

function ready(status: Condition['status'], reason: string, message: string): NewCondition {
  return { type: 'Ready', status, reason, message }
}

/** What was seen last of one cluster, kept in memory between probes. */
export interface ProbeMemory {
  status: Condition['status']
  /** When this status was first seen; -Infinity for the very first observation. */
  since: EpochMs
}

/** How long a new status must hold before it is published, in milliseconds. */
export interface ReadinessThresholds {
  successMs: number
  failureMs: number
}

export interface ReadinessSnapshot {
  now: EpochMs
  observed: NewCondition
  published: NewCondition | undefined
  /** Undefined before the first observation since the process started. */
  memory: ProbeMemory | undefined
  thresholds: ReadinessThresholds
}

/**
 * Damps flapping: while what is seen and what is published differ between True and not True, the published condition
 * stays until the new one has held for the threshold. The first observation, and anything about a cluster that has no
 * Ready condition yet, counts at once; so does a change of reason or message alone.
 */
export function dampReadiness(snapshot: ReadinessSnapshot): { publish: NewCondition; memory: ProbeMemory } {
  const { now, observed, published, memory, thresholds } = snapshot
  if (!memory) return { publish: observed, memory: { status: observed.status, since: -Infinity } }
  const next = memory.status === observed.status ? memory : { status: observed.status, since: now }
  if (!published) return { publish: observed, memory: next }
  const turns = (observed.status === 'True') !== (published.status === 'True')
  const threshold = observed.status === 'True' ? thresholds.successMs : thresholds.failureMs
  return { publish: turns && now < next.since + threshold ? published : observed, memory: next }
}
