/** Decides which clusters a workload has to leave because it fails there, and what to record. */
import type { AggregatedStatusItem } from '../../kube/kinds/binding'
import { message, type Message } from '../../messages/message'
import type { EpochMs } from '../../std/clock'
import type { EvictedSpec } from '../eviction'
import type { FailoverBinding } from './binding'
import { evictFailed, type EvictionGates } from './evict-failed'
import type { FailoverProfile } from './profile'
import { firstSeenOf, type HealthMemory, type HealthRecord, isSettled } from './record'
import type { ApplicationRule } from './rule'

/** Input of one reconcile of a binding. */
export interface ApplicationSnapshot {
  now: EpochMs
  binding: FailoverBinding
  rule: ApplicationRule
  record: HealthRecord
  profile: FailoverProfile
  gates: EvictionGates
  /** Why no cluster could take the workload if it were evicted now; absent if one could, or if it was not checked. */
  lackOfSuccessor?: Message | string | undefined
}

/** What to write, and when to check again. */
export interface ApplicationPlan {
  record: HealthRecord
  /** Clusters to evict from, in the order of `aggregatedStatus`. */
  left: readonly string[]
  /** The spec without these clusters and with their tasks; absent if no cluster is left. */
  spec?: EvictedSpec
  requeueAfterMs?: number
  /** State that is not preserved because the status lacks it. */
  unpreserved?: readonly string[]
  /**
   * Why nothing is evicted: a task cannot be built, or no cluster could take the workload. `record` is valid
   * nevertheless.
   */
  error?: Message | string
}

/**
 * Assesses each cluster that reported. A failure is recorded when it is first observed; one that lasts longer than the
 * toleration evicts the workload. Another state resets the failure; an absent state does not. Clusters with a task are
 * skipped. Preconditions of the rule (a delay, having been healthy) postpone the recording of failures.
 */
export function assessApplication(snapshot: ApplicationSnapshot): ApplicationPlan {
  const pass: Pass = { record: new Map(snapshot.record), left: [], waits: [] }
  for (const item of snapshot.binding.status?.aggregatedStatus ?? []) judge(snapshot, item, pass)
  const lack = pass.left.length > 0 ? keptFor(snapshot) : undefined
  if (lack !== undefined) return { record: pass.record, left: [], error: lack }
  const left = isHeld(snapshot) ? [] : pass.left
  const unpreserved: string[] = []
  const onUnpreserved = (text: string): void => void unpreserved.push(text)
  const {
    now,
    profile: { skipMissingState, datedTasks },
  } = snapshot
  const failed = { ...snapshot, ...(skipMissingState && { onUnpreserved }), ...(datedTasks && { begunAt: now }) }
  const spec = evictFailed(failed, left)
  if (typeof spec === 'string') return { record: pass.record, left: [], error: spec }
  forgetOthers(snapshot, pass.record, left)
  const soonest = pass.waits.length > 0 ? Math.min(...pass.waits) : 0
  const skipped = unpreserved.length > 0 ? { unpreserved } : {}
  return {
    record: pass.record,
    left,
    ...skipped,
    ...(spec && { spec }),
    ...(soonest > 0 && { requeueAfterMs: soonest }),
  }
}

interface Pass {
  record: Map<string, HealthMemory>
  left: string[]
  waits: number[]
}

function judge(snapshot: ApplicationSnapshot, item: AggregatedStatusItem, pass: Pass): void {
  const { clusterName, health } = item
  const before = pass.record.get(clusterName) ?? {}
  const noted = noteState(snapshot, item, before)
  const isFailed = health !== undefined && (snapshot.rule.failedStates as readonly string[]).includes(health)
  if (!isFailed) return keep(pass, clusterName, health === undefined ? { ...noted, ...failure(before) } : noted)
  if (!isAssessed(snapshot, clusterName)) return keep(pass, clusterName, { ...noted, ...failure(before) })
  const startsAt = countsFrom(snapshot, item, noted)
  if (startsAt > snapshot.now) {
    if (startsAt < Infinity) pass.waits.push(startsAt - snapshot.now)
    return keep(pass, clusterName, noted)
  }
  const verdict = assessFailure(snapshot, before.failedSince)
  keep(pass, clusterName, { ...noted, failedSince: verdict.failedSince })
  if (verdict.waitMs === undefined) pass.left.push(clusterName)
  else pass.waits.push(verdict.waitMs)
}

