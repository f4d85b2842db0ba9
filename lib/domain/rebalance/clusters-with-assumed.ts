/** Tracks the free capacity of clusters over the workloads of one preview. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { withArrivals, withDepartures } from '../estimate'
import type { Binding } from '../placement'
import { shiftsBetween } from './distribution'

/** Clusters with the previous workloads already placed. */
export class ClustersWithAssumed {
  #clusters: readonly Cluster[]

  /**
   * With `keepsOld`, old replicas keep their capacity until the new ones are ready. Otherwise they are deleted at once,
   * and their capacity is free.
   */
  constructor(
    clusters: readonly Cluster[],
    private readonly keepsOld: boolean,
  ) {
    this.#clusters = clusters
  }

  /** The same array until a workload arrives. */
  get clusters(): readonly Cluster[] {
    return this.#clusters
  }

  arrive({ spec }: Binding, after: readonly TargetCluster[]): void {
    const changes = new Map(
      shiftsBetween(spec.clusters ?? [], after)
        .filter(({ by }) => by > 0 || !this.keepsOld)
        .map(({ cluster, by }) => [cluster, by]),
    )
    if (changes.size === 0) return
    const requirements = spec.replicaRequirements
    this.#clusters = this.#clusters.map((one) => {
      const by = changes.get(one.metadata.name)
      if (by === undefined) return one
      return by > 0
        ? withArrivals(one, [{ replicas: by, requirements }])
        : withDepartures(one, { replicas: -by, requirements })
    })
  }
}
