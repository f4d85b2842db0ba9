/** Predicts the next step for a workload in a cluster where it, or the cluster, fails. */
import { findCondition } from '../../kube/conditions'
import type { Cluster } from '../../kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '../../kube/names'
import { presentPurgeMode } from '../../kube/purge-mode'
import { parseTime, type EpochMs } from '../../std/clock'
import { decideNoExecute, noExecuteTaints, type NoExecuteVerdict, type PurgeMode } from '../eviction'
import { hasHealthRule } from '../interpreter'
import { exemptionOf } from './eligible'
import { firstSeenOf, isSettled, readRecord } from './record'
import { applicationRuleOf } from './rule'
import type { Failover, FailoverSnapshot } from './failover'

/** The stage before an eviction. */
export interface PendingEviction {
  cause: Failover['cause']
  stage: 'unhealthy' | 'toleration'
  since?: EpochMs
  deadline?: NonNullable<Failover['deadline']>
  purgeMode?: PurgeMode
  /** Why the failure does not count, if it does not. */
  uncountedReason?: UncountedReason
}

/** Why a failure does not count. */
export type UncountedReason =
  | NonNullable<ReturnType<typeof exemptionOf>>
  | 'paused'
  | 'tooEarly'
  | 'neverHealthy'
  | 'evictionDisabled'
  | 'evictionOverdue'
  | 'taintOnlyBlocksScheduling'
  | 'taintTolerated'
  | 'placementUnreadable'

/** Reports whether a health rule exists for the kind of a binding's template. */
export function knowsHealthOf({
  binding: {
    spec: { resource },
  },
  settings = {},
}: FailoverSnapshot): boolean {
  return (
    hasHealthRule(resource)
    || (settings.scriptedHealth ?? []).some(
      ({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind,
    )
  )
}

/** Returns the effect of the cluster's state on the workload; undefined while the cluster is healthy and tolerated. */
export function pendingClusterEviction(snapshot: FailoverSnapshot, name: string): PendingEviction | undefined {
  const cluster = snapshot.clusters.find(({ metadata }) => metadata.name === name)
  if (!cluster) return undefined
  const ready = findCondition(cluster.status?.conditions, 'Ready')
  const isLost = ready !== undefined && ready.status !== 'True'
  const taints = noExecuteTaints(cluster.spec.taints)
  if (taints.length === 0) return isLost ? lostCluster(snapshot, parseTime(ready.lastTransitionTime)) : undefined
  const added = taints.flatMap(({ timeAdded }) => (timeAdded === undefined ? [] : [parseTime(timeAdded)]))
  const pending = { cause: 'cluster' as const, ...(added.length > 0 && { since: Math.min(...added) }) }
  if (snapshot.settings?.noExecuteEviction === false)
    return { ...pending, stage: 'unhealthy', uncountedReason: 'evictionDisabled' }
  return { ...pending, ...pendingByTaint(snapshot, cluster) }
}

/** Returns the pending eviction from a cluster that is not ready and has no NoExecute taint yet. */
function lostCluster({ settings = {} }: FailoverSnapshot, since: EpochMs): PendingEviction {
  const { noExecuteAfterMs } = settings
  const pending = { cause: 'cluster' as const, stage: 'unhealthy' as const, since }
  if (noExecuteAfterMs === undefined) return { ...pending, uncountedReason: 'taintOnlyBlocksScheduling' }
  return { ...pending, deadline: { at: since + noExecuteAfterMs, meaning: 'taint' } }
}

/** An eviction that is late by this much probably does not happen. */
export const OVERDUE_MS = 120_000

function isOverdue(verdict: NoExecuteVerdict & { decision: 'evict' }, { now, settings }: FailoverSnapshot): boolean {
  // Eviction is known to be enabled, so the delay comes from the rate limit.
  if (settings?.noExecuteEviction !== undefined) return false
  return now - dueAt(verdict, now) > OVERDUE_MS
}

function dueAt(verdict: NoExecuteVerdict & { decision: 'evict' }, now: EpochMs): EpochMs {
  if (verdict.reason === 'expired') return verdict.deadline
  return verdict.taint.timeAdded === undefined ? now : Math.min(now, parseTime(verdict.taint.timeAdded))
}

function pendingByTaint(
  snapshot: FailoverSnapshot,
  { spec: { taints = [] } }: Cluster,
): Pick<PendingEviction, 'stage' | 'deadline' | 'uncountedReason' | 'purgeMode'> {
  const { binding, now } = snapshot
  const appliedPlacement = binding.metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION]
  const verdict: NoExecuteVerdict = decideNoExecute({ now, taints, appliedPlacement })
  const purgeMode = presentPurgeMode(binding.spec.failover?.cluster?.purgeMode) ?? 'Gracefully'
  switch (verdict.decision) {
    case 'evict':
      if (isOverdue(verdict, snapshot)) return { stage: 'unhealthy', uncountedReason: 'evictionOverdue' }
      return { stage: 'toleration', deadline: { at: dueAt(verdict, now), meaning: 'toleration' }, purgeMode }
    case 'after':
      return { stage: 'toleration', deadline: { at: verdict.deadline, meaning: 'toleration' }, purgeMode }
    case 'never':
      return { stage: 'unhealthy', uncountedReason: 'taintTolerated' }
    case 'error':
      return { stage: 'unhealthy', uncountedReason: 'placementUnreadable' }
  }
}

/** Returns the pending eviction after the workload's own failure; undefined while it does not fail there. */
export function pendingFailureEviction(snapshot: FailoverSnapshot, cluster: string): PendingEviction | undefined {
  const { binding, settings = {}, policy, now } = snapshot
  const item = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)
  const rule = applicationRuleOf(binding, policy)
  const failedStates: readonly string[] = rule?.failedStates ?? ['Unhealthy']
  if (!item || !failedStates.includes(item.health ?? '')) return undefined
  const record = readRecord(binding)
  const memory = record.get(cluster)
  const pending = {
    cause: 'application' as const,
    stage: 'unhealthy' as const,
    ...(memory?.failedSince !== undefined && { since: memory.failedSince }),
  }
  const exemption = exemptionOf(binding, knowsHealthOf(snapshot))
  if (exemption || !rule) return { ...pending, uncountedReason: exemption ?? 'noFailoverRule' }
  if (settings.applicationFailover === false) return { ...pending, uncountedReason: 'evictionDisabled' }
  if (binding.spec.suspension?.scheduling) return { ...pending, uncountedReason: 'paused' }
  if (rule.onlyOnceHealthy && !isSettled(item, memory)) return { ...pending, uncountedReason: 'neverHealthy' }
  const countsFrom = (firstSeenOf(item, memory) ?? now) + rule.delayMs
  if (rule.delayMs > 0 && countsFrom > now)
    return { ...pending, deadline: { at: countsFrom, meaning: 'delay' }, uncountedReason: 'tooEarly' }
  const ends = Math.max(now, (memory?.failedSince ?? now) + rule.tolerationMs)
  return { ...pending, stage: 'toleration', deadline: { at: ends, meaning: 'toleration' }, purgeMode: rule.purgeMode }
}
