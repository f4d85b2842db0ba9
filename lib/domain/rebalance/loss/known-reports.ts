/**
 * Caches cluster reports after arrivals and returns the same object for the same arrivals, by which decisions are
 * recognized as equal.
 */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { type ArrivingCopies, capacityWithArrivals, countsWhole, withArrivals } from '../../estimate'
import { type ClusterFacts, factsOf } from '../../placement'

/** A sequence of arrivals, with the report after them if it was computed. */
interface Known {
  facts?: ClusterFacts
  next: Map<string, Known>
}

/** The latest report of a cluster in the current loss. */
interface Latest {
  arrivals: number
  /** Undefined if these arrivals are not cached. */
  known: Known | undefined
  facts: ClusterFacts
}

export class KnownReports {
  readonly #byCluster = new WeakMap<ClusterFacts, Known>()
  readonly #ids = new WeakMap<ReplicaRequirements, number>()
  readonly #idByRequests = new Map<string, number>()
  readonly #isCalculable = new WeakMap<Cluster, boolean>()
  readonly #latest = new Map<ClusterFacts, Latest>()
  #keeps = false

  /**
   * Starts a new loss. `keep`: cache its reports for later losses. Those of pairs are too many and rarely needed again.
   */
  begin(keep: boolean): void {
    this.#latest.clear()
    this.#keeps = keep
  }

  /** `arrivals` starts with those of the previous call. */
  after(base: ClusterFacts, arrivals: readonly ArrivingCopies[]): ClusterFacts {
    const last = this.#latest.get(base) ?? { arrivals: 0, known: this.#rootOf(base), facts: base }
    const added = arrivals.slice(last.arrivals)
    let { known } = last
    for (const one of added) known = known && this.#step(known, `${one.replicas}×${this.#idOf(one.requirements)}`)
    const facts = known?.facts ?? this.#report(base, last.facts, { arrivals, added })
    if (known && this.#keeps) known.facts = facts
    this.#latest.set(base, { arrivals: arrivals.length, known, facts })
    return facts
  }

  /**
   * Amounts are additive, so the latest report and the new arrivals suffice; nodes by grade are computed from the
   * start.
   */
  #report(
    base: ClusterFacts,
    last: ClusterFacts,
    { arrivals, added }: Record<'arrivals' | 'added', readonly ArrivingCopies[]>,
  ): ClusterFacts {
    return last.capacity && this.#isCalculableFor(base.cluster)
      ? { ...last, capacity: capacityWithArrivals(last.capacity, added) }
      : factsOf(withArrivals(base.cluster, arrivals))
  }

  #isCalculableFor(cluster: Cluster): boolean {
    const known = this.#isCalculable.get(cluster)
    if (known !== undefined) return known
    const summary = cluster.status?.resourceSummary
    const isCalculable = !!summary && !summary.allocatableModelings?.length && countsWhole(summary)
    this.#isCalculable.set(cluster, isCalculable)
    return isCalculable
  }

  #rootOf(base: ClusterFacts): Known {
    const root = this.#byCluster.get(base) ?? { next: new Map<string, Known>() }
    this.#byCluster.set(base, root)
    return root
  }

  #step({ next }: Known, arrival: string): Known | undefined {
    const known = next.get(arrival)
    if (known || !this.#keeps) return known
    const added: Known = { next: new Map() }
    next.set(arrival, added)
    return added
  }

  /** Returns the same number for the same requests. */
  #idOf(requirements: ReplicaRequirements | undefined): number {
    if (!requirements) return -1
    const known = this.#ids.get(requirements)
    if (known !== undefined) return known
    const text = JSON.stringify(requirements.resourceRequest ?? {})
    const id = this.#idByRequests.get(text) ?? this.#idByRequests.size
    this.#idByRequests.set(text, id)
    this.#ids.set(requirements, id)
    return id
  }
}
