/** Informers over the real indexed cache that tests fill directly, without an API server. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { IndexedCache } from '@/server/kube/indexed-cache'
import type { Freshness, Informer, Informers } from '@/server/kube/informer'

/** One kind, filled directly. */
export class FedInformer<T extends KubeObject> implements Informer<T> {
  readonly #cache = new IndexedCache<T>({
    onError: (error) => {
      throw error
    },
    freeze: true,
  })
  readonly #freshnessHandlers = new Set<(freshness: Freshness) => void>()
  readonly #synced = Promise.withResolvers<void>()
  #hasSynced = false
  #freshness: Freshness = { state: 'syncing' }
  #version = 0

  constructor(readonly kind: Kind<T>) {}

  get = (key: string): T | undefined => this.#cache.get(key)
  list = (): readonly T[] => this.#cache.list()
  listNamespace = (namespace: string): readonly T[] => this.#cache.listNamespace(namespace)
  byIndex = (index: string, value: string): readonly T[] => this.#cache.byIndex(index, value)
  addIndex: Informer<T>['addIndex'] = (name, of) => this.#cache.addIndex(name, of)
  onChange: Informer<T>['onChange'] = (handler) => this.#cache.onChange(handler)
  hasSynced = (): boolean => this.#hasSynced
  whenSynced = (): Promise<void> => this.#synced.promise
  freshness = (): Freshness => this.#freshness
  onFreshness: Informer<T>['onFreshness'] = (handler) => {
    this.#freshnessHandlers.add(handler)
    return () => void this.#freshnessHandlers.delete(handler)
  }

  /** Stores a new version of an object, like a watch event. */
  put(object: T): void {
    const arrived = JSON.parse(JSON.stringify(object)) as T
    this.#cache.upsert({ ...arrived, metadata: { ...arrived.metadata, resourceVersion: `v${++this.#version}` } })
  }

  remove(object: T): void {
    this.#cache.remove(object)
  }

  sync(): void {
    this.#hasSynced = true
    this.setFreshness({ state: 'live', resourceVersion: '1' })
    this.#synced.resolve()
  }

  setFreshness(freshness: Freshness): void {
    this.#freshness = freshness
    for (const handler of this.#freshnessHandlers) handler(freshness)
  }
}

/** Informers of a whole control plane, filled directly. */
export class FedInformers implements Informers {
  readonly #byKind = new Map<string, FedInformer<KubeObject>>()

  of<T extends KubeObject>(kind: Kind<T>): FedInformer<T> {
    const key = `${apiVersionOf(kind)}/${kind.plural}`
    const informer = this.#byKind.get(key) ?? (new FedInformer(kind) as unknown as FedInformer<KubeObject>)
    this.#byKind.set(key, informer)
    return informer as unknown as FedInformer<T>
  }

  syncAll(): void {
    for (const informer of this.#byKind.values()) informer.sync()
  }

  whenSynced = async (): Promise<void> => {
    await Promise.all([...this.#byKind.values()].map((informer) => informer.whenSynced()))
  }
  forget = (): Promise<void> => Promise.resolve()
  stop = (): Promise<void> => Promise.resolve()
}
