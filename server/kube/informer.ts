/** Interface of a local, indexed cache of one kind; implemented by `reflector.ts` and `indexed-cache.ts`. */
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectKey } from '@/lib/kube/object'
import type { EpochMs, Stop } from '@/lib/std/clock'

/** Change of one object. An `updated` change may skip versions, but never goes back. */
export type Change<T extends KubeObject> =
  | { type: 'added'; object: T }
  | { type: 'updated'; object: T; old: T }
  | { type: 'deleted'; old: T }

/** Returns the index values of an object, for instance the label that links a Work to its binding. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[]

/** Freshness of a cache. */
export type Freshness =
  | { state: 'syncing' }
  | { state: 'live'; resourceVersion: string }
  /**
   * The cache has the last known state because the server does not answer, or answers with `code`. Retried indefinitely
   * with back-off. `cause`: the error whose message is `error`.
   */
  | { state: 'stale'; since: EpochMs; error: string; code?: number; cause?: unknown }

/** Read-only view of the cache. Objects are shared and frozen by convention: never change one. */
export interface Informer<T extends KubeObject> {
  readonly kind: Kind<T>
  get(key: ObjectKey): T | undefined
  list(): readonly T[]
  listNamespace(namespace: string): readonly T[]
  /** Returns the objects whose index function returned `value`. Throws if the index does not exist. */
  byIndex(index: string, value: string): readonly T[]
  /** Adds an index. If the name exists, the first index is kept. */
  addIndex(index: string, of: IndexFunction<T>): void
  /** Returns true after the first complete list. */
  hasSynced(): boolean
  whenSynced(): Promise<void>
  freshness(): Freshness
  /** Called after the cache changed. A new handler first gets every existing object as `added`. */
  onChange(handler: (change: Change<T>) => void): Stop
  /** Called when `freshness()` changes its state, or the reason of a stale one. */
  onFreshness(handler: (freshness: Freshness) => void): Stop
}

/** Shares one informer per kind between all its readers. */
export interface Informers {
  of<T extends KubeObject>(kind: Kind<T>): Informer<T>
  /** Stops the cache of a kind that is no longer served. `of` starts a new one. */
  forget(kind: Kind): Promise<void>
  /** Resolves when every informer requested so far has synced. */
  whenSynced(): Promise<void>
  stop(): Promise<void>
}
