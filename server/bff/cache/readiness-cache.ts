/** Which clusters answer, and which have begun to answer so lately that their reports may be those of before. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Clock, Stop } from '@/lib/std/clock'
import { readinessOf } from '@/lib/view/project/cluster'
import type { Answers } from '@/lib/view/project/replica-counts'
import type { Change } from '@/server/kube/informer'
import type { ControlPlaneCache } from './control-plane-cache'
import { Signal } from './signal'

/**
 * For how long a cluster that is Ready again recovers, in milliseconds. The watches on a member come back within 2 s, and
 * reports are collected within 2 s more; before that, what the binding holds may be of before the outage.
 */
export const RECOVERING_MS = 5_000

/** By cluster name; `touched` tells which changed. A cluster that flaps never gets out of recovering. */
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

  /** Begins to follow the clusters; those that are there are told at once. */
  start(): void {
    this.#stop ??= this.#cache.clusters.onChange((change) => this.#onCluster(change))
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
    for (const stop of this.#recovering.values()) stop()
    this.#recovering.clear()
  }

  /** The same map while nothing changed. */
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
