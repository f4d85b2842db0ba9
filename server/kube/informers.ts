/** One reflector and one indexed cache per kind, shared by all readers. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { type KubeObject, type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { IndexedCache } from './indexed-cache'
import { keptOf, type Keeping } from './kept-object'
import type { Change, Freshness, IndexFunction, Informer, Informers } from './informer'
import { Reflector, type ReflectorOptions } from './reflector'

type Inherited = 'client' | 'clock' | 'random' | 'metrics' | 'scope' | 'pageSize' | 'watchSeconds' | 'backoff'

export interface InformerOptions extends Pick<ReflectorOptions<KubeObject>, Inherited> {
  /** Called for handlers that throw. */
  onError: (error: unknown) => void
  /** Freeze cached objects, so that code that changes one fails. For tests and development. */
  freeze?: boolean
  /**
   * Set if objects are parsed for the cache alone, as over HTTP: less of them is kept (`kept-object.ts`). Default: they
   * are shared with others, as those of a server in the same process.
   */
  parsed?: Keeping
}

/** An informer that can be stopped. After `stop()` its cache stays readable and no handler is called. */
export interface RunningInformer<T extends KubeObject> extends Informer<T> {
  stop(): Promise<void>
}

/** Starts the cache of one kind immediately. Use `createInformers` unless the cache is stopped separately. */
export function createInformer<T extends KubeObject>(kind: Kind<T>, options: InformerOptions): RunningInformer<T> {
  return new CachedInformer(kind, options)
}

/**
 * Returns the informers of one API server (or of one member, given `client.member(name)`), each started on first use.
 */
export function createInformers(options: InformerOptions): Informers {
  const byKind = new Map<string, RunningInformer<KubeObject>>()
  // A cache outlives the request that started it, so it must not keep that request's async context.
  const outside = AsyncLocalStorage.snapshot()
  return {
    of<T extends KubeObject>(kind: Kind<T>): Informer<T> {
      const key = `${apiVersionOf(kind)}/${kind.plural}`
      const informer =
        byKind.get(key) ?? outside(() => createInformer(kind, options) as unknown as RunningInformer<KubeObject>)
      byKind.set(key, informer)
      return informer as unknown as Informer<T>
    },
    async forget(kind) {
      const key = `${apiVersionOf(kind)}/${kind.plural}`
      const informer = byKind.get(key)
      byKind.delete(key)
      await informer?.stop()
    },
    whenSynced: async () => void (await Promise.all([...byKind.values()].map((informer) => informer.whenSynced()))),
    stop: async () => void (await Promise.all([...byKind.values()].map((informer) => informer.stop()))),
  }
}

class CachedInformer<T extends KubeObject> implements RunningInformer<T> {
  readonly #cache: IndexedCache<T>
  readonly #reflector: Reflector<T>
  readonly #freshnessHandlers = new Set<(freshness: Freshness) => void>()
  readonly #synced = Promise.withResolvers<void>()
  #hasSynced = false

  constructor(
    readonly kind: Kind<T>,
    private readonly options: InformerOptions,
  ) {
    const { onError, freeze, parsed, ...rest } = options
    const cache = new IndexedCache<T>({ onError, freeze })
    this.#cache = cache
    let latest: T | undefined
    const keep = parsed && ((object: T) => (latest = keptOf(object, cache.get(objectKey(object)) ?? latest, parsed)))
    this.#reflector = new Reflector<T>({
      ...rest,
      kind,
      ...(keep && { keep }),
      sink: {
        replace: (objects) => {
          cache.replace(objects)
          this.#hasSynced = true
          this.#synced.resolve()
        },
        upsert: (object) => cache.upsert(object),
        remove: (object) => cache.remove(object),
      },
      onFreshness: (freshness) => this.#notify(freshness),
    })
    this.#reflector.start()
  }

  get(key: ObjectKey): T | undefined {
    return this.#cache.get(key)
  }
  list(): readonly T[] {
    return this.#cache.list()
  }
  listNamespace(namespace: string): readonly T[] {
    return this.#cache.listNamespace(namespace)
  }
  byIndex(index: string, value: string): readonly T[] {
    return this.#cache.byIndex(index, value)
  }
  addIndex(index: string, of: IndexFunction<T>): void {
    this.#cache.addIndex(index, of)
  }
  hasSynced(): boolean {
    return this.#hasSynced
  }
  whenSynced(): Promise<void> {
    return this.#synced.promise
  }
  freshness(): Freshness {
    return this.#reflector.freshness
  }
  onChange(handler: (change: Change<T>) => void): Stop {
    return this.#cache.onChange(handler)
  }
  onFreshness(handler: (freshness: Freshness) => void): Stop {
    const own = (freshness: Freshness): void => handler(freshness)
    this.#freshnessHandlers.add(own)
    return () => void this.#freshnessHandlers.delete(own)
  }
  stop(): Promise<void> {
    return this.#reflector.stop()
  }

  #notify(freshness: Freshness): void {
    for (const handler of this.#freshnessHandlers) {
      try {
        handler(freshness)
      } catch (error) {
        this.options.onError(error)
      }
    }
  }
}
