/** The evictions of an outage one after the other: each workload is placed on what clusters report by then. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import type { EvictionTiming } from '../eviction'
import { type ArrivingCopies, withArrivals } from '../estimate'
import { type Binding, scheduleBinding, type SchedulerProfile, type ScheduleVerdict } from '../placement'
import { shiftsBetween } from './distribution'

/** A workload that leaves. */
export interface Departing {
  /** As the eviction leaves it: without the cluster, with its task. */
  binding: Binding
  /** Its toleration is over. */
  dueAt: EpochMs
}

export interface OutageSnapshot {
  /** In the order of their turns. */
  departing: readonly Departing[]
  clusters: readonly Cluster[]
  profile: SchedulerProfile
  timing: EvictionTiming
}

/** The scheduler's verdicts, in the order of `departing`. */
export function scheduleDepartures({ departing, clusters, profile, timing }: OutageSnapshot): ScheduleVerdict[] {
  const decide = ({ binding }: Departing, known: readonly Cluster[], now: EpochMs): ScheduleVerdict =>
    scheduleBinding({ binding, clusters: known, profile, now })
  const verdicts = new Map<Departing, ScheduleVerdict>()
  for (const { one, verdict } of turns({ departing, clusters, timing, decide })) verdicts.set(one, verdict)
  return departing.map((one) => verdicts.get(one)!)
}

/** What a decision says at least. */
export interface Verdict {
  clusters?: readonly TargetCluster[] | undefined
}

export interface TurnsOptions<D extends Departing, V extends Verdict> extends Omit<OutageSnapshot, 'profile'> {
  departing: readonly D[]
  /** The scheduler, on what clusters report by then. */
  decide: (one: D, clusters: readonly Cluster[], at: EpochMs) => V
  /** What a cluster reports after arrivals. Default `withArrivals`. */
  foresee?: typeof withArrivals
}

export interface Turn<D extends Departing, V extends Verdict> {
  one: D
  verdict: V
  at: EpochMs
}

/** The evictions, one at each step: a caller may stop between two of them. */
export function* turns<D extends Departing, V extends Verdict>({
  departing,
  clusters,
  timing,
  decide,
  foresee = withArrivals,
}: TurnsOptions<D, V>): Generator<Turn<D, V>> {
  const reports = new Reports(clusters, timing.reportsAfterMs, foresee)
  const gapMs = 1000 / timing.evictionsPerSecond
  let free = -Infinity
  for (const one of departing.toSorted((a, b) => a.dueAt - b.dueAt)) {
    const at = Math.max(one.dueAt, free)
    free = at + gapMs
    const verdict = decide(one, reports.at(at), at)
    if (verdict.clusters) reports.arrive(at, one.binding, verdict.clusters)
    yield { one, verdict, at }
  }
}

interface Arrival extends ArrivingCopies {
  at: EpochMs
}

/** What clusters report over time. A report holds everything that came until it is made. */
class Reports {
  #clusters: readonly Cluster[]
  readonly #base: ReadonlyMap<string, Cluster>
  readonly #arrivals = new Map<string, Arrival[]>()
  /** Arrivals that each cluster has reported. */
  readonly #told = new Map<string, number>()

  constructor(
    clusters: readonly Cluster[],
    private readonly afterMs: number,
    private readonly foresee: typeof withArrivals,
  ) {
    this.#clusters = clusters
    this.#base = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  }

  /** The same array until a cluster reports something new. */
  at(now: EpochMs): readonly Cluster[] {
    const changed = new Map<string, Cluster>()
    for (const [name, arrivals] of this.#arrivals) {
      const before = this.#told.get(name) ?? 0
      const told = this.#toldBy(now, arrivals, before)
      if (told === before) continue
      this.#told.set(name, told)
      changed.set(name, this.foresee(this.#base.get(name)!, arrivals.slice(0, told)))
    }
    if (changed.size > 0) this.#clusters = this.#clusters.map((one) => changed.get(one.metadata.name) ?? one)
    return this.#clusters
  }

  arrive(at: EpochMs, { spec }: Binding, after: readonly TargetCluster[]): void {
    for (const { cluster, by } of shiftsBetween(spec.clusters ?? [], after)) {
      if (by <= 0 || !this.#base.has(cluster)) continue
      const list = this.#arrivals.get(cluster) ?? []
      list.push({ at, replicas: by, requirements: spec.replicaRequirements })
      this.#arrivals.set(cluster, list)
    }
  }

  #toldBy(now: EpochMs, arrivals: readonly Arrival[], told: number): number {
    let count = told
    while (count < arrivals.length) {
      const reportedAt = arrivals[count]!.at + this.afterMs
      if (reportedAt > now) return count
      const next = arrivals.findIndex(({ at }, index) => index > count && at > reportedAt)
      count = next < 0 ? arrivals.length : next
    }
    return count
  }
}
