/**
 * What the loss of any set of clusters costs, by the decisions of `whatIf`. Many sets are asked about one fleet, so a decision of
 * the loss of one cluster is used again where it is provably the same: see `Decisions`.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import { compareEvictions, type EvictionTiming } from '../../eviction'
import { type Binding, defaultProfile, isSchedulingSuspended, type SchedulerProfile } from '../../placement'
import { evictedFrom, taintsOf, toleration, withTaints } from '../failing'
import { turns } from '../outage'
import { UPSTREAM_TIMING } from '../what-if'
import { Decisions, type Leaving } from './decisions'
import { fateOf } from './fate'
import { Arrivals, knownRequests, roomsOf } from './fullest'
import { KnownReports } from './known-reports'
import { FATES, type Loss } from './loss'

export interface LossFleet {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  now: EpochMs
  profile?: SchedulerProfile
  /** Default `UPSTREAM_TIMING`. */
  timing?: EvictionTiming
}

export class LossSimulation {
  /** The bindings that a loss can concern, in the order of eviction. */
  readonly workloads: readonly Binding[]
  readonly #clusters: readonly Cluster[]
  readonly #touching: ReadonlyMap<string, readonly number[]>
  /** From the failure until the workload leaves, undefined when it stays; read when it is first needed. */
  readonly #leavesAfter = new Map<number, number | undefined>()
  readonly #taints: ReturnType<typeof taintsOf>
  readonly #tainted: ReadonlyMap<string, Cluster>
  readonly #rooms: ReturnType<typeof roomsOf>
  readonly #reports = new KnownReports()
  readonly #decisions: Decisions
  readonly #now: EpochMs
  readonly #timing: EvictionTiming

  constructor({ bindings, clusters, now, profile = defaultProfile, timing = UPSTREAM_TIMING }: LossFleet) {
    this.#taints = taintsOf('fails', now)
    this.workloads = bindings.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted(compareEvictions)
    // A decision is compared by the positions of clusters, which are those of the scheduler in this order.
    this.#clusters = clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    this.#touching = positionsByCluster(this.workloads)
    this.#tainted = new Map(clusters.map((one) => [one.metadata.name, withTaints(one, this.#taints)]))
    this.#rooms = roomsOf(clusters)
    this.#decisions = new Decisions(profile)
    this.#now = now
    this.#timing = timing
  }

  /** Decisions of the scheduler so far: those that were computed, and those that were used again. */
  get decisions(): Readonly<Decisions['counts']> {
    return this.#decisions.counts
  }

  /** Workloads with something in the cluster: decisions that its loss takes, at most. */
  touched(cluster: string): number {
    return this.#touching.get(cluster)?.length ?? 0
  }

  /** The outcome of the loss of these clusters at once. One decision at each step, so that the caller may pause. */
  *lose(names: readonly string[]): Generator<undefined, Loss> {
    const lost = new Set(names)
    const touched = [...new Set(names.flatMap((name) => this.#touching.get(name) ?? []))].sort((a, b) => a - b)
    const isSingle = lost.size === 1
    this.#reports.begin(isSingle)
    const after = new Map<number, readonly TargetCluster[]>()
    const arrivals = new Arrivals(this.#rooms)
    let lastAt: EpochMs | undefined
    const evictions = turns({
      departing: this.#departing(touched, lost),
      clusters: this.#clusters.map((one) =>
        lost.has(one.metadata.name) ? this.#tainted.get(one.metadata.name)! : one,
      ),
      timing: this.#timing,
      decide: (one, clusters, at) => this.#decisions.decide(one, { clusters, at, keep: isSingle }),
      foresee: (cluster, arriving) => this.#reports.after(cluster, arriving),
    })
    for (const { one, verdict, at } of evictions) {
      const remaining = one.binding.spec.clusters ?? []
      const placed = verdict.clusters?.length ? verdict.clusters : remaining
      after.set(one.workload, placed)
      arrivals.add(remaining, placed, knownRequests(one.binding.spec.replicaRequirements))
      lastAt = at
      yield
    }
    const peak = arrivals.peak()
    return {
      clusters: names,
      ...this.#fates(touched, lost, after),
      ...(lastAt !== undefined && { evictedAfterMs: lastAt - this.#now }),
      ...(peak && { peak }),
    }
  }

  #departing(touched: readonly number[], lost: ReadonlySet<string>): Leaving[] {
    return touched.flatMap((workload) => {
      const after = this.#delayOf(workload)
      if (after === undefined) return []
      const binding = this.workloads[workload]!
      const from = (binding.spec.clusters ?? []).filter(({ name }) => lost.has(name)).map(({ name }) => name)
      const left = this.#decisions.evicted(workload, from) ?? evictedFrom(binding, lost)
      return [{ workload, from, binding: left, dueAt: this.#now + after }]
    })
  }

  #delayOf(workload: number): number | undefined {
    if (!this.#leavesAfter.has(workload)) {
      const binding = this.workloads[workload]!
      const leaves = isSchedulingSuspended(binding.spec) ? 'never' : toleration(binding, this.#taints, this.#now)
      this.#leavesAfter.set(workload, leaves === 'never' ? undefined : leaves === 'now' ? 0 : leaves * 1000)
    }
    return this.#leavesAfter.get(workload)
  }

  #fates(
    touched: readonly number[],
    lost: ReadonlySet<string>,
    after: ReadonlyMap<number, readonly TargetCluster[]>,
  ): Pick<Loss, 'workloads' | 'fates' | 'needed' | 'missing'> {
    const outcomes = touched.map((workload) => {
      const binding = this.workloads[workload]!
      return fateOf(binding, lost, after.get(workload) ?? binding.spec.clusters ?? [])
    })
    return {
      workloads: Uint32Array.from(touched),
      fates: Uint8Array.from(outcomes, ({ fate }) => FATES.indexOf(fate)),
      needed: Uint32Array.from(outcomes, ({ needed }) => needed),
      missing: Uint32Array.from(outcomes, ({ missing }) => missing),
    }
  }
}

function positionsByCluster(bindings: readonly Binding[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  bindings.forEach(({ spec }, at) => {
    for (const name of new Set((spec.clusters ?? []).map((target) => target.name))) {
      const list = positions.get(name)
      if (list) list.push(at)
      else positions.set(name, [at])
    }
  })
  return positions
}
