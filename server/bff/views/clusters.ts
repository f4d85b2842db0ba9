/** The rows of the clusters, with the replicas that are scheduled to and running in each. */
import type { Stop } from '@/lib/std/clock'
import type { ClusterView } from '@/lib/view/model'
import { type ClusterLoad, projectCluster } from '@/lib/view/project/cluster'
import { LOAD_FIELDS, type LoadInCluster } from '@/lib/view/project/cluster-load'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { withoutZeros } from '@/lib/view/replica-sums'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels } from '../read-model/read-model'

interface ClusterSources {
  all: ControlPlaneIds
  models: ReadModels
  /** Emits the names of clusters whose row changed for another reason than the object: load, readiness. */
  others: readonly Signal[]
}

/** Rows by cluster name; `touched` emits the names that may have changed. */
export class ClusterRows {
  readonly touched = new Signal()
  readonly #memo = new ProjectionMemo<ClusterView>()
  readonly #sources: ClusterSources
  #stops: Stop[] = []

  constructor(sources: ClusterSources) {
    this.#sources = sources
  }

  start(): void {
    const { all, others } = this.#sources
    this.#stops = [
      all.onCluster((name, isRemoved) => {
        if (isRemoved) this.#memo.forget(name)
        this.touched.emit(name)
      }),
      ...others.map((signal) => signal.listen((name) => this.touched.emit(name))),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.#sources.all.clusters()
  }

  /**
   * Returns the row, which counts only the workloads that the scope sees; undefined when the scope sees no such
   * cluster.
   */
  row(name: string, scope: Scope): ClusterView | undefined {
    const reader = this.#sources.models.of(scope)
    const cluster = reader.cluster(name)
    if (!cluster) return undefined
    const load = reader.load(name)
    const answers = reader.answers()?.get(name)
    if (!reader.seesAllWorkloads) return projectCluster(cluster, toLoad(load), answers)
    const inputs = [cluster, answers, ...LOAD_FIELDS.map((field) => load[field])]
    return this.#memo.get(name, inputs, () => projectCluster(cluster, toLoad(load), answers))
  }
}

const toLoad = ({ workloads, ...replicas }: LoadInCluster): ClusterLoad => ({
  workloads,
  replicas: withoutZeros(replicas),
})
