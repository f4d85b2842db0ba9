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
export interface Departing {
  /** The binding after the eviction: without the cluster, with its task. */
  binding: Binding
  /** When its toleration ends. */
  dueAt: EpochMs
}

export interface OutageSnapshot {
  /** In the order of eviction. */
  departing: readonly Departing[]
  clusters: readonly Cluster[]
  profile: SchedulerProfile
  timing: EvictionTiming
}

/** Returns the scheduler's verdicts, in the order of `departing`. */
export function scheduleDepartures({ departing, clusters, profile, timing }: OutageSnapshot): ScheduleVerdict[] {
  const decide = ({ binding }: Departing, known: readonly Cluster[], now: EpochMs): ScheduleVerdict =>
    scheduleBinding({ binding, clusters: known, profile, now })
  const verdicts = new Map<Departing, ScheduleVerdict>()
  const steps = turns({ departing, timing, decide, outlook: outlookOf(clusters) })
  for (const { one, verdict } of steps) verdicts.set(one, verdict)
  return departing.map((one) => verdicts.get(one)!)
}

/** Minimum content of a decision. */
export interface Verdict {
  clusters?: readonly TargetCluster[] | undefined
}

/** Reports of all clusters, as `S`, and their change when replicas arrive. */
export interface Outlook<S> {
  first: S
  has(cluster: string): boolean
  /**
   * Returns the state after `last`, when these clusters report these arrivals, which start with those reported before.
   */
  after(last: S, arrivals: ReadonlyMap<string, readonly ArrivingCopies[]>): S
}

export interface TurnsOptions<D extends Departing, V extends Verdict, S> extends Pick<OutageSnapshot, 'timing'> {
  departing: readonly D[]
  outlook: Outlook<S>
  /** Schedules a workload with the reports available by then. */
  decide: (one: D, reports: S, at: EpochMs) => V
}

export interface Turn<D extends Departing, V extends Verdict> {
  one: D
  verdict: V
  at: EpochMs
}

/** Yields each eviction; a caller may pause between two of them. */
export function* turns<D extends Departing, V extends Verdict, S>({
  departing,
  outlook,
  timing,
  decide,
}: TurnsOptions<D, V, S>): Generator<Turn<D, V>> {
  const reports = new Reports(outlook, timing.reportsAfterMs)
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

function outlookOf(clusters: readonly Cluster[]): Outlook<readonly Cluster[]> {
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
  told: number
}

/** Simulates reports over time. A report includes all arrivals until it is created. */
class Reports<S> {
  #state: S
  /** Clusters with unreported arrivals. */
  readonly #untold = new Map<string, Arrivals>()
  readonly #told = new Map<string, Arrivals>()

  constructor(
    private readonly outlook: Outlook<S>,
    private readonly afterMs: number,
  ) {
    this.#state = outlook.first
  }

  /** Returns the same object until a cluster reports something new. */
  at(now: EpochMs): S {
    const changed = new Map<string, readonly Arrival[]>()
    for (const [name, arrivals] of this.#untold) {
      const { list, told } = arrivals
      arrivals.told = this.#toldBy(now, arrivals)
      if (arrivals.told === told) continue
      changed.set(name, list.slice(0, arrivals.told))
      if (arrivals.told < list.length) continue
      this.#untold.delete(name)
      this.#told.set(name, arrivals)
    }
    if (changed.size > 0) this.#state = this.outlook.after(this.#state, changed)
    return this.#state
  }

  arrive(at: EpochMs, { spec }: Binding, after: readonly TargetCluster[]): void {
    for (const { name: cluster, replicas = 0 } of after) {
      const by = replicas - replicasIn(spec.clusters ?? [], cluster)
      if (by <= 0 || !this.outlook.has(cluster)) continue
      const arrivals = this.#untold.get(cluster) ?? this.#told.get(cluster) ?? { list: [], told: 0 }
      arrivals.list.push({ at, replicas: by, requirements: spec.replicaRequirements })
      this.#untold.set(cluster, arrivals)
    }
  }

  #toldBy(now: EpochMs, { list, told }: Arrivals): number {
    let count = told
    while (count < list.length) {
      const reportedAt = list[count]!.at + this.afterMs
      if (reportedAt > now) return count
      count += 1
      while (count < list.length && list[count]!.at <= reportedAt) count += 1
    }
    return count
  }
}
