/**
 * Simulates the loss of any set of clusters, with the decisions of `whatIf`. Many sets are simulated for one fleet, and
 * again after each change of it, so results are reused if they are provably equal: see `Decisions` and `carriedOver`.
 */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { EvictionTiming } from '../../eviction'
import {
  type Binding,
  type ClusterFacts,
  type ClusterSnapshot,
  defaultProfile,
  factsOf,
  isSchedulingSuspended,
  type SchedulerProfile,
  snapshotOf,
  withFacts,
} from '../../placement'
import { evictedFrom, taintsOf, toleration, withTaints } from '../failing'
import { type ReportModel, simulateEvictions } from '../outage'
import { UPSTREAM_TIMING } from '../what-if'
import { type Decision, Decisions, keptOf, type KnownWorkload, type IndexedEviction } from './decisions'
import { fateOf } from './fate'
import { Arrivals, knownRequests, utilizationOf } from './fullest'
import { KnownReports } from './known-reports'
import { type Fate, FATES, type Loss } from './loss'
import { areSameButForReports, carriedOver, type Fleet, fleetAfter, fleetOf, keyOfSet, type Outcome } from './outcomes'

export interface LossFleet {
  bindings: readonly Binding[]
  clusters: readonly Cluster[]
  now: EpochMs
  profile?: SchedulerProfile
  /** Default: `UPSTREAM_TIMING`. */
  timing?: EvictionTiming
}

/** What becomes of one workload. */
export interface Forecast {
  binding: Binding
  fate: Fate
  /** Where it is scheduled in the end. */
  clusters: readonly TargetCluster[]
  /** From the failure to its eviction; absent when it is not evicted. */
  evictedAfterMs?: number
}

/** Where a workload was placed, and when it was evicted. */
interface End {
  placed: readonly TargetCluster[]
  at: EpochMs
}

interface Simulated {
  outcome: Outcome
  ends: ReadonlyMap<number, End>
}

/** Caches that remain valid while clusters differ only in their reports. */
interface Memory {
  decisions: Decisions
  reports: KnownReports
  /** Facts of lost clusters. */
  lost: WeakMap<Cluster, ClusterFacts>
  workloads: WeakMap<Binding, KnownWorkload>
  profile: SchedulerProfile
  timing: EvictionTiming
}

/** Taints of a lost cluster. Their time is irrelevant, because evictions use the time since the failure. */
const TAINTS = taintsOf('fails', 0)

export class LossSimulation implements Fleet {
  /** Bindings that a loss can affect, in the order of eviction. */
  readonly workloads: readonly Binding[]
  /** Sorted by name: decisions store cluster indexes, which are the scheduler's in this order. */
  readonly clusters: readonly Cluster[]
  readonly #snapshot: ClusterSnapshot
  readonly #touching: ReadonlyMap<string, readonly number[]>
  readonly #rooms: ReturnType<typeof utilizationOf>
  readonly #memory: Memory
  readonly #outcomes: Map<string, Outcome>
  /** By index, for workloads simulated so far. */
  readonly #known: KnownWorkload[] = []
  readonly #now: EpochMs

