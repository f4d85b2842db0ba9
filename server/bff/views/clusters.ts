/** The rows of the clusters, with what was scheduled to each. */
import type { Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { ClusterView } from '@/lib/view/model'
import { type AnyBinding, hasReplicas } from '@/lib/view/project/binding-facts'
import { type ClusterLoad, projectCluster } from '@/lib/view/project/cluster'
import { ProjectionMemo } from '@/lib/view/project/memo'
import type { Change } from '@/server/kube/informer'
import type { World } from '../world/world'
import { Signal } from './signal'

const NO_LOAD: ClusterLoad = { workloads: 0, replicas: 0 }

/** Rows by cluster name; `touched` tells which may have changed. Loads are counted up and down, never by a scan. */
export class ClusterRows {
  readonly touched = new Signal()
  readonly #memo = new ProjectionMemo<ClusterView>()
  readonly #loads = new Map<string, ClusterLoad>()
  readonly #world: World
  #stops: Stop[] = []

  constructor(world: World) {
    this.#world = world
  }

  start(): void {
    this.#stops = [
      this.#world.clusters.onChange((change) =>
        this.touched.emit((change.type === 'deleted' ? change.old : change.object).metadata.name)),
      this.#world.onBindingChange((change) => this.#onBinding(change)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** The row; undefined when there is no such cluster. */
  row(name: string): ClusterView | undefined {
    const cluster = this.#world.clusters.get(name)
    if (!cluster) {
      this.#memo.forget(name)
      return undefined
    }
    const load = this.#loads.get(name) ?? NO_LOAD
    return this.#memo.get(name, [cluster, load], () => projectCluster(cluster, load))
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type === 'updated' && deepEqual(change.old.spec.clusters, change.object.spec.clusters)) return
    if (change.type !== 'added') this.#count(change.old, -1)
    if (change.type !== 'deleted') this.#count(change.object, 1)
  }

  #count(binding: AnyBinding, sign: 1 | -1): void {
    const counted = hasReplicas(binding)
    for (const { name, replicas = 0 } of binding.spec.clusters ?? []) {
      const load = this.#loads.get(name) ?? NO_LOAD
      const next = { workloads: load.workloads + sign, replicas: load.replicas + (counted ? sign * replicas : 0) }
      if (next.workloads === 0) this.#loads.delete(name)
      else this.#loads.set(name, next)
      this.touched.emit(name)
    }
  }
}
