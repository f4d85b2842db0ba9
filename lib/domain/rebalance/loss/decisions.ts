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
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { EpochMs } from '@/lib/std/clock'
import { blockedPredecessors } from '../../failover/history'
import { type Binding, scheduleBinding, type SchedulerProfile, type ScheduleVerdict } from '../../placement'
import type { Departing, Verdict } from '../outage'

/** A workload that leaves lost clusters. */
export interface Leaving extends Departing {
  /** Its position among the workloads. */
  workload: number
  from: readonly string[]
}

interface Circumstances {
  /** Sorted by name. */
  clusters: readonly Cluster[]
  at: EpochMs
  /** The loss of a single cluster: its decisions are kept. */
  keep: boolean
}

interface Kept {
  binding: Binding
  clusters: readonly Cluster[]
  /** Positions of the clusters that no rule rejected. */
  feasible: readonly number[]
  after: readonly TargetCluster[] | undefined
}

export class Decisions {
  /** By cluster that is lost, then by workload. */
  readonly #kept = new Map<string, Map<number, Kept>>()
  /** How many decisions were computed, and how many used again. */
  readonly counts = { computed: 0, reused: 0 }

  constructor(private readonly profile: SchedulerProfile) {}

  decide(one: Leaving, { clusters, at, keep }: Circumstances): Verdict {
    const kept = this.#find(one.workload, one.from)
    if (kept?.feasible.every((position) => kept.clusters[position] === clusters[position])) {
      this.counts.reused += 1
      return { clusters: kept.after }
    }
    this.counts.computed += 1
    const verdict = scheduleBinding({ binding: one.binding, clusters, profile: this.profile, now: at })
    if (keep && isRepeatable(one, this.profile)) this.#keep(one, clusters, verdict)
    return verdict
  }

  /** The binding after that eviction, if it was evicted before. */
  evicted(workload: number, from: readonly string[]): Binding | undefined {
    return this.#find(workload, from)?.binding
  }

  #find(workload: number, [cluster, ...others]: readonly string[]): Kept | undefined {
    return cluster === undefined || others.length > 0 ? undefined : this.#kept.get(cluster)?.get(workload)
  }

  #keep({ workload, from: [cluster], binding }: Leaving, clusters: readonly Cluster[], verdict: ScheduleVerdict): void {
    const decisions = this.#kept.get(cluster!) ?? new Map<number, Kept>()
    const feasible = new Set(verdict.attempts.flatMap(({ run }) => run.candidates.map(({ rank }) => rank)))
    decisions.set(workload, { binding, clusters, feasible: [...feasible], after: verdict.clusters })
    this.#kept.set(cluster!, decisions)
  }
}

/**
 * The time has no part in its decision, and its attempts name every cluster that a search found feasible: a second search
 * begins with another affinity group, and only its attempts are told.
 */
function isRepeatable({ binding }: Leaving, profile: SchedulerProfile): boolean {
  const { gracefulEvictionTasks = [], placement } = binding.spec
  const searchesTwice = profile.returnToPredecessors && placement?.clusterAffinities !== undefined
  const isTimeless = gracefulEvictionTasks.every(({ reason }) => reason === 'TaintUntolerated')
  return isTimeless && blockedPredecessors(binding).length === 0 && !searchesTwice
}