  /**
   * `before`: a simulation of the same fleet at an earlier time. Its outcomes are reused unless a change affects them.
   */
  constructor(
    { bindings, clusters, now, profile = defaultProfile, timing = UPSTREAM_TIMING }: LossFleet,
    before?: LossSimulation,
  ) {
    const fleet = before ? fleetAfter(before, bindings, clusters) : fleetOf(bindings, clusters)
    this.workloads = fleet.workloads
    this.clusters = fleet.clusters
    this.#snapshot = snapshotOf(this.clusters)
    this.#touching = before?.workloads === fleet.workloads ? before.#touching : positionsByCluster(fleet.workloads)
    this.#rooms = utilizationOf(this.clusters)
    this.#now = now
    const isSame =
      before !== undefined
      && deepEqual([before.#memory.profile, before.#memory.timing], [profile, timing])
      && areSameButForReports(before.clusters, this.clusters)
    this.#memory = isSame ? before.#memory : newMemory(this.#snapshot, profile, timing)
    this.#outcomes = isSame ? carriedOver(before.#outcomes, before, this) : new Map()
  }

  /** Numbers of computed and of reused decisions so far. */
  get decisions(): Readonly<Decisions['counts']> {
    return this.#memory.decisions.counts
  }

  /** Returns the number of workloads in the cluster, which is the maximum number of decisions for its loss. */
  touched(cluster: string): number {
    return this.#touching.get(cluster)?.length ?? 0
  }

  /** Returns the loss of these clusters, if it was simulated. */
  outcome(names: readonly string[]): Loss | undefined {
    return this.#outcomes.get(keyOfSet(names))?.loss
  }

  /** Returns a simulation of the fleet after a change. */
  changed(fleet: LossFleet): LossSimulation {
    return new LossSimulation(fleet, this)
  }

  /** Stores an outcome, which may come from a simulation of the same fleet in another thread or process. */
  learn(outcome: Outcome): void {
    this.#outcomes.set(keyOfSet(outcome.loss.clusters), outcome)
  }

  /** Simulates the loss of all of these clusters at once. Yields after each decision, so that the caller may pause. */
  *lose(names: readonly string[]): Generator<undefined, Outcome> {
    return (yield* this.#simulate(names)).outcome
  }

  /** The same loss, told workload by workload. */
  *predict(names: readonly string[]): Generator<undefined, Forecast[]> {
    const { outcome, ends } = yield* this.#simulate(names)
    const { workloads, fates } = outcome.loss
    return [...workloads].map((workload, at) => {
      const binding = this.workloads[workload]!
      const end = ends.get(workload)
      return {
        binding,
        fate: FATES[fates[at]!]!,
        clusters: end?.placed ?? binding.spec.clusters ?? [],
        ...(end && { evictedAfterMs: end.at - this.#now }),
      }
    })
  }

  *#simulate(names: readonly string[]): Generator<undefined, Simulated> {
    const lost = new Set(names)
    const touched = [...new Set(names.flatMap((name) => this.#touching.get(name) ?? []))].sort((a, b) => a - b)
    const isSingle = lost.size === 1
    const { decisions, reports, timing } = this.#memory
    reports.begin(isSingle)
    const ends = new Map<number, End>()
    const arrivals = new Arrivals(this.#rooms)
    const reads = new Reads(this.clusters.length)
    let lastAt: EpochMs | undefined
    const evictions = simulateEvictions({
      evicted: this.#evicted(touched, lost),
      reportModel: this.#reportModelWithout(lost),
      timing,
      decide: (one, clusters: ClusterSnapshot, at) =>
        reads.note(decisions.decide(one, { clusters, at, keep: isSingle })),
    })
    for (const { one, verdict, at } of evictions) {
      const remaining = one.binding.spec.clusters ?? []
      const placed = verdict.clusters?.length ? verdict.clusters : remaining
      ends.set(one.workload, { placed, at })
      arrivals.add(remaining, placed, knownRequests(one.binding.spec.replicaRequirements))
      lastAt = at
      yield
    }
    const peak = arrivals.peak()
    const loss: Loss = {
      clusters: names,
      ...this.#fates(touched, lost, ends),
      ...(lastAt !== undefined && { evictedAfterMs: lastAt - this.#now }),
      ...(peak && { peak }),
    }
    return { outcome: { loss, reads: reads.positions }, ends }
  }

  #reportModelWithout(lost: ReadonlySet<string>): ReportModel<ClusterSnapshot> {
    const { ranks } = this.#snapshot
    const positions = [...lost].flatMap((name) => ranks.get(name) ?? [])
    const first = withFacts(
      this.#snapshot,
      positions.map((at) => [at, this.#lostFacts(this.clusters[at]!)] as const),
    )
    return {
      first,
      has: (cluster) => ranks.has(cluster),
      after: (last, arrivals) =>
        withFacts(
          last,
          [...arrivals].map(([cluster, list]) => {
            const at = ranks.get(cluster)!
            return [at, this.#memory.reports.after(first.facts[at]!, list)] as const
          }),
        ),
    }
  }

  #lostFacts(cluster: Cluster): ClusterFacts {
    const { lost } = this.#memory
    const facts = lost.get(cluster) ?? factsOf(withTaints(cluster, TAINTS))
    lost.set(cluster, facts)
    return facts
  }

  #evicted(touched: readonly number[], lost: ReadonlySet<string>): IndexedEviction[] {
    const leaving: IndexedEviction[] = []
    const alone = lost.size === 1 ? [...lost] : undefined
    for (const workload of touched) {
      const known = this.#knownOf(workload)
      if (known.delay === 'never') continue
      const origin = this.workloads[workload]!
      const from = alone ?? (origin.spec.clusters ?? []).flatMap(({ name }) => (lost.has(name) ? [name] : []))
      const binding = keptOf(known, from)?.binding ?? evictedFrom(origin, lost)
      leaving.push({ workload, known, from, binding, dueAt: this.#now + known.delay })
    }
    return leaving
  }

  #knownOf(at: number): KnownWorkload {
    const here = this.#known[at]
    if (here) return here
    const workload = this.workloads[at]!
    const known = this.#memory.workloads.get(workload) ?? { delay: delayOf(workload), kept: new Map() }
    this.#memory.workloads.set(workload, known)
    this.#known[at] = known
    return known
  }

  #fates(
    touched: readonly number[],
    lost: ReadonlySet<string>,
    ends: ReadonlyMap<number, End>,
  ): Pick<Loss, 'workloads' | 'fates' | 'needed' | 'missing'> {
    const count = touched.length
    const [fates, needed, missing] = [new Uint8Array(count), new Uint32Array(count), new Uint32Array(count)]
    for (let at = 0; at < count; at += 1) {
      const binding = this.workloads[touched[at]!]!
      const outcome = fateOf(binding, lost, ends.get(touched[at]!)?.placed ?? binding.spec.clusters ?? [])
      fates[at] = FATES.indexOf(outcome.fate)
      needed[at] = outcome.needed
      missing[at] = outcome.missing
    }
    return { workloads: Uint32Array.from(touched), fates, needed, missing }
  }
}

/** Tracks the clusters that decisions depend on. */
class Reads {
  #isAll = false
  readonly #positions: Uint8Array

  constructor(clusters: number) {
    this.#positions = new Uint8Array(clusters)
  }

  note(decision: Decision): Decision {
    if (decision.reads) for (const position of decision.reads) this.#positions[position] = 1
    else this.#isAll = true
    return decision
  }

  get positions(): Uint8Array | undefined {
    return this.#isAll ? undefined : this.#positions
  }
}

function newMemory(clusters: ClusterSnapshot, profile: SchedulerProfile, timing: EvictionTiming): Memory {
  return {
    decisions: new Decisions(profile, clusters),
    reports: new KnownReports(),
    lost: new WeakMap(),
    workloads: new WeakMap(),
    profile,
    timing,
  }
}

/** Returns the milliseconds from the failure until the workload is evicted. */
function delayOf(binding: Binding): number | 'never' {
  const leaves = isSchedulingSuspended(binding.spec) ? 'never' : toleration(binding, TAINTS, 0)
  return leaves === 'never' ? 'never' : leaves === 'now' ? 0 : leaves * 1000
}

function positionsByCluster(bindings: readonly Binding[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  bindings.forEach(({ spec }, at) => {
    for (const { name } of spec.clusters ?? []) {
      const list = positions.get(name)
      if (!list) positions.set(name, [at])
      // A cluster may be listed twice.
      else if (list.at(-1) !== at) list.push(at)
    }
  })
  return positions
}
