/** Decides which clusters that a workload was evicted from are excluded, and until when. */
import { FAILOVER_DEFAULTS } from '@/lib/kube/failover-defaults'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { parseTime, type EpochMs } from '@/lib/std/clock'
import { blockedPredecessors } from '../failover/history'
import { applicationRuleOf } from '../failover/rule'
import type { Binding } from './binding'
import type { SchedulerProfile } from './profile'

/** Reasons of tasks by the taint manager and by application failover. */
const TAINT_UNTOLERATED = 'TaintUntolerated'
const APPLICATION_FAILURE = 'ApplicationFailure'

/** Exclusions for the filters. */
export interface Exclusions {
  /** The spec with only those tasks whose cluster is excluded. */
  spec: BindingSpec
  /** Clusters excluded by the eviction history. */
  blocked: ReadonlySet<string>
}

/** Context of the exclusions in the search for clusters. */
export interface ExclusionRules {
  profile: SchedulerProfile
  now: EpochMs
  /** True in the second search, when no other cluster fits: readmit clusters whose reason for the eviction is gone. */
  readmit: boolean
}

/**
 * Returns the excluded predecessors. A cluster where the workload failed is eligible again when its block ends. In the
 * second search (`readmit`) it is also eligible if the workload is healthy there again, unless it is blocked
 * indefinitely. A cluster with a taint eviction is then judged by its taints alone; for a workload that is placed
 * nowhere, already in the first search. A cluster evicted from for another reason is eligible for a workload that is
 * placed nowhere, if the workload is healthy there or the grace period has ended.
 */
export function exclusionsOf(binding: Binding, rules: ExclusionRules): Exclusions {
  const { spec } = binding
  const ends = rules.profile.evictionHistory ? blockEnds(binding) : new Map<string, EpochMs>()
  const isKeptOut = (cluster: string, until: EpochMs): boolean =>
    until > rules.now && !(readmits(rules) && until < Infinity && isHealthyIn(binding, cluster))
  const history = rules.profile.evictionHistory ? blockedPredecessors(binding) : []
  const blocked = new Set(history.flatMap(({ cluster, until }) => (isKeptOut(cluster, until) ? [cluster] : [])))
  const tasks = spec.gracefulEvictionTasks
  if (!tasks?.length) return { spec, blocked }
  const kept = tasks.filter((task) => {
    if (task.reason === TAINT_UNTOLERATED) return !mayReturnAfterTaint(binding, rules)
    if (task.reason !== APPLICATION_FAILURE) return !(readmits(rules) && isReasonGone(binding, task, rules.now))
    const until = ends.get(task.fromCluster)
    return until === undefined || !rules.profile.returnToPredecessors || isKeptOut(task.fromCluster, until)
  })
  return { spec: kept.length === tasks.length ? spec : { ...spec, gracefulEvictionTasks: kept }, blocked }
}

/** Returns when the next block of a predecessor ends; undefined if none does. */
export function nextReturn(binding: Binding, profile: SchedulerProfile, now: EpochMs): EpochMs | undefined {
  if (!profile.evictionHistory) return undefined
  const ends = [...blockEnds(binding).values(), ...otherGraceEnds(binding)]
  const ahead = ends.filter((end) => end > now && end < Infinity)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

/**
 * Reports whether the workload became healthy again in a cluster that it is being evicted from, or whether its history
 * changed. Neither increases the generation.
 */
export function wakesOnRecovery(before: Binding, after: Binding): boolean {
  const recovered = (after.spec.gracefulEvictionTasks ?? []).some(
    ({ fromCluster }) => isHealthyIn(after, fromCluster) && !isHealthyIn(before, fromCluster),
  )
  return recovered || JSON.stringify(blockedPredecessors(before)) !== JSON.stringify(blockedPredecessors(after))
}

const readmits = ({ profile, readmit }: ExclusionRules): boolean => readmit && profile.returnToPredecessors

/**
 * Returns the end of each block: from the history, otherwise from the creation time of the task, which another
 * controller may have created. That time restarts with the grace period of last replicas; such a cluster is eligible
 * again once the workload is healthy there.
 */
function blockEnds(binding: Binding): Map<string, EpochMs> {
  const { blockMs } = applicationRuleOf(binding) ?? { blockMs: 0 }
  const tasks = (binding.spec.gracefulEvictionTasks ?? []).filter(({ reason }) => reason === APPLICATION_FAILURE)
  const byAge = tasks.map(({ fromCluster, creationTimestamp }): [string, EpochMs] => [
    fromCluster,
    timeOr(creationTimestamp, Infinity) + blockMs,
  ])
  return new Map([
    ...byAge,
    ...blockedPredecessors(binding).map(({ cluster, until }): [string, EpochMs] => [cluster, until]),
  ])
}

function otherGraceEnds({ spec }: Binding): EpochMs[] {
  if (spec.clusters?.length) return []
  const others = (spec.gracefulEvictionTasks ?? []).filter(({ reason }) => reason !== APPLICATION_FAILURE)
  return others.filter(({ reason }) => reason !== TAINT_UNTOLERATED).map(graceEnd)
}

function graceEnd({
  creationTimestamp,
  gracePeriodSeconds = FAILOVER_DEFAULTS.gracePeriodSeconds,
}: GracefulEvictionTask): EpochMs {
  return timeOr(creationTimestamp, Infinity) + gracePeriodSeconds * 1000
}

/**
 * Existing taints exclude their cluster anyway. For a workload that is placed nowhere, the second search is
 * unnecessary.
 */
function mayReturnAfterTaint({ spec }: Binding, rules: ExclusionRules): boolean {
  return rules.profile.returnToPredecessors && (rules.readmit || !spec.clusters?.length)
}

function isReasonGone(binding: Binding, task: GracefulEvictionTask, now: EpochMs): boolean {
  if (binding.spec.clusters?.length) return false
  return isHealthyIn(binding, task.fromCluster) || graceEnd(task) <= now
}

function isHealthyIn({ status }: Binding, cluster: string): boolean {
  return status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)?.health === 'Healthy'
}

function timeOr(text: string | undefined, absent: EpochMs): EpochMs {
  const at = parseTime(text ?? '')
  return Number.isNaN(at) ? absent : at
}
