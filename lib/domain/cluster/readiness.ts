/** Converts answers of a member's health endpoint to the Ready condition that is published. */
import type { NewCondition } from '../../kube/conditions'
import type { Condition } from '../../kube/object'
import type { EpochMs } from '../../std/clock'

/**
 * Returns the condition for one probe. `code` is the HTTP status; undefined without an answer. Codes outside 200 to 206
 * count as no answer, because a proxy that cannot reach the cluster answers too.
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

/** Last observation of one cluster, kept in memory between probes. */
export interface ProbeMemory {
  status: Condition['status']
  /** When this status was first observed; -Infinity for the very first observation. */
  since: EpochMs
}

/** How long a new status must last before it is published, in milliseconds. */
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
 * Dampens flapping: if the observed and the published status differ between True and not True, the new one is published
 * only after it lasted for the threshold. Published at once are the first observation, any observation of a cluster
 * without a Ready condition, and changes of reason or message alone.
 */
export function debounceReadiness(snapshot: ReadinessSnapshot): { publish: NewCondition; memory: ProbeMemory } {
  const { now, observed, published, memory, thresholds } = snapshot
  if (!memory) return { publish: observed, memory: { status: observed.status, since: -Infinity } }
  const next = memory.status === observed.status ? memory : { status: observed.status, since: now }
  if (!published) return { publish: observed, memory: next }
  const transitions = (observed.status === 'True') !== (published.status === 'True')
  const threshold = observed.status === 'True' ? thresholds.successMs : thresholds.failureMs
  return { publish: transitions && now < next.since + threshold ? published : observed, memory: next }
}
