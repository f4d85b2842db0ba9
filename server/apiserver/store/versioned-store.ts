/** The store over any log: current state and window in memory, every turn of the event loop one group commit. */
import type { UnknownObject } from '@/lib/kube/object'
import { isTooLarge, stamp, StoredEntry } from './entry'
import { ObjectTooLarge, RevisionMismatch } from './errors'
import { History } from './history'
import type { Log, LogRecord } from './log'
import { compareKeys, Shelf } from './shelf'
import type { Bucket, Entry, ListRange, Location, Store, StoreEvent } from './store'

export interface StoreOptions {
  /** How many events the window holds at most. */
  historyEvents?: number
}

const HISTORY_EVENTS = 10_000
/** The window is cut in portions, so that no single commit pays for all of it. */
const SLACK = 256

/** One group commit in the making. */
interface Batch {
  records: LogRecord[]
  events: StoreEvent[]
  done: Promise<void>
  resolve: () => void
  reject: (reason: unknown) => void
}

/** Opens a store over a log. Throws what loading the log throws. */
export function openStore(log: Log, options: StoreOptions = {}): Store {
  return new VersionedStore(log, options.historyEvents ?? HISTORY_EVENTS)
}

class VersionedStore implements Store {
  readonly #shelves = new Map<string, Shelf>()
  readonly #realms = new Map<string, Set<Shelf>>()
  readonly #listeners = new Set<(events: readonly StoreEvent[]) => void>()
  readonly #history: History
  #forget: number[] = []
  #batch: Batch | undefined
  #revision: number
  #durable: number
  #closed = false

  constructor(readonly log: Log, readonly historyEvents: number) {
    const content = log.load()
    this.#history = new History(content.compacted)
    for (const record of content.records) this.#load(record)
    this.#revision = this.#durable = content.revision
  }

  get revision(): number {
    return this.#revision
  }

  get compacted(): number {
    return this.#history.compacted
  }

  settled(): Promise<void> {
    return this.#batch?.done ?? Promise.resolve()
  }

  get(location: Location): Entry | undefined {
    return this.#shelves.get(shelfId(location))?.get(location.key)
  }

