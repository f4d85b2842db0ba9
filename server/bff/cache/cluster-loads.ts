/** Counts the replicas scheduled to and running in each cluster, by namespace: incrementally, never by a scan. */
import type { Stop } from '@/lib/std/clock'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { emptyLoad, LOAD_FIELDS, loadsOf, type LoadInCluster } from '@/lib/view/project/cluster-load'
import type { Change } from '@/server/kube/informer'
import type { ControlPlaneCache } from './control-plane-cache'
import { Signal } from './signal'

/** By namespace; the empty key holds cluster-scoped workloads. */
export type Loads = ReadonlyMap<string, LoadInCluster>

const NO_LOADS: Loads = new Map()

export class ClusterLoads {
  /** Emits the names of clusters whose load changed. */
  readonly touched = new Signal()
  readonly #loads = new Map<string, Map<string, LoadInCluster>>()
  readonly #cache: ControlPlaneCache
  #stop: Stop | undefined

  constructor(cache: ControlPlaneCache) {
    this.#cache = cache
  }

  start(): void {
    this.#stop ??= this.#cache.onBindingChange((change) => this.#onBinding(change))
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  of(cluster: string): Loads {
    return this.#loads.get(cluster) ?? NO_LOADS
  }

  #onBinding(change: Change<AnyBinding>): void {
    const before = change.type === 'added' ? NO_LOADS : loadsOf(change.old)
    const after = change.type === 'deleted' ? NO_LOADS : loadsOf(change.object)
    const { namespace = '' } = (change.type === 'deleted' ? change.old : change.object).metadata
    for (const name of new Set([...before.keys(), ...after.keys()]))
      if (this.#add(name, namespace, { before: before.get(name), after: after.get(name) })) this.touched.emit(name)
  }

  /** Returns true when the load changed. */
  #add(
    cluster: string,
    namespace: string,
    { before, after }: { before: LoadInCluster | undefined; after: LoadInCluster | undefined },
  ): boolean {
    const loads = this.#loads.get(cluster) ?? new Map<string, LoadInCluster>()
    const load = loads.get(namespace) ?? emptyLoad()
    let isChanged = false
    for (const field of LOAD_FIELDS) {
      const difference = (after?.[field] ?? 0) - (before?.[field] ?? 0)
      if (difference === 0) continue
      load[field] += difference
      isChanged = true
    }
    if (!isChanged) return false
    if (LOAD_FIELDS.every((field) => load[field] === 0)) loads.delete(namespace)
    else loads.set(namespace, load)
    this.#loads.set(cluster, loads)
    return true
  }
}
