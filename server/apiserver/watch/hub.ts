/** Brings durable events to the watchers of their bucket. A watcher never holds up another one. */
import type { Bucket, Entry, Store, StoreEvent } from '../store/store'

export interface Watcher {
  /** Takes the events of its bucket, in order. Must not throw and must not wait. */
  deliver(events: readonly StoreEvent[]): void
  /** The stream ends in order; the client reconnects. */
  end(): void
}

export interface WatchHub {
  readonly watchers: number
  add(bucket: Bucket, watcher: Watcher): () => void
  /** Ends every watch of one kind. */
  endBucket(bucket: Bucket): void
  /** Ends every watch into a keyspace. */
  endKeyspace(keyspace: string): void
  endAll(): void
}

export function createWatchHub(store: Store): WatchHub {
  const rooms = new Map<string, WatcherGroup>()
  const roomOf = (bucket: Bucket): WatcherGroup => {
    const id = groupId(bucket)
    const room = rooms.get(id) ?? { keyspace: bucket.keyspace, watchers: new Set<Watcher>() }
    rooms.set(id, room)
    return room
  }
  const end = (keyspace: string | undefined): void => {
    for (const room of rooms.values()) {
      if (keyspace === undefined || room.keyspace === keyspace) for (const watcher of room.watchers) watcher.end()
    }
  }
  // Entries of the latest batch without a watcher, such as Events. They keep only their text, but not before the next
  // batch, because the responses to their writes still read the objects. Informers keep the objects of the others.
  let unwatched: Entry[] = []
  store.subscribe((events) => {
    for (const entry of unwatched) entry.release()
    unwatched = []
    for (const [id, group] of groupByBucket(events)) {
      const { watchers } = rooms.get(id) ?? EMPTY_GROUP
      for (const watcher of watchers) watcher.deliver(group)
      if (watchers.size === 0) unwatched.push(...group.map(({ entry }) => entry))
    }
  })
  return {
    get watchers() {
      return [...rooms.values()].reduce((sum, room) => sum + room.watchers.size, 0)
    },
    add: (bucket, watcher) => {
      const { watchers } = roomOf(bucket)
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    endBucket: (bucket) => {
      for (const watcher of rooms.get(groupId(bucket))?.watchers ?? []) watcher.end()
    },
    endKeyspace: end,
    endAll: () => end(undefined),
  }
}

interface WatcherGroup {
  keyspace: string
  watchers: Set<Watcher>
}

const EMPTY_GROUP: Pick<WatcherGroup, 'watchers'> = { watchers: new Set() }

function groupId(bucket: Bucket): string {
  return `${bucket.keyspace} ${bucket.resource}`
}

function groupByBucket(events: readonly StoreEvent[]): Map<string, StoreEvent[]> {
  return Map.groupBy(events, ({ entry }) => groupId(entry.location))
}
