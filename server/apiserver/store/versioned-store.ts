/**
 * The store over any log: current state and window in memory. The writes of a turn of the event loop are one group commit;
 * those that arrive while a commit is under way are the next.
 */
import type { UnknownObject } from '@/lib/kube/object'
import { isTooLarge } from '@/lib/kube/object-size'
import { stamp, StoredEntry } from './entry'
import { ObjectTooLarge, RevisionMismatch } from './errors'
import { History } from './history'
import type { Log, LogRecord } from './log'
import { compareKeys, SortedEntries } from './sorted-entries'
import type { Bucket, Entry, ListRange, Location, Store, StoreEvent } from './store'
import { TextPages } from './text-pages'

export interface StoreOptions {
  /** How many events the window holds at most. */
  historyEvents?: number
}

const HISTORY_EVENTS = 10_000
/** The window is cut in portions, so that no single commit pays for all of it. */
const SLACK = 256

interface StoredEvent extends StoreEvent {
  readonly entry: StoredEntry
  readonly previous: StoredEntry | undefined
}

/** One group commit. */
interface Batch {
  records: LogRecord[]
  events: StoredEvent[]
  done: Promise<void>
  resolve: () => void
  reject: (reason: unknown) => void
}

/** Opens a store over a log. */
export function openStore(log: Log, options: StoreOptions = {}): Store {
  return new VersionedStore(log, options.historyEvents ?? HISTORY_EVENTS)
}

class VersionedStore implements Store {
  readonly #buckets = new Map<string, SortedEntries>()
  readonly #keyspaces = new Map<string, Set<SortedEntries>>()
  readonly #listeners = new Set<(events: readonly StoreEvent[]) => void>()
  readonly #history: History<StoredEvent>
  #forget: number[] = []
  /** Collects writes. */
  #batch: Batch | undefined
  /** On its way to the log. */
  #committing: Batch | undefined
  /** The last batch. Until the next one, answers and listeners still read its texts, and the objects that it replaced. */
  #announced: readonly StoredEvent[] = []
  readonly #pages = new TextPages()
  #revision: number
  #durable: number
  #closed = false

