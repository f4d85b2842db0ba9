/**
 * Simulates the evictions of an outage one after the other: each workload is scheduled with the reports that clusters
 * have sent by then.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import type { EvictionTiming } from '../eviction'
import { type ArrivingCopies, withArrivals } from '../estimate'
import { type Binding, scheduleBinding, type SchedulerProfile, type ScheduleVerdict } from '../placement'

/** A workload that is evicted. */
export interface EvictedWorkload {
  /** The binding after the eviction: without the cluster, with its task. */
  binding: Binding
  /** When its toleration ends. */
  dueAt: EpochMs
}

export interface OutageSnapshot {
  /** In the order of eviction. */
  evicted: readonly EvictedWorkload[]
  clusters: readonly Cluster[]
  profile: SchedulerProfile
  timing: EvictionTiming
}

/** Returns the scheduler's verdicts, in the order of `departing`. */
export function scheduleEvicted({ evicted, clusters, profile, timing }: OutageSnapshot): ScheduleVerdict[] {
  const decide = ({ binding }: EvictedWorkload, known: readonly Cluster[], now: EpochMs): ScheduleVerdict =>
    scheduleBinding({ binding, clusters: known, profile, now })
  const verdicts = new Map<EvictedWorkload, ScheduleVerdict>()
  const steps = simulateEvictions({ evicted, timing, decide, reportModel: reportModelOf(clusters) })
  for (const { one, verdict } of steps) verdicts.set(one, verdict)
  return evicted.map((one) => verdicts.get(one)!)
}

/** Minimum content of a decision. */
export interface Verdict {
  clusters?: readonly TargetCluster[] | undefined
}

/** Reports of all clusters, as `S`, and their change when replicas arrive. */
export interface ReportModel<S> {
  first: S
  has(cluster: string): boolean
  /**
   * Returns the state after `last`, when these clusters report these arrivals, which start with those reported before.
   */
  after(last: S, arrivals: ReadonlyMap<string, readonly ArrivingCopies[]>): S
}

export interface SimulateEvictionsOptions<D extends EvictedWorkload, V extends Verdict, S> extends Pick<
  OutageSnapshot,
  'timing'
> {
  evicted: readonly D[]
  reportModel: ReportModel<S>
  /** Schedules a workload with the reports available by then. */
  decide: (one: D, reports: S, at: EpochMs) => V
}

export interface SimulatedEviction<D extends EvictedWorkload, V extends Verdict> {
  one: D
  verdict: V
  at: EpochMs
}

/** Yields each eviction; a caller may pause between two of them. */
export function* simulateEvictions<D extends EvictedWorkload, V extends Verdict, S>({
  evicted,
  reportModel,
  timing,
  decide,
}: SimulateEvictionsOptions<D, V, S>): Generator<SimulatedEviction<D, V>> {
  const reports = new Reports(reportModel, timing.reportsAfterMs)
  const gapMs = 1000 / timing.evictionsPerSecond
  let free = -Infinity
  for (const one of evicted.toSorted((a, b) => a.dueAt - b.dueAt)) {
    const at = Math.max(one.dueAt, free)
    free = at + gapMs
    const verdict = decide(one, reports.at(at), at)
    if (verdict.clusters) reports.arrive(at, one.binding, verdict.clusters)
    yield { one, verdict, at }
  }
}

function reportModelOf(clusters: readonly Cluster[]): ReportModel<readonly Cluster[]> {
  const base = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  return {
    first: clusters,
    has: (cluster) => base.has(cluster),
    after: (last, arrivals) =>
      last.map((one) => {
        const arrived = arrivals.get(one.metadata.name)
        return arrived ? withArrivals(base.get(one.metadata.name)!, arrived) : one
      }),
  }
}

interface Arrival extends ArrivingCopies {
  at: EpochMs
}

function replicasIn(clusters: readonly TargetCluster[], cluster: string): number {
  let sum = 0
  for (const { name, replicas = 0 } of clusters) if (name === cluster) sum += replicas
  return sum
}

/** Arrivals in one cluster, and how many of them it has reported. */
interface Arrivals {
  list: Arrival[]
  reported: number
}

/** Simulates reports over time. A report includes all arrivals until it is created. */
class Reports<S> {
  #state: S
  /** Clusters with unreported arrivals. */
  readonly #unreported = new Map<string, Arrivals>()
  readonly #reported = new Map<string, Arrivals>()

  constructor(
    private readonly reportModel: ReportModel<S>,
    private readonly afterMs: number,
  ) {
    this.#state = reportModel.first
  }

  /** Returns the same object until a cluster reports something new. */
  at(now: EpochMs): S {
    const changed = new Map<string, readonly Arrival[]>()
    for (const [name, arrivals] of this.#unreported) {
      const { list, reported } = arrivals
      arrivals.reported = this.#reportedBy(now, arrivals)
      if (arrivals.reported === reported) continue
      changed.set(name, list.slice(0, arrivals.reported))
      if (arrivals.reported < list.length) continue
      this.#unreported.delete(name)
      this.#reported.set(name, arrivals)
    }
    if (changed.size > 0) this.#state = this.reportModel.after(this.#state, changed)
    return this.#state
  }

  arrive(at: EpochMs, { spec }: Binding, after: readonly TargetCluster[]): void {
    for (const { name: cluster, replicas = 0 } of after) {
      const by = replicas - replicasIn(spec.clusters ?? [], cluster)
      if (by <= 0 || !this.reportModel.has(cluster)) continue
      const arrivals = this.#unreported.get(cluster) ?? this.#reported.get(cluster) ?? { list: [], reported: 0 }
      arrivals.list.push({ at, replicas: by, requirements: spec.replicaRequirements })
      this.#unreported.set(cluster, arrivals)
    }
  }

  #reportedBy(now: EpochMs, { list, reported }: Arrivals): number {
    let count = reported
    while (count < list.length) {
      const reportedAt = list[count]!.at + this.afterMs
      if (reportedAt > now) return count
      count += 1
      while (count < list.length && list[count]!.at <= reportedAt) count += 1
    }
    return count
  }
}