  list(bucket: Bucket, range: ListRange = {}): Entry[] {
    const prefix = range.namespace === undefined ? '' : `${range.namespace}/`
    const current = this.#shelves.get(shelfId(bucket))?.range(prefix) ?? []
    if (range.at === undefined || range.at >= this.#revision) return current
    const events = this.#history.since(bucket, range.at).filter((event) => event.entry.location.key.startsWith(prefix))
    return events.length === 0 ? current : rewind(current, events)
  }

  count(bucket: Bucket, namespace: string): number {
    return this.#shelves.get(shelfId(bucket))?.count(namespace) ?? 0
  }

  realms(): string[] {
    return [...this.#realms.keys()]
  }

  scan(realm: string): Entry[] {
    return [...(this.#realms.get(realm) ?? [])].flatMap((shelf) => shelf.range())
  }

  since(bucket: Bucket, revision: number): StoreEvent[] {
    return this.#history.since(bucket, revision)
  }

  async put(location: Location, value: UnknownObject, expected: number): Promise<Entry> {
    const shelf = this.#shelf(location)
    const previous = this.#expect(shelf, location.key, expected)
    const entry = stamp(location, value, this.#revision + 1)
    if (isTooLarge(entry.json)) throw new ObjectTooLarge(location.key)
    this.#revision++
    shelf.set(location.key, entry)
    previous?.release()
    return this.#commit({ type: 'put', revision: entry.revision, entry, previous })
  }

  async delete(location: Location, last: UnknownObject, expected: number): Promise<Entry> {
    const shelf = this.#shelf(location)
    const previous = this.#expect(shelf, location.key, expected)
    const entry = stamp(location, last, this.#revision + 1)
    this.#revision++
    shelf.delete(location.key)
    return this.#commit({ type: 'delete', revision: entry.revision, entry, previous })
  }

  subscribe(listener: (events: readonly StoreEvent[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  compact(revision: number): void {
    for (const event of this.#history.compact(Math.min(revision, this.#durable))) {
      if (event.previous) this.#forget.push(event.previous.revision)
      if (event.type === 'delete') this.#forget.push(event.revision)
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    if (this.#batch) this.#flush()
    this.#closed = true
    this.log.close()
  }

  #expect(shelf: Shelf, key: string, expected: number): StoredEntry | undefined {
    if (this.#closed) throw new Error('the store is closed')
    const previous = shelf.get(key)
    if ((previous?.revision ?? 0) !== expected) throw new RevisionMismatch(expected, previous?.revision ?? 0)
    return previous
  }

  async #commit(event: StoreEvent): Promise<Entry> {
    this.#history.append(event)
    const batch = (this.#batch ??= this.#open())
    const { location, revision, json } = event.entry
    batch.records.push({ revision, ...location, json: event.type === 'delete' ? null : json })
    batch.events.push(event)
    await batch.done
    return event.entry
  }

  #open(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    setImmediate(() => this.#flush())
    return { records: [], events: [], done: promise, resolve, reject }
  }

  #flush(): void {
    const batch = this.#batch
    if (!batch) return
    this.#batch = undefined
    const excess = this.#history.excess(this.historyEvents + SLACK)
    if (excess > 0) this.compact(this.#history.excess(this.historyEvents))
    try {
      this.log.commit({ records: batch.records, forget: this.#forget, compacted: this.compacted })
    } catch (error) {
      this.#undo()
      batch.reject(error)
      return
    }
    this.#forget = []
    this.#durable = batch.events.at(-1)?.revision ?? this.#durable
    batch.resolve()
    for (const listener of this.#listeners) listener(batch.events)
  }

  /** Nobody has seen what could not be made durable; the state goes back to what is. Revisions are not used again. */
  #undo(): void {
    for (const { entry: { location }, previous } of this.#history.retract(this.#durable)) {
      const shelf = this.#shelf(location)
      if (previous) shelf.set(location.key, previous as StoredEntry)
      else shelf.delete(location.key)
    }
  }

  #load(record: LogRecord): void {
    const location: Location = { realm: record.realm, resource: record.resource, key: record.key }
    const shelf = this.#shelf(location)
    const previous = shelf.get(record.key)
    const entry = new StoredEntry(location, record.revision, record.json ?? tombstone(previous, record.revision))
    if (record.json === null) shelf.delete(record.key)
    else shelf.set(record.key, entry)
    if (record.revision <= this.#history.compacted) return
    this.#history.append({ type: record.json === null ? 'delete' : 'put', revision: record.revision, entry, previous })
  }

  #shelf(bucket: Bucket): Shelf {
    const id = shelfId(bucket)
    const known = this.#shelves.get(id)
    if (known) return known
    const shelf = new Shelf()
    this.#shelves.set(id, shelf)
    const realm = this.#realms.get(bucket.realm)
    if (realm) realm.add(shelf)
    else this.#realms.set(bucket.realm, new Set([shelf]))
    return shelf
  }
}

/** Realms and resources are names without spaces. */
function shelfId(bucket: Bucket): string {
  return `${bucket.realm} ${bucket.resource}`
}

/** The state before `events`, which are the newest ones, oldest first. */
function rewind(current: readonly Entry[], events: readonly StoreEvent[]): Entry[] {
  const state = new Map(current.map((entry) => [entry.location.key, entry]))
  for (const { entry, previous } of events.toReversed()) {
    if (previous) state.set(entry.location.key, previous)
    else state.delete(entry.location.key)
  }
  return [...state.values()].sort((a, b) => compareKeys(a.location.key, b.location.key))
}

/** The log keeps no last state of a deleted object; it is the state before with the revision of the deletion. */
function tombstone(previous: StoredEntry | undefined, revision: number): string {
  return previous ? stamp(previous.location, previous.value, revision).json : 'null'
}