  constructor(
    readonly log: Log,
    readonly historyEvents: number,
  ) {
    const { content } = log
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
    return (this.#batch ?? this.#committing)?.done ?? Promise.resolve()
  }

  get(location: Location): Entry | undefined {
    return this.#buckets.get(bucketId(location))?.get(location.key)
  }

  list(bucket: Bucket, range: ListRange = {}): Entry[] {
    const prefix = range.namespace === undefined ? '' : `${range.namespace}/`
    const current = this.#buckets.get(bucketId(bucket))?.range(prefix) ?? []
    if (range.at === undefined || range.at >= this.#revision) return current
    const events = this.#history.since(bucket, range.at).filter((event) => event.entry.location.key.startsWith(prefix))
    return events.length === 0 ? current : rewind(current, events)
  }

  count(bucket: Bucket, namespace: string): number {
    return this.#buckets.get(bucketId(bucket))?.count(namespace) ?? 0
  }

  keyspaces(): string[] {
    return [...this.#keyspaces.keys()]
  }

  scan(keyspace: string): Entry[] {
    return [...(this.#keyspaces.get(keyspace) ?? [])].flatMap((entries) => entries.range())
  }

  since(bucket: Bucket, revision: number): StoreEvent[] {
    return this.#history.since(bucket, revision)
  }

  async put(location: Location, value: UnknownObject, expected: number): Promise<Entry> {
    const entries = this.#entriesOf(location)
    const previous = this.#expect(entries, location.key, expected)
    const entry = stamp(location, value, this.#revision + 1)
    if (isTooLarge(entry.json)) throw new ObjectTooLarge(location.key)
    this.#revision++
    entries.set(location.key, entry)
    await this.#append({ type: 'put', revision: entry.revision, entry, previous })
    return entry
  }

  async delete(location: Location, last: UnknownObject, expected: number): Promise<Entry> {
    const entries = this.#entriesOf(location)
    const previous = this.#expect(entries, location.key, expected)
    const entry = stamp(location, last, this.#revision + 1)
    this.#revision++
    entries.delete(location.key)
    await this.#append({ type: 'delete', revision: entry.revision, entry, previous })
    return entry
  }

  subscribe(listener: (events: readonly StoreEvent[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  compact(revision: number): void {
    for (const event of this.#history.compact(Math.min(revision, this.#durable))) {
      const { entry, previous } = event
      if (previous) this.#forget.push(previous.revision)
      if (event.type === 'delete') this.#forget.push(event.revision)
      previous?.leavePage()
      // An entry that was replaced is still the previous one of a later event.
      if (event.type === 'delete' || this.get(entry.location) === entry) entry.leavePage()
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#flush()
    await this.settled().catch(() => undefined)
    await this.log.close()
  }

  #expect(entries: SortedEntries, key: string, expected: number): StoredEntry | undefined {
    if (this.#closed) throw new Error('the store is closed')
    const previous = entries.get(key)
    if ((previous?.revision ?? 0) !== expected) throw new RevisionMismatch(expected, previous?.revision ?? 0)
    return previous
  }

  /** Resolves once the event is durable. */
  #append(event: StoredEvent): Promise<void> {
    this.#history.append(event)
    const batch = (this.#batch ??= this.#open())
    const { location, revision, json } = event.entry
    batch.records.push({ revision, ...location, json: event.type === 'delete' ? null : json })
    batch.events.push(event)
    return batch.done
  }

  #open(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (!this.#committing) setImmediate(() => this.#flush())
    return { records: [], events: [], done: promise, resolve, reject }
  }

  #flush(): void {
    const batch = this.#batch
    if (!batch || this.#committing) return
    this.#batch = undefined
    const excess = this.#history.excess(this.historyEvents + SLACK)
    if (excess > 0) this.compact(this.#history.excess(this.historyEvents))
    const forget = this.#forget
    this.#forget = []
    this.#committing = batch
    const durable = this.log.commit({ records: batch.records, forget, compacted: this.compacted })
    if (!durable) return this.#announce(batch)
    durable.then(
      () => this.#announce(batch),
      (error: unknown) => {
        this.#forget = [...forget, ...this.#forget]
        this.#undo(error)
      },
    )
  }

  #announce(batch: Batch): void {
    this.#committing = undefined
    this.#durable = batch.events.at(-1)?.revision ?? this.#durable
    batch.resolve()
    this.#flush()
    for (const listener of this.#listeners) listener(batch.events)
    for (const { entry, previous } of this.#announced) {
      entry.keepIn(this.#pages)
      previous?.release()
    }
    this.#announced = batch.events
  }

  /**
   * No client has seen writes that could not be persisted, or writes based on them; the state is reverted. Revisions
   * are not reused.
   */
  #undo(reason: unknown): void {
    const failed = [this.#committing, this.#batch]
    this.#committing = this.#batch = undefined
    for (const {
      entry: { location },
      previous,
    } of this.#history.retract(this.#durable)) {
      const entries = this.#entriesOf(location)
      if (previous) entries.set(location.key, previous)
      else entries.delete(location.key)
    }
    for (const batch of failed) batch?.reject(reason)
  }

  #load(record: LogRecord): void {
    const location: Location = { keyspace: record.keyspace, resource: record.resource, key: record.key }
    const entries = this.#entriesOf(location)
    const previous = entries.get(record.key)
    const entry = new StoredEntry(location, record.revision, record.json ?? tombstone(previous, record.revision))
    if (record.json === null) entries.delete(record.key)
    else entries.set(record.key, entry)
    if (record.revision <= this.#history.compacted) return
    this.#history.append({ type: record.json === null ? 'delete' : 'put', revision: record.revision, entry, previous })
  }

  #entriesOf(bucket: Bucket): SortedEntries {
    const id = bucketId(bucket)
    const known = this.#buckets.get(id)
    if (known) return known
    const entries = new SortedEntries()
    this.#buckets.set(id, entries)
    const keyspace = this.#keyspaces.get(bucket.keyspace)
    if (keyspace) keyspace.add(entries)
    else this.#keyspaces.set(bucket.keyspace, new Set([entries]))
    return entries
  }
}

/** Keyspaces and resources are names without spaces. */
function bucketId(bucket: Bucket): string {
  return `${bucket.keyspace} ${bucket.resource}`
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
