/** Which clusters a workload has to leave because it fails there, and what is to be remembered. */
import type { AggregatedStatusItem } from '../../kube/kinds/binding'
import { message, type Message } from '../../messages/message'
import type { EpochMs } from '../../std/clock'
import type { EvictedSpec } from '../eviction'
import type { FailoverBinding } from './binding'
import { evictFailed, type EvictionGates } from './evict-failed'
import type { FailoverProfile } from './profile'
import { firstSeenOf, type HealthMemory, type HealthRecord, isSettled } from './record'
import type { ApplicationRule } from './rule'

/** Everything that a pass over one binding depends on. */
export interface ApplicationSnapshot {
  now: EpochMs
  binding: FailoverBinding
  rule: ApplicationRule
  record: HealthRecord
  profile: FailoverProfile
  gates: EvictionGates
  /** Why no cluster could take the workload if it were evicted now; absent: one could, or it was not checked. */
  lackOfSuccessor?: Message | string | undefined
}

/** What is to be written and when to look again. */
export interface ApplicationPlan {
  record: HealthRecord
  /** The clusters that are left, in the order in which they reported. */
  left: readonly string[]
  /** The result without them and with their tasks; absent when none is left. */
  spec?: EvictedSpec
  requeueAfterMs?: number
  /** State that is not preserved, because the status does not have it. */
  unpreserved?: readonly string[]
  /** Why nothing is evicted: the task of a cluster cannot be made, or no cluster could take the workload. `record` holds nevertheless. */
  error?: Message | string
}

/**
 * Judges each cluster that reported. A failure is remembered when it is first seen; one that lasts longer than the toleration
 * evicts the workload. Another state resets the failure, an absent one says nothing; clusters that have a task already
 * are not judged. What the rule asks for first (a delay, having been healthy) keeps failures from being seen at all.
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
  if (!isJudged(snapshot, clusterName)) return keep(pass, clusterName, { ...noted, ...failure(before) })
  const startsAt = countsFrom(snapshot, item, noted)
  if (startsAt > snapshot.now) {
    if (startsAt < Infinity) pass.waits.push(startsAt - snapshot.now)
    return keep(pass, clusterName, noted)
  }
  const verdict = judgeFailure(snapshot, before.failedSince)
  keep(pass, clusterName, { ...noted, failedSince: verdict.failedSince })
  if (verdict.waitMs === undefined) pass.left.push(clusterName)
  else pass.waits.push(verdict.waitMs)
}

/** An empty memory is kept as none. */
function keep({ record }: Pass, cluster: string, memory: HealthMemory): void {
  if (Object.keys(memory).length > 0) record.set(cluster, memory)
  else record.delete(cluster)
}

const failure = ({ failedSince }: HealthMemory): HealthMemory => (failedSince === undefined ? {} : { failedSince })

/** What the rule asks for and the status does not say by itself. */
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

/** When failures in a cluster begin to count; Infinity: not before something else happens. */
function countsFrom({ rule, profile }: ApplicationSnapshot, item: AggregatedStatusItem, memory: HealthMemory): EpochMs {
  if (!profile.history) return -Infinity
  if (rule.onlyOnceHealthy && !isSettled(item, memory)) return Infinity
  return rule.delayMs > 0 ? (firstSeenOf(item, memory) ?? 0) + rule.delayMs : -Infinity
}

function isJudged({ binding: { spec }, profile }: ApplicationSnapshot, cluster: string): boolean {
  if (spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster)) return false
  return !profile.onlyWhereScheduled || isScheduledTo(spec.clusters, cluster)
}

const isScheduledTo = (clusters: readonly { name: string }[] | undefined, cluster: string): boolean =>
  clusters?.some(({ name }) => name === cluster) === true

/** `waitMs` is absent when the time is up. A time that is still to come was written by a clock that went wrong: it starts anew. */
function judgeFailure(
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

/** While scheduling is suspended, an evicted workload would not be placed again. */
function isHeld({ binding, profile }: ApplicationSnapshot): boolean {
  return profile.heedPause && binding.spec.suspension?.scheduling === true
}

/** Why the last copies stay, where leaving would delete them. */
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
