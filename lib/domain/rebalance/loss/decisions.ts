/**
 * Decisions of the scheduler about evicted workloads, used again where they are provably the same.
 *
 * A decision reads the binding, the time, and all clusters. Take the loss of cluster a, and a set with a in it. For a
 * workload whose only lost cluster is a the binding is the same in both. The time counts only for workloads with an
 * eviction history or other evictions under way. Of the clusters, those that no rule rejected are read with all they
 * report; a rejected one is rejected again, because losses only add taints and arrivals change no rule's answer. So the
 * decision is the same if each cluster that was feasible in the loss of a is the same object in the set. Everything else
 * is computed.
 */
import type { EpochMs } from '@/lib/std/clock'
import { blockedPredecessors } from '../../failover/history'
import {
  type Binding,
  type ClusterFacts,
  type ClusterSnapshot,
  FilterMemo,
  scheduleBinding,
  type SchedulerProfile,
  type ScheduleVerdict,
} from '../../placement'
import type { Departing, Verdict } from '../outage'

/** What is known of one workload. */
export interface KnownWorkload {
  /** Milliseconds from a failure until it leaves. */
  delay: number | 'never'
  /** Decisions by the cluster that is lost. */
  kept: Map<string, Kept>
}

/** A workload that leaves lost clusters. */
export interface Leaving extends Departing {
  /** Its position among the workloads. */
  workload: number
  known: KnownWorkload
  from: readonly string[]
}

interface Circumstances {
  clusters: ClusterSnapshot
  at: EpochMs
  /** The loss of a single cluster: its decisions are kept. */
  keep: boolean
}

export interface Decision extends Verdict {
  /** Positions of the clusters whose reports it depends on; undefined: possibly all, and the time. */
  reads: readonly number[] | undefined
}

interface Kept extends Decision {
  binding: Binding
  reads: readonly number[]
  /** What these clusters reported. */
  reports: readonly ClusterFacts[]
}

export class Decisions {
  readonly #filters: FilterMemo
  /** How many decisions were computed, and how many used again. */
  readonly counts = { computed: 0, reused: 0 }

  /** `clusters`: before anything is lost. */
  constructor(
    private readonly profile: SchedulerProfile,
    clusters: ClusterSnapshot,
  ) {
    this.#filters = new FilterMemo(clusters)
  }

  decide(one: Leaving, { clusters, at, keep }: Circumstances): Decision {
    const kept = keptOf(one.known, one.from)
    if (kept?.reads.every((position, index) => kept.reports[index] === clusters.facts[position])) {
      this.counts.reused += 1
      return kept
    }
    this.counts.computed += 1
    const { filter } = this.#filters
    const verdict = scheduleBinding({
      binding: one.binding,
      clusters,
      profile: this.profile,
      now: at,
      filter,
      writes: false,
    })
    const decision = { clusters: verdict.clusters, reads: readsOf(one, verdict, this.profile) }
    if (keep) remember(one, clusters, decision)
    return decision
  }
}

/** What was decided when that was the only cluster that it left. */
export const keptOf = ({ kept }: KnownWorkload, from: readonly string[]): Kept | undefined =>
  from.length === 1 ? kept.get(from[0]!) : undefined

function remember({ known, from: [cluster], binding }: Leaving, { facts }: ClusterSnapshot, decision: Decision): void {
  const { clusters, reads } = decision
  if (!reads) return
  known.kept.set(cluster!, { binding, clusters, reads, reports: reads.map((position) => facts[position]!) })
}

/** The clusters that no rule rejected. */
function readsOf(one: Leaving, { attempts }: ScheduleVerdict, profile: SchedulerProfile): number[] | undefined {
  if (!isRepeatable(one, profile)) return undefined
  const [only, ...others] = attempts
  const candidates = others.length === 0 ? (only?.run.candidates ?? []) : attempts.flatMap(({ run }) => run.candidates)
  return others.length === 0 ? candidates.map(({ rank }) => rank) : [...new Set(candidates.map(({ rank }) => rank))]
}

/**
 * The time has no part in its decision, and its attempts name every cluster that a search found feasible: a second search
 * begins with another affinity group, and only its attempts are told.
 */
function isRepeatable({ binding }: Leaving, profile: SchedulerProfile): boolean {
  const { gracefulEvictionTasks = [], placement } = binding.spec
  const searchesTwice = profile.returnToPredecessors && placement?.clusterAffinities !== undefined
  const isTimeless = gracefulEvictionTasks.every(({ reason }) => reason === 'TaintUntolerated')
  return isTimeless && !searchesTwice && blockedPredecessors(binding).length === 0
}
