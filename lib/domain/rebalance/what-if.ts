/** Simulates the failure or drain of clusters. Nothing is changed. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { compareEvictions, type EvictionTiming } from '../eviction'
import { because, type Reason } from '../plan'
import {
  type Binding,
  defaultProfile,
  explainFailure,
  isSchedulingSuspended,
  type SchedulerProfile,
  type ScheduleVerdict,
} from '../placement'
import { evictedFrom, type FailureCause, taintsOf, toleration, withTaints } from './failing'
import { assessHeadroom, type ClusterHeadroom } from './headroom'
import { isSameDistribution } from './distribution'
import { scheduleEvicted } from './outage'
import { readyByCluster, totalReplicas } from './readiness'
import { workloadOf } from './select'
import type { WorkloadRef } from './sync-status'

export interface WhatIfSnapshot {
  cluster: string
  /** Clusters that fail, or are drained, at the same time. */
  others?: readonly string[]
  cause: FailureCause
  /** All bindings of the fleet; those without replicas in these clusters are not affected. */
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  now: EpochMs
  profile?: SchedulerProfile
  /** Default: `UPSTREAM_TIMING`. */
  timing?: EvictionTiming
}

/**
 * `moves`: all its replicas are rescheduled. `shrinks`: it keeps running in other clusters with fewer replicas. `stuck`:
 * no cluster fits, so nothing of it runs. `lost`: scheduling is suspended, so it is not rescheduled. `stays`: it
 * tolerates the taint indefinitely.
 */
export type WhatIfOutcome = 'moves' | 'shrinks' | 'stuck' | 'lost' | 'stays'

export interface WhatIfTarget {
  workload: WorkloadRef
  outcome: WhatIfOutcome
  reason: Reason<Message>
  before: readonly TargetCluster[]
  after: readonly TargetCluster[]
  /** Replicas in the lost clusters, and replicas that stay ready in others. */
  replicas: number
  readyElsewhere: number
  /** Toleration in seconds before the eviction; undefined if it is evicted at once or never. */
  toleratesSeconds?: number
  /** Several results are possible: the placement depends on how soon clusters report earlier arrivals. */
  isOpen: boolean
  /** Its policy configures failover. Otherwise the defaults of the control plane apply. */
  hasFailoverPolicy: boolean
}

export interface WhatIf {
  targets: readonly WhatIfTarget[]
  counts: Readonly<Record<WhatIfOutcome, number>>
  withoutFailoverPolicy: number
  replicasMoved: number
  headroom: readonly ClusterHeadroom[]
}

/** Defaults of upstream's taint manager and cluster status controller. */
export const UPSTREAM_TIMING: EvictionTiming = { evictionsPerSecond: 0.5, reportsAfterMs: 10_000 }
/** Factor by which reports may be earlier or later than expected. */
const REPORT_SPREAD = 2

/**
 * Uses the real decisions: the taint manager's about who is evicted and when, and the scheduler's about placement.
 * Workloads are evicted one after the other, and each is scheduled with the reports available by then.
 */
export function whatIf(snapshot: WhatIfSnapshot): WhatIf {
  const without = withoutOf(snapshot)
  const taints = taintsOf(snapshot.cause, snapshot.now)
  const clusters = snapshot.clusters.map((one) => (without.has(one.metadata.name) ? withTaints(one, taints) : one))
  const concerned = snapshot.bindings
    .filter(({ metadata, spec }) => !metadata.deletionTimestamp && spec.clusters?.some(({ name }) => without.has(name)))
    .toSorted(compareEvictions)
  const placed = placeLeaving(concerned, clusters, snapshot)
  const targets = concerned.map((binding) => foresee(binding, placed.get(binding), snapshot))
  const count = (outcome: WhatIfOutcome): number => targets.filter((target) => target.outcome === outcome).length
  const moves = targets.map((target, index) => ({
    before: target.before,
    after: target.after,
    requirements: concerned[index]!.spec.replicaRequirements,
  }))
  return {
    targets,
    counts: {
      moves: count('moves'),
      shrinks: count('shrinks'),
      stuck: count('stuck'),
      lost: count('lost'),
      stays: count('stays'),
    },
    withoutFailoverPolicy: targets.filter(({ hasFailoverPolicy }) => !hasFailoverPolicy).length,
    replicasMoved: targets
      .filter(({ outcome }) => outcome === 'moves')
      .reduce((sum, { replicas }) => sum + replicas, 0),
    headroom: assessHeadroom(moves, clusters),
  }
}

