/**
 * The informer of a kind that the control plane may start or stop serving: empty and complete while it is not served.
 */
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { Change, Freshness, IndexFunction, Informer, Informers } from '@/server/kube/informer'
import { emptyInformer } from './empty-informer'
import type { ServedKinds } from './served-kinds'

/**
 * Switches once the new cache is complete, so that no reader sees part of it: handlers see the objects of a newly
 * served kind as added, and those of a removed kind as deleted.
 */
export class ServedInformer<T extends KubeObject> implements Informer<T> {
  readonly #indexes = new Map<string, IndexFunction<T>>()
  readonly #handlers = new Map<(change: Change<T>) => void, Stop>()
  readonly #freshnessHandlers = new Set<(freshness: Freshness) => void>()
  readonly #readHandlers = new Set<() => void>()
  #source: Informer<T>
  #isRead: boolean
  #stopFreshness: Stop

  constructor(
    readonly kind: Kind<T>,
    private readonly informers: Informers,
    private readonly served: ServedKinds,
  ) {
    this.#isRead = this.#isReadable()
    this.#source = this.#isRead ? informers.of(kind) : emptyInformer(kind)
    this.#stopFreshness = this.#followFreshness()
    served.onChange((changed) => {
      if (changed === (kind as unknown as Kind)) void this.#change()
    })
  }

  /** False while the cache is empty because the kind is not served. */
  get isRead(): boolean {
    return this.#isRead
  }

  /** Called when the copy begins to be read, after its objects were told. */
  onRead(handler: () => void): void {
    this.#readHandlers.add(handler)
  }

  get(key: ObjectKey): T | undefined {
    return this.#source.get(key)
  }
  list(): readonly T[] {
    return this.#source.list()
  }
  listNamespace(namespace: string): readonly T[] {
    return this.#source.listNamespace(namespace)
  }
  byIndex(index: string, value: string): readonly T[] {
    return this.#source.byIndex(index, value)
  }
  addIndex(index: string, of: IndexFunction<T>): void {
    if (!this.#indexes.has(index)) this.#indexes.set(index, of)
    this.#source.addIndex(index, of)
  }
  hasSynced(): boolean {
    return this.#source.hasSynced()
  }
  whenSynced(): Promise<void> {
    return this.#source.whenSynced()
  }
  freshness(): Freshness {
    return this.#source.freshness()
  }
  onChange(handler: (change: Change<T>) => void): Stop {
    const own = (change: Change<T>): void => handler(change)
    this.#handlers.set(own, this.#source.onChange(own))
    return () => {
      this.#handlers.get(own)?.()
      this.#handlers.delete(own)
    }
  }
  onFreshness(handler: (freshness: Freshness) => void): Stop {
    const own = (freshness: Freshness): void => handler(freshness)
    this.#freshnessHandlers.add(own)
    return () => void this.#freshnessHandlers.delete(own)
  }

  async #change(): Promise<void> {
    if (!this.#isReadable()) return this.#isRead ? this.#changeTo(emptyInformer(this.kind), false) : undefined
    const next = this.informers.of(this.kind)
    await whenLive(next)
    if (this.#isReadable()) this.#changeTo(next, true)
  }

  #changeTo(next: Informer<T>, isRead: boolean): void {
    const before = this.#source
    if (next === before) return
    this.#isRead = isRead
    for (const [name, of] of this.#indexes) next.addIndex(name, of)
    this.#stopFreshness()
    this.#source = next
    this.#stopFreshness = this.#followFreshness()
    const gone = before.list()
    for (const [handler, stop] of this.#handlers) {
      stop()
      for (const old of gone) handler({ type: 'deleted', old })
      this.#handlers.set(handler, next.onChange(handler))
    }
    this.#notifyFreshness(next.freshness())
    if (isRead) for (const handler of this.#readHandlers) handler()
  }

  #followFreshness(): Stop {
    return this.#source.onFreshness((freshness) => {
      if (freshness.state === 'stale' && freshness.code === 404) this.served.doubt(this.kind as unknown as Kind)
      this.#notifyFreshness(freshness)
    })
  }

  #notifyFreshness(freshness: Freshness): void {
    for (const handler of this.#freshnessHandlers) handler(freshness)
  }

  #isReadable(): boolean {
    return this.served.readable(this.kind as unknown as Kind)
  }
}

/** A cache from before the kind was gone is complete, but holds nothing of what exists now until it follows the server again. */
async function whenLive(informer: Pick<Informer<never>, 'freshness' | 'onFreshness'>): Promise<void> {
  if (informer.freshness().state === 'live') return
  await new Promise<void>((resolve) => {
    const stop = informer.onFreshness(({ state }) => {
      if (state !== 'live') return
      stop()
      resolve()
    })
  })
}
