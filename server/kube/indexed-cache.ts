/** Objects of one kind by key, by namespace and by indexes, updated incrementally. */
import { type KubeObject, type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { freezeDeeply } from '@/lib/std/freeze'
import type { Change, IndexFunction } from './informer'

/** Always the same array, because memoized computations compare their input list by identity. */
const NONE: readonly never[] = Object.freeze([])

/** A set of objects that returns the same array until it changes. */
class Bucket<T> {
  readonly #items = new Map<ObjectKey, T>()
  #snapshot: readonly T[] | undefined

  get size(): number {
    return this.#items.size
  }
  get(key: ObjectKey): T | undefined {
    return this.#items.get(key)
  }
  set(key: ObjectKey, item: T): void {
    this.#items.set(key, item)
    this.#snapshot = undefined
  }
  delete(key: ObjectKey): void {
    this.#items.delete(key)
    this.#snapshot = undefined
  }
  keys(): Iterable<ObjectKey> {
    return this.#items.keys()
  }
  list(): readonly T[] {
    return (this.#snapshot ??= [...this.#items.values()])
  }
}

/** One index: buckets by value. Empty buckets are removed, so that obsolete values use no memory. */
class Index<T extends KubeObject> {
  readonly #buckets = new Map<string, Bucket<T>>()
  constructor(readonly of: IndexFunction<T>) {}

  list(value: string): readonly T[] {
    return this.#buckets.get(value)?.list() ?? NONE
  }
  move(key: ObjectKey, old: T | undefined, next: T | undefined): void {
    if (old && next && this.#replace(key, this.of(old), this.of(next), next)) return
    const values = new Set(next ? this.of(next) : [])
    for (const value of old ? this.of(old) : []) if (!values.has(value)) this.#remove(value, key)
    if (!next) return
    for (const value of values) this.#bucket(value).set(key, next)
  }
  /** Nearly every change leaves an object where it was. Reports whether this one did. */
  #replace(key: ObjectKey, old: readonly string[], values: readonly string[], next: T): boolean {
    if (old.length !== values.length || values.some((value, at) => value !== old[at])) return false
    for (const value of values) this.#bucket(value).set(key, next)
    return true
  }
  #bucket(value: string): Bucket<T> {
    const existing = this.#buckets.get(value)
    if (existing) return existing
    const bucket = new Bucket<T>()
    this.#buckets.set(value, bucket)
    return bucket
  }
  #remove(value: string, key: ObjectKey): void {
    const bucket = this.#buckets.get(value)
    bucket?.delete(key)
    if (bucket?.size === 0) this.#buckets.delete(value)
  }
}

export interface IndexedCacheOptions {
  /** Called for handlers that throw; the other handlers are still called. */
  onError: (error: unknown) => void
  /** Freeze every object deeply, so that code that changes a shared object fails at once. For tests. */
  freeze?: boolean
}

/**
 * The store behind an informer.
 * - An object that arrives again with the same resourceVersion keeps its identity and causes no change.
 * - Handlers run in the order of registration, after the whole new state is stored.
 * - A changed uid is reported as deletion and creation.
 */
export class IndexedCache<T extends KubeObject> {
  readonly #all = new Bucket<T>()
  readonly #namespaces = new Index<T>((object) => [object.metadata.namespace ?? ''])
  readonly #indexes = new Map<string, Index<T>>()
  readonly #handlers = new Set<(change: Change<T>) => void>()

  constructor(private readonly options: IndexedCacheOptions) {}

  get(key: ObjectKey): T | undefined {
    return this.#all.get(key)
  }
  list(): readonly T[] {
    return this.#all.list()
  }
  listNamespace(namespace: string): readonly T[] {
    return this.#namespaces.list(namespace)
  }
  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name)
    if (!index) throw new Error(`no index named "${name}"`)
    return index.list(value)
  }

  addIndex(name: string, of: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return
    const index = new Index(of)
    for (const object of this.#all.list()) index.move(objectKey(object), undefined, object)
    this.#indexes.set(name, index)
  }

  onChange(handler: (change: Change<T>) => void): Stop {
    // Wrapped, so that registering the same function twice gives two handlers.
    const own = (change: Change<T>): void => handler(change)
    this.#handlers.add(own)
    for (const object of this.#all.list()) this.#call(own, { type: 'added', object })
    return () => void this.#handlers.delete(own)
  }

  /** Replaces the complete state: objects that are not in `objects` were deleted. */
  replace(objects: readonly T[]): void {
    const present = new Set(objects.map(objectKey))
    const gone = [...this.#all.keys()].filter((key) => !present.has(key))
    this.#notify([...gone.flatMap((key) => this.#remove(key)), ...objects.flatMap((object) => this.#put(object))])
  }
  upsert(object: T): void {
    this.#notify(this.#put(object))
  }
  remove(object: T): void {
    this.#notify(this.#remove(objectKey(object)))
  }

  #put(object: T): Change<T>[] {
    const key = objectKey(object)
    const old = this.#all.get(key)
    if (old && sameVersion(old, object)) return []
    if (this.options.freeze) freezeDeeply(object)
    this.#store(key, old, object)
    if (!old) return [{ type: 'added', object }]
    if (old.metadata.uid !== object.metadata.uid)
      return [
        { type: 'deleted', old },
        { type: 'added', object },
      ]
    return [{ type: 'updated', object, old }]
  }

  #remove(key: ObjectKey): Change<T>[] {
    const old = this.#all.get(key)
    if (!old) return []
    this.#store(key, old, undefined)
    return [{ type: 'deleted', old }]
  }

  #store(key: ObjectKey, old: T | undefined, next: T | undefined): void {
    if (next) this.#all.set(key, next)
    else this.#all.delete(key)
    this.#namespaces.move(key, old, next)
    for (const index of this.#indexes.values()) index.move(key, old, next)
  }

  #notify(changes: readonly Change<T>[]): void {
    // A handler registered by another handler receives the whole state at once; iterating over a copy prevents a second
    // notification.
    const handlers = [...this.#handlers]
    for (const change of changes) {
      for (const handler of handlers) if (this.#handlers.has(handler)) this.#call(handler, change)
    }
  }

  #call(handler: (change: Change<T>) => void, change: Change<T>): void {
    try {
      handler(change)
    } catch (error) {
      this.options.onError(error)
    }
  }
}

function sameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.resourceVersion === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid
}
