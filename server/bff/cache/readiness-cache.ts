/** Tracks which clusters are ready, and which became ready so recently that their reports may predate the outage. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Clock, Stop } from '@/lib/std/clock'
import { readinessOf } from '@/lib/view/project/cluster'
import type { Answers } from '@/lib/view/project/replica-counts'
import type { Change } from '@/server/kube/informer'
import type { ControlPlaneCache } from './control-plane-cache'
import { Signal } from './signal'

/**
 * How long a cluster that is Ready again counts as recovering, in milliseconds. The watches on a member are restored
 * within 2 s, and reports are collected within another 2 s; until then, the binding may hold data from before the
 * outage.
 */
export const RECOVERING_MS = 5_000

/** Readiness by cluster name; `touched` emits the names that changed. A flapping cluster stays in recovering. */
export class ReadinessCache {
  readonly touched = new Signal()
  readonly #cache: ControlPlaneCache
  readonly #clock: Clock
  readonly #recovering = new Map<string, Stop>()
  #current: ReadonlyMap<string, Answers> = new Map()
  #stop: Stop | undefined

  constructor(cache: ControlPlaneCache, clock: Clock) {
    this.#cache = cache
    this.#clock = clock
  }

  /** Starts following the clusters; existing ones are reported at once. */
  start(): void {
    this.#stop ??= this.#cache.clusters.onChange((change) => this.#onCluster(change))
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
    for (const stop of this.#recovering.values()) stop()
    this.#recovering.clear()
  }

  /** Returns the same map while nothing changed. */
  current(): ReadonlyMap<string, Answers> {
    return this.#current
  }

  #onCluster(change: Change<Cluster>): void {
    const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
    const next = change.type === 'deleted' ? undefined : readinessOf(change.object)
    const known = this.#current.get(name)
    if (known === next || (known === 'Recovering' && next === 'True')) return
    this.#recovering.get(name)?.()
    this.#recovering.delete(name)
    const isBack = next === 'True' && (known === 'False' || known === 'Unknown')
    if (isBack)
      this.#recovering.set(
        name,
        this.#clock.after(RECOVERING_MS, () => this.#set(name, 'True')),
      )
    this.#set(name, isBack ? 'Recovering' : next)
  }

  #set(name: string, next: Answers | undefined): void {
    const current = new Map(this.#current)
    if (next) current.set(name, next)
    else current.delete(name)
    this.#current = current
    if (next === 'True') this.#recovering.delete(name)
    this.touched.emit(name)
  }
}