/** Removes empty entries. */
function keep({ record }: Pass, cluster: string, memory: HealthMemory): void {
  if (Object.keys(memory).length > 0) record.set(cluster, memory)
  else record.delete(cluster)
}

const failure = ({ failedSince }: HealthMemory): HealthMemory => (failedSince === undefined ? {} : { failedSince })

/** Records what the rule's preconditions need and the status does not contain. */
function noteState(
  { now, rule, profile }: ApplicationSnapshot,
  item: AggregatedStatusItem,
  before: HealthMemory,
): HealthMemory {
  if (!profile.history) return {}
  const firstSeen =
    rule.delayMs > 0 && item.creationTimestamp === undefined ? (firstSeenOf(item, before) ?? now) : undefined
  const settled = rule.onlyOnceHealthy && item.settled === undefined && isSettled(item, before)
  return { ...(firstSeen !== undefined && { firstSeen: Math.min(firstSeen, now) }), ...(settled && { settled }) }
}

/** Returns from when on failures in a cluster count; Infinity: not before another change. */
function countsFrom({ rule, profile }: ApplicationSnapshot, item: AggregatedStatusItem, memory: HealthMemory): EpochMs {
  if (!profile.history) return -Infinity
  if (rule.onlyOnceHealthy && !isSettled(item, memory)) return Infinity
  return rule.delayMs > 0 ? (firstSeenOf(item, memory) ?? 0) + rule.delayMs : -Infinity
}

function isAssessed({ binding: { spec }, profile }: ApplicationSnapshot, cluster: string): boolean {
  if (spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster)) return false
  return !profile.onlyWhereScheduled || isScheduledTo(spec.clusters, cluster)
}

const isScheduledTo = (clusters: readonly { name: string }[] | undefined, cluster: string): boolean =>
  clusters?.some(({ name }) => name === cluster) === true

/** `waitMs` is absent if the toleration is over. A start in the future comes from a wrong clock and is reset to now. */
function assessFailure(
  { now, rule, profile }: ApplicationSnapshot,
  before: EpochMs | undefined,
): { failedSince: EpochMs; waitMs?: number } {
  const isNew = before === undefined || before > now
  const failedSince = isNew ? now : before
  if (isNew && rule.tolerationMs === 0 && profile.zeroActsAtOnce) return { failedSince }
  const leftMs = failedSince + rule.tolerationMs - now
  if (!isNew && (profile.exactDeadlines ? leftMs <= 0 : leftMs < 0)) return { failedSince }
  if (profile.exactDeadlines) return { failedSince, waitMs: Math.max(leftMs, 1) }
  return { failedSince, waitMs: rule.tolerationMs - Math.floor((now - failedSince) / 1000) * 1000 }
}

/** While scheduling is suspended, an evicted workload would not be scheduled again. */
function isHeld({ binding, profile }: ApplicationSnapshot): boolean {
  return profile.respectsSuspension && binding.spec.suspension?.scheduling === true
}

/** Returns why the last replicas stay if eviction would delete them without a successor. */
function keptFor({ rule, profile, lackOfSuccessor }: ApplicationSnapshot): Message | undefined {
  if (!profile.keepWithoutSuccessor || rule.purgeMode !== 'Directly' || lackOfSuccessor === undefined) return undefined
  return message('failover.noSuccessor', { failure: lackOfSuccessor })
}

function forgetOthers(
  { binding }: ApplicationSnapshot,
  record: Map<string, HealthMemory>,
  left: readonly string[],
): void {
  for (const cluster of record.keys()) {
    if (left.includes(cluster) || !isScheduledTo(binding.spec.clusters, cluster)) record.delete(cluster)
  }
}
