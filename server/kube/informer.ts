/**
 * A local, indexed, always-converging copy of what an API server holds of one kind. Contract only; see
 * `reflector.ts` and `indexed-cache.ts` for how it is kept.
 */
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject, ObjectKey } from '@/lib/kube/object'
import type { EpochMs, Stop } from '@/lib/std/clock'

/** What happened to one object. An `updated` change may leap over intermediate versions, never go back. */
export type Change<T extends KubeObject> =
  | { type: 'added'; object: T }
  | { type: 'updated'; object: T; old: T }
  | { type: 'deleted'; old: T }

/** Names the values under which an object is found, for instance the label that links a Work to its binding. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[]

/** How current a copy is. */
export type Freshness =
  | { state: 'syncing' }
  | { state: 'live'; resourceVersion: string }
  /** The copy is what was last seen: the server does not answer, or answers with `code`. Retried for ever with back-off. */
  | { state: 'stale'; since: EpochMs; error: string; code?: number }

/** Read-only view of the copy. Objects are shared and frozen by convention: never change one. */
export interface Informer<T extends KubeObject> {
  readonly kind: Kind<T>
  get(key: ObjectKey): T | undefined
  list(): readonly T[]
  listNamespace(namespace: string): readonly T[]
  /** Objects whose index function gave `value`. Throws when no such index was added. */
  byIndex(index: string, value: string): readonly T[]
  /** Adds an index; adding the same name twice is allowed and keeps the first. */
  addIndex(index: string, of: IndexFunction<T>): void
  /** True once the first complete list arrived; stays true afterwards. */
  hasSynced(): boolean
  whenSynced(): Promise<void>
  freshness(): Freshness
  /** Called after the copy changed. A new handler is first told every present object as `added`. */
  onChange(handler: (change: Change<T>) => void): Stop
  /** Called when `freshness()` changes its state, or the reason of a stale one. */
  onFreshness(handler: (freshness: Freshness) => void): Stop
}

/** Shares one informer per kind between all its readers. */
export interface Informers {
  of<T extends KubeObject>(kind: Kind<T>): Informer<T>
  /** Ends the copy of a kind that is not served any more; asking for it again starts a new one. */
  forget(kind: Kind): Promise<void>
  /** Resolves when every informer asked for so far has synced. */
  whenSynced(): Promise<void>
  stop(): Promise<void>
}
