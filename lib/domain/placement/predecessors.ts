/** The clusters that a workload had to leave: which of them the scheduler keeps out, and until when. */
import { FAILOVER_DEFAULTS } from '@/lib/kube/failover-defaults'
import type { BindingSpec, GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { parseTime, type EpochMs } from '@/lib/std/clock'
import { blockedPredecessors } from '../failover/history'
import { applicationRuleOf } from '../failover/rule'
import type { Binding } from './binding'
import type { SchedulerProfile } from './profile'

/** Why a taint manager and application failover evict, as tasks name it. */
const TAINT_UNTOLERATED = 'TaintUntolerated'
const APPLICATION_FAILURE = 'ApplicationFailure'

/** What the filters are told about predecessors. */
export interface Exclusions {
  /** The spec with those tasks alone whose cluster is kept out. */
  spec: BindingSpec
  /** Clusters kept out by the history of evictions. */
  blocked: ReadonlySet<string>
}

/** Where in the search for clusters the question is asked. */
export interface ExclusionRules {
  profile: SchedulerProfile
  now: EpochMs
  /** Nothing fits without predecessors, so those come back whose reason is gone. */
  readmit: boolean
}

/**
 * The predecessors that are kept out. A cluster where the workload failed is free when its block is over. In a second
 * search (`readmit`) it is also free when the workload is healthy there again, unless it is blocked for ever. A cluster that
 * was left for a taint is then judged by its taints alone, for a workload that is placed nowhere at once. One left for
 * another reason is free for a workload that is placed nowhere when the copy there is healthy or its grace is over.
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

/** When the next block of a predecessor ends; undefined when none does. */
export function nextReturn(binding: Binding, profile: SchedulerProfile, now: EpochMs): EpochMs | undefined {
  if (!profile.evictionHistory) return undefined
  const ends = [...blockEnds(binding).values(), ...otherGraceEnds(binding)]
  const ahead = ends.filter((end) => end > now && end < Infinity)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

/** A workload became healthy again in a cluster that it is leaving, or its history was changed. Neither raises the generation. */
export function wakesOnRecovery(before: Binding, after: Binding): boolean {
  const recovered = (after.spec.gracefulEvictionTasks ?? []).some(
    ({ fromCluster }) => isHealthyIn(after, fromCluster) && !isHealthyIn(before, fromCluster),
  )
  return recovered || JSON.stringify(blockedPredecessors(before)) !== JSON.stringify(blockedPredecessors(after))
}

const readmits = ({ profile, readmit }: ExclusionRules): boolean => readmit && profile.returnToPredecessors

/**
 * When each block ends: as the history has it, else by the age of the task, which another controller may have made. The age
 * begins anew with the grace of last copies; such a cluster is free again once the workload is healthy there.
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

/** Taints that are still there keep their cluster out by themselves. What is placed nowhere need not search twice. */
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