const withoutOf = ({ cluster, others = [] }: WhatIfSnapshot): ReadonlySet<string> => new Set([cluster, ...others])

const leaves = (binding: Binding, { cause, now }: WhatIfSnapshot) => toleration(binding, taintsOf(cause, now), now)

/** The placement of a workload, and whether it may differ with earlier or later reports. */
interface Placed {
  left: Binding
  verdict: ScheduleVerdict
  isOpen: boolean
}

function placeLeaving(
  concerned: readonly Binding[],
  clusters: readonly Cluster[],
  snapshot: WhatIfSnapshot,
): Map<Binding, Placed> {
  const { profile = defaultProfile, timing = UPSTREAM_TIMING, now } = snapshot
  const leaving = concerned.flatMap((binding) => {
    const after = leaves(binding, snapshot)
    if (after === 'never' || isSchedulingSuspended(binding.spec)) return []
    const dueAt = now + (after === 'now' ? 0 : after * 1000)
    return [{ origin: binding, dueAt, binding: evictedFrom(binding, withoutOf(snapshot)) }]
  })
  const scheduled = (reportsAfterMs: number): ScheduleVerdict[] =>
    scheduleEvicted({ evicted: leaving, clusters, profile, timing: { ...timing, reportsAfterMs } })
  const verdicts = scheduled(timing.reportsAfterMs)
  const others = [scheduled(timing.reportsAfterMs / REPORT_SPREAD), scheduled(timing.reportsAfterMs * REPORT_SPREAD)]
  return new Map(
    leaving.map(({ origin, binding: left }, at) => {
      const verdict = verdicts[at]!
      const isOpen = others.some((other) => !isSameDistribution(verdict.clusters ?? [], other[at]!.clusters ?? []))
      return [origin, { left, verdict, isOpen }]
    }),
  )
}

function foresee(binding: Binding, placed: Placed | undefined, snapshot: WhatIfSnapshot): WhatIfTarget {
  const { spec } = binding
  const without = withoutOf(snapshot)
  const before = spec.clusters ?? []
  const ready = [...readyByCluster(binding, snapshot.clusters)].filter(([name]) => !without.has(name))
  const base = {
    workload: workloadOf(binding),
    before,
    hasFailoverPolicy: spec.failover !== undefined,
    replicas: totalReplicas(before.filter(({ name }) => without.has(name))),
    readyElsewhere: ready.reduce((sum, [, count]) => sum + count, 0),
    isOpen: placed?.isOpen ?? false,
  }
  const evictedAfter = leaves(binding, snapshot)
  if (evictedAfter === 'never')
    return { ...base, outcome: 'stays', after: before, reason: because(message('rebalance.whatIf.Tolerates')) }
  const waits = typeof evictedAfter === 'number' ? { toleratesSeconds: evictedAfter } : {}
  if (!placed) {
    return {
      ...base,
      ...waits,
      outcome: 'lost',
      after: before.filter(({ name }) => !without.has(name)),
      reason: because(message('rebalance.whatIf.Suspended')),
    }
  }
  return { ...base, ...waits, ...outcomeOf(placed, snapshot.clusters) }
}

function outcomeOf(
  { left, verdict }: Placed,
  clusters: readonly Cluster[],
): Pick<WhatIfTarget, 'outcome' | 'after' | 'reason'> {
  const remaining = left.spec.clusters ?? []
  const { clusters: after } = verdict
  const wanted = left.spec.replicas ?? 0
  if (after && after.length > 0) {
    const isWhole = wanted === 0 || totalReplicas(after) >= wanted
    const grows = wanted === 0 ? after.length > remaining.length : totalReplicas(after) > totalReplicas(remaining)
    return isWhole && grows
      ? { outcome: 'moves', after, reason: because(message('rebalance.whatIf.Moves')) }
      : {
          outcome: 'shrinks',
          after,
          reason: because(message('rebalance.whatIf.RunsElsewhere', { clusters: after.map(({ name }) => name) })),
        }
  }
  const cause = explainFailure(verdict, clusters) ?? message('rebalance.whatIf.noCluster')
  return remaining.length > 0
    ? { outcome: 'shrinks', after: remaining, reason: because(message('rebalance.whatIf.NoRoom', { cause })) }
    : { outcome: 'stuck', after: [], reason: because(message('rebalance.whatIf.Nowhere', { cause })) }
}
