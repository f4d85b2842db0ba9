/** What clusters report after arrivals, as the same object for the same arrivals: decisions are then known to be the same. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { type ArrivingCopies, withArrivals } from '../../estimate'

/** The latest report of a cluster in the present loss. */
interface Latest {
  arrivals: number
  key: string
  report: Cluster
}

export class KnownReports {
  readonly #byCluster = new Map<Cluster, Map<string, Cluster>>()
  readonly #ids = new Map<ReplicaRequirements | undefined, number>()
  readonly #latest = new Map<Cluster, Latest>()
  #keeps = false

  /** A new loss. `keep`: remember its reports, for losses to come. Those of pairs are too many, and seldom come again. */
  begin(keep: boolean): void {
    this.#latest.clear()
    this.#keeps = keep
  }

  /** `arrivals` begins with those of the call before. */
  after(cluster: Cluster, arrivals: readonly ArrivingCopies[]): Cluster {
    const last = this.#latest.get(cluster) ?? { arrivals: 0, key: '', report: cluster }
    const added = arrivals.slice(last.arrivals)
    const key = added.reduce((all, one) => `${all} ${one.replicas}×${this.#idOf(one.requirements)}`, last.key)
    const report = this.#byCluster.get(cluster)?.get(key) ?? reportAfter(cluster, last.report, { arrivals, added })
    this.#latest.set(cluster, { arrivals: arrivals.length, key, report })
    if (this.#keeps) this.#keep(cluster, key, report)
    return report
  }

  #keep(cluster: Cluster, key: string, report: Cluster): void {
    const reports = this.#byCluster.get(cluster) ?? new Map<string, Cluster>()
    this.#byCluster.set(cluster, reports.set(key, report))
  }

  #idOf(requirements: ReplicaRequirements | undefined): number {
    const id = this.#ids.get(requirements) ?? this.#ids.size
    this.#ids.set(requirements, id)
    return id
  }
}

/** Amounts add up, so the latest report and what was added are enough; nodes by grade are worked out from the start. */
function reportAfter(
  cluster: Cluster,
  last: Cluster,
  { arrivals, added }: Record<'arrivals' | 'added', readonly ArrivingCopies[]>,
): Cluster {
  const hasGrades = !!cluster.status?.resourceSummary?.allocatableModelings?.length
  return hasGrades ? withArrivals(cluster, arrivals) : withArrivals(last, added)
}
