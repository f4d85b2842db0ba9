/**
 * The store: objects under keys, one global revision, a bounded window of history.
 *
 * Guarantees, checked for every driver by `conformance.ts`:
 * 1. Every write gets the next revision; revisions never repeat, not even after a crash.
 * 2. The promise of a write settles only after the write is durable; a write that was not acknowledged may be lost,
 *    an acknowledged one never is.
 * 3. Events are announced in revision order, each once, and only after they are durable.
 * 4. A conditional write whose condition does not hold changes nothing.
 * 5. An object that is too large is refused with ObjectTooLarge, and changes nothing.
 * 6. A revision inside the window can be listed and watched as it was; an older one is refused with RevisionCompacted.
 */
import type { UnknownObject } from '@/lib/kube/object'

/** One kind's objects in one key space. */
export interface Bucket {
  /** Whose key space: empty for the control plane, else the name of a member cluster. */
  keyspace: string
  /** `plural.group`, or `plural` for the core group. */
  resource: string
}

/** Identifies a stored object. */
export interface Location extends Bucket {
  /** `namespace/name`, or `name` for a cluster-scoped object. */
  key: string
}

/** A written object. Immutable: never change `value`. */
export interface Entry {
  readonly location: Location
  /** The revision of the write; also `value.metadata.resourceVersion`. */
  readonly revision: number
  /** The object as JSON; begins with kind and apiVersion. */
  readonly json: string
  readonly value: UnknownObject
  /** The length of `json`. */
  readonly size: number
  /** Returns false only if no part of the object has a field of this name. Does not parse the object. */
  mayHave(field: string): boolean
  /** Drops the parsed object; it is parsed again when needed. */
  release(): void
}

/** A change. For a deletion `entry` is the last state, stamped with the revision of the deletion. */
export interface StoreEvent {
  readonly type: 'put' | 'delete'
  readonly revision: number
  readonly entry: Entry
  /** The state before; absent when the object was created. */
  readonly previous: Entry | undefined
}

export interface ListRange {
  /** Only the objects of this namespace. */
  namespace?: string
  /** The state at this revision instead of the newest one. */
  at?: number
}

export interface Store {
  /** The revision of the newest write. Announced only once it is durable: see `settled`. */
  readonly revision: number
  /** The newest revision that is no longer in the window. */
  readonly compacted: number
  /**
   * Resolves once all writes so far are durable. Reads wait for it, so that no client sees state that a crash could
   * undo.
   */
  settled(): Promise<void>
  get(location: Location): Entry | undefined
  /** In the order of the keys. Throws RevisionCompacted when `at` is not remembered any more. */
  list(bucket: Bucket, range?: ListRange): Entry[]
  /** How many objects of a namespace a bucket holds. */
  count(bucket: Bucket, namespace: string): number
  /** The keyspaces that hold, or held, an object. */
  keyspaces(): string[]
  /** Every object of a keyspace. */
  scan(keyspace: string): Entry[]
  /** The events after `revision`, oldest first. Throws RevisionCompacted when some of them are forgotten. */
  since(bucket: Bucket, revision: number): StoreEvent[]
  /**
   * Writes an object; the store sets `metadata.resourceVersion`. `expected` is the revision that must be there now, 0
   * for none. Applied at once, rejects with RevisionMismatch.
   */
  put(location: Location, value: UnknownObject, expected: number): Promise<Entry>
  /** Removes an object; `last` is its final state, as deletion events show it. */
  delete(location: Location, last: UnknownObject, expected: number): Promise<Entry>
  /** Calls `listener` with every batch of durable events. Answers how to stop. */
  subscribe(listener: (events: readonly StoreEvent[]) => void): () => void
  /** Forgets history up to and including `revision`. */
  compact(revision: number): void
  /** Makes all writes durable and closes the file. */
  close(): Promise<void>
}
