/** Suggests which workloads could return to a recovered cluster. */
import { findCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { because, type Reason } from '../plan'
import type { Binding, SchedulerProfile } from '../placement'
import { departedClusters } from './departures'
import { planRebalance, type TargetPlan } from './plan-rebalance'
import { workloadOf } from './select'
import type { WorkloadRef } from './sync-status'

export interface FailbackSnapshot {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  profile?: SchedulerProfile
  now: EpochMs
  /** How long a cluster must have been healthy. Default ten minutes. */
  stableForMs?: number
}

/** The failback to one cluster. */
export interface FailbackSuggestion {
  cluster: string
  /** Start of its healthy period, and whether that is long enough. */
  healthySince: EpochMs
  isStable: boolean
  /** When it will be long enough. */
  stableAt: EpochMs
  /** Workloads that were evicted from it and have not returned. */
  left: readonly WorkloadRef[]
  /** Workloads that a rebalance would move back now, and the others with the reason. */
  returning: readonly { workload: WorkloadRef; replicas: number }[]
  staying: readonly { workload: WorkloadRef; reason: Reason<Message> }[]
}

const STABLE_FOR_MS = 600_000

/** Returns a suggestion for every healthy cluster that workloads were evicted from, sorted by number of workloads. */
export function suggestFailback(snapshot: FailbackSnapshot): FailbackSuggestion[] {
  const leavers = new Map<string, Binding[]>()
  for (const binding of snapshot.bindings) {
    for (const { cluster } of departedClusters(binding))
      leavers.set(cluster, [...(leavers.get(cluster) ?? []), binding])
  }
  return snapshot.clusters
    .flatMap((cluster) => {
      const bindings = leavers.get(cluster.metadata.name)
      const since = healthySince(cluster)
      return bindings && since !== undefined
        ? [suggestionFor({ cluster: cluster.metadata.name, since, bindings }, snapshot)]
        : []
    })
    .sort((a, b) => b.left.length - a.left.length || (a.cluster < b.cluster ? -1 : 1))
}

/** Returns since when a cluster is Ready and has no NoSchedule or NoExecute taint; undefined if it is not. */
export function healthySince({ metadata, spec, status }: Cluster): EpochMs | undefined {
  const ready = findCondition(status?.conditions, 'Ready')
  if (ready?.status !== 'True' || metadata.deletionTimestamp) return undefined
  if (spec.taints?.some(({ effect }) => effect === 'NoExecute' || effect === 'NoSchedule')) return undefined
  return parseTime(ready.lastTransitionTime)
}

function suggestionFor(
  { cluster, since, bindings }: { cluster: string; since: EpochMs; bindings: readonly Binding[] },
  snapshot: FailbackSnapshot,
): FailbackSuggestion {
  const { clusters, profile, now, stableForMs = STABLE_FOR_MS } = snapshot
  const left = bindings.map(workloadOf)
  const { targets } = planRebalance({ workloads: left, bindings, clusters, ...(profile && { profile }) })
  const returning = targets.flatMap((target) => gainIn(cluster, target))
  const staying = targets
    .filter((target) => gainIn(cluster, target).length === 0)
    .map((target) => ({
      workload: target.workload,
      reason: target.verdict === 'moves' ? because(message('rebalance.failback.NotThere', { cluster })) : target.reason,
    }))
  return {
    cluster,
    healthySince: since,
    stableAt: since + stableForMs,
    isStable: now >= since + stableForMs,
    left,
    returning,
    staying,
  }
}

function gainIn(
  cluster: string,
  { workload, verdict, before, after }: TargetPlan,
): { workload: WorkloadRef; replicas: number }[] {
  if (verdict !== 'moves') return []
  const here = (list: TargetPlan['after']): number => list.find(({ name }) => name === cluster)?.replicas ?? 0
  const joins = after.some(({ name }) => name === cluster) && !before.some(({ name }) => name === cluster)
  const replicas = here(after) - here(before)
  return joins || replicas > 0 ? [{ workload, replicas }] : []
}

/** Limits of automatic failback. */
export interface FailbackLimits {
  /** Maximum number of workloads that return at the same time, over all plans. */
  maxConcurrent: number
  /** Number of workloads that are returning now. */
  moving: number
}

/**
 * Returns the workloads that may return automatically now: none before the cluster is stable, and at most the permitted
 * number.
 */
export function automaticFailback(
  suggestion: FailbackSuggestion,
  { maxConcurrent, moving }: FailbackLimits,
): WorkloadRef[] {
  if (!suggestion.isStable) return []
  return suggestion.returning.slice(0, Math.max(0, maxConcurrent - moving)).map(({ workload }) => workload)
}
