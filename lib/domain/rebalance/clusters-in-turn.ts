/** What the workloads of one preview leave of the clusters for each other. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { withArrivals } from '../estimate'
import type { Binding } from '../placement'
import { shiftsBetween } from './distribution'

/** Clusters as they are once the workloads before have arrived. What leaves frees nothing until the new replicas are ready. */
export class ClustersInTurn {
  #clusters: readonly Cluster[]

  constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters
  }

  /** The same array until a workload arrives. */
  get clusters(): readonly Cluster[] {
    return this.#clusters
  }

  arrive({ spec }: Binding, after: readonly TargetCluster[]): void {
    const gains = new Map(
      shiftsBetween(spec.clusters ?? [], after)
        .filter(({ by }) => by > 0)
        .map(({ cluster, by }) => [cluster, by]),
    )
    if (gains.size === 0) return
    this.#clusters = this.#clusters.map((one) => {
      const replicas = gains.get(one.metadata.name)
      return replicas === undefined ? one : withArrivals(one, [{ replicas, requirements: spec.replicaRequirements }])
    })
  }
}
