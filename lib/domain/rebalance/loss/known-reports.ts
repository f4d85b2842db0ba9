/** What clusters report after arrivals, as the same object for the same arrivals: decisions are then known to be the same. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ReplicaRequirements } from '@/lib/kube/kinds/binding'
import { type ArrivingCopies, withArrivals } from '../../estimate'

export class KnownReports {
  readonly #byCluster = new Map<Cluster, Map<string, Cluster>>()
  readonly #ids = new Map<ReplicaRequirements | undefined, number>()

  /** `keep`: remember it, for losses to come. Those of pairs are too many, and seldom come again. */
  after(cluster: Cluster, arrivals: readonly ArrivingCopies[], keep: boolean): Cluster {
    const reports = this.#byCluster.get(cluster)
    const key = arrivals.map(({ replicas, requirements }) => `${replicas}×${this.#idOf(requirements)}`).join(' ')
    const report = reports?.get(key) ?? withArrivals(cluster, arrivals)
    if (keep) this.#byCluster.set(cluster, (reports ?? new Map<string, Cluster>()).set(key, report))
    return report
  }

  #idOf(requirements: ReplicaRequirements | undefined): number {
    const id = this.#ids.get(requirements) ?? this.#ids.size
    this.#ids.set(requirements, id)
    return id
  }
}
