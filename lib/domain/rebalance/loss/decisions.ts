/**
 * Caches scheduling decisions about evicted workloads and reuses them if they are provably equal.
 *
 * A decision depends on the binding, the time, and all clusters. Compare the loss of cluster a with the loss of a set
 * that contains a. For a workload whose only lost cluster is a, the binding is the same in both. The time matters only
 * for workloads with an eviction history or other running evictions. Feasible clusters are read with their whole
 * report; a rejected cluster stays rejected, because losses only add taints, and arriving workloads change no filter
 * result. The decision is therefore the same if each cluster that was feasible in the loss of a is the same object in
 * the set, or was not selected and is ordered after all selected ones: see `lastSelectedOf`. Other decisions are
 * computed from the feasible clusters.
 */
import type { EpochMs } from '@/lib/std/clock'
import { blockedPredecessors } from '../../failover/history'
import {
  type Binding,
  type ClusterFacts,
  type ClusterSnapshot,
  compileIsBehind,
  FilterMemo,
  type FilterVerdict,
  type LastSelected,
  lastSelectedOf,
  type PlacementRequest,
  recheckClusters,
  scheduleBinding,
  type SchedulerProfile,
  type ScheduleVerdict,
} from '../../placement'
import type { EvictedWorkload, Verdict } from '../outage'

/** Cached values of one workload. */
export interface KnownWorkload {
  /** Milliseconds from a failure until its eviction. */
  delay: number | 'never'
  /** Decisions by lost cluster. */
  kept: Map<string, Kept>
}

/** A workload that is evicted from lost clusters, with its index. */
export interface IndexedEviction extends EvictedWorkload {
  /** Index of the workload. */
  workload: number
  known: KnownWorkload
  from: readonly string[]
}

interface DecisionContext {
  clusters: ClusterSnapshot
  at: EpochMs
  /** The loss of a single cluster: its decisions are cached. */
  keep: boolean
}

export interface Decision extends Verdict {
  /** Indexes of the clusters whose reports the decision depends on; undefined: possibly all, and the time. */
  reads: readonly number[] | undefined
}

interface Kept extends Decision {
  binding: Binding
  reads: readonly number[]
  /** Reports of these clusters. */
  reports: readonly ClusterFacts[]
  /**
   * Number of selected clusters, which are first in `reads`. If `last` is defined, only the order of the others
   * matters.
   */
  selected: number
  last: LastSelected | undefined
  /** True after the filters ran once: the feasible clusters are known. */
  isFilteredOnce: boolean
}

export class Decisions {
  readonly #filters: FilterMemo
  /** Numbers of computed and of reused decisions. */
  readonly counts = { computed: 0, reused: 0 }

  /** `clusters`: before any loss. */
  constructor(
    private readonly profile: SchedulerProfile,
    clusters: ClusterSnapshot,
  ) {
    this.#filters = new FilterMemo(clusters)
  }

  decide(one: IndexedEviction, { clusters, at, keep }: DecisionContext): Decision {
    const kept = keptOf(one.known, one.from)
    if (kept && this.#holds(kept, clusters)) {
      this.counts.reused += 1
      return kept
    }
    this.counts.computed += 1
    let asked = 0
    const filter = (facts: readonly ClusterFacts[], request: PlacementRequest): FilterVerdict => {
      asked += 1
      const known = asked === 1 && kept?.isFilteredOnce ? stillFeasible(kept, facts, request) : []
      return known.length > 0 ? { feasible: known, rejections: [] } : this.#filters.filter(facts, request)
    }
    const verdict = scheduleBinding({
      binding: one.binding,
      clusters,
      profile: this.profile,
      now: at,
      filter,
      writes: false,
    })
    const decision = { clusters: verdict.clusters, reads: readsOf(one, verdict, this.profile) }
    if (keep) remember(one, clusters, { decision, verdict, isFilteredOnce: asked === 1 })
    return decision
  }

  /** Reports whether the recorded decision is still valid for the snapshot. */
  #holds({ binding, reads, reports, selected, last }: Kept, { facts }: ClusterSnapshot): boolean {
    let isBehind: ReturnType<typeof compileIsBehind> | undefined
    for (let index = 0; index < reads.length; index += 1) {
      const position = reads[index]!
      const report = facts[position]!
      if (reports[index] === report) continue
      if (!last || index < selected) return false
      isBehind ??= compileIsBehind(binding, last, this.profile)
      if (!isBehind(report, position)) return false
    }
    return true
  }
}

/** Returns the decision for the loss of that single cluster. */
export const keptOf = ({ kept }: KnownWorkload, from: readonly string[]): Kept | undefined =>
  from.length === 1 ? kept.get(from[0]!) : undefined

/** Returns the clusters that are still feasible. Only changed taints can reject a cluster that was feasible. */
function stillFeasible({ reads, reports }: Kept, facts: readonly ClusterFacts[], request: PlacementRequest): number[] {
  const changed = reads.filter((position, index) => reports[index]!.taints !== facts[position]!.taints)
  if (changed.length === 0) return [...reads]
  const remaining = new Set(recheckClusters(facts, request, changed))
  return reads.filter((position) => remaining.has(position) || !changed.includes(position))
}

interface Made {
  decision: Decision
  verdict: ScheduleVerdict
  isFilteredOnce: boolean
}

function remember(
  { known, from: [cluster], binding }: IndexedEviction,
  { facts }: ClusterSnapshot,
  { decision, verdict: { attempts }, isFilteredOnce }: Made,
): void {
  const { clusters, reads } = decision
  if (!reads) return
  const [{ run } = { run: undefined }, ...others] = attempts
  const last = run && others.length === 0 ? lastSelectedOf(run) : undefined
  known.kept.set(cluster!, {
    binding,
    clusters,
    reads,
    reports: reads.map((position) => facts[position]!),
    selected: run?.selected.length ?? 0,
    last,
    isFilteredOnce: isFilteredOnce && !binding.spec.placement?.clusterAffinities,
  })
}

/** Returns the clusters that no filter rejected. */
function readsOf(one: IndexedEviction, { attempts }: ScheduleVerdict, profile: SchedulerProfile): number[] | undefined {
  if (!isRepeatable(one, profile)) return undefined
  const [only, ...others] = attempts
  const candidates = others.length === 0 ? (only?.run.candidates ?? []) : attempts.flatMap(({ run }) => run.candidates)
  return others.length === 0 ? candidates.map(({ rank }) => rank) : [...new Set(candidates.map(({ rank }) => rank))]
}

/**
 * Reports whether the decision does not depend on the time, and its attempts list every feasible cluster. A second
 * search starts with another affinity group, and only its attempts are returned.
 */
function isRepeatable({ binding }: IndexedEviction, profile: SchedulerProfile): boolean {
  const { gracefulEvictionTasks = [], placement } = binding.spec
  const searchesTwice = profile.returnToPredecessors && placement?.clusterAffinities !== undefined
  const isTimeless = gracefulEvictionTasks.every(({ reason }) => reason === 'TaintUntolerated')
  return isTimeless && !searchesTwice && blockedPredecessors(binding).length === 0
}
