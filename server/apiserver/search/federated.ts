/**
 * Presents the objects of several members as one collection: a store and a hub for the reading verbs. An annotation of
 * each object names its member; resource versions are those of the members, which share one revision.
 */
import type { UnknownObject } from '@/lib/kube/object'
import type { Api } from '../api'
import { conflict } from '../failures'
import type { Resource } from '../registry/resource'
import { StoredEntry } from '../store/entry'
import type { Bucket, Entry, Store, StoreEvent } from '../store/store'
import type { WatchHub } from '../watch/hub'
import { type Cached, mayChangeCached } from './cached'

/** Names the member, as Karmada's search does. */
export const SOURCE = 'resource.karmada.io/cached-from-cluster'

export interface Federation {
  resource: Resource
  cached: Cached
  /** True once something else is searchable than `cached`. */
  isOutdated(): boolean
}

/** The same API, whose store and hub hold what is cached of one kind. */
export function federatedApi(api: Api, federation: Federation): Api {
  return { ...api, store: federatedStore(api.store, federation), hub: federatedHub(api, federation) }
}

/** The entries of an object in every member that has it. */
export function entriesOf(store: Store, { resource, cached }: Federation, key: string): [member: string, Entry][] {
  return [...cached.keys()].flatMap((member): [string, Entry][] => {
    const entry = isCached(cached, member, key) && store.get({ keyspace: member, resource: resource.id, key })
    return entry ? [[member, entry]] : []
  })
}

/** The member that has an object. Undefined when none has it; throws 409 when several have. */
export function memberOf(store: Store, federation: Federation, key: string): [member: string, Entry] | undefined {
  const found = entriesOf(store, federation, key)
  if (found.length < 2) return found[0]
  const names = found.map(([member]) => member).join(', ')
  const name = key.slice(key.indexOf('/') + 1)
  throw conflict(federation.resource.kind, name, `ambiguous objects in clusters [${names}]`)
}

function federatedStore(store: Store, federation: Federation): Store {
  const { resource, cached } = federation
  const members = [...cached.keys()]
  const bucketOf = (member: string): Bucket => ({ keyspace: member, resource: resource.id })
  return {
    ...unchanged(store),
    get revision() {
      return store.revision
    },
    get compacted() {
      return store.compacted
    },
    get: ({ key }) => {
      const found = memberOf(store, federation, key)
      return found && sourced(found[1], found[0])
    },
    list: (_, range) =>
      members
        .flatMap((member) =>
          store
            .list(bucketOf(member), range)
            .filter(({ location: { key } }) => isCached(cached, member, key))
            .map((entry) => sourced(entry, member)),
        )
        .sort((a, b) => (a.location.key < b.location.key ? -1 : 1)),
    since: (_, revision) =>
      members
        .flatMap((member) => store.since(bucketOf(member), revision).flatMap((event) => seen(event, federation)))
        .sort((a, b) => a.revision - b.revision),
  }
}

/** The methods that need no merging of members; writes throw. */
function unchanged(store: Store): Omit<Store, 'revision' | 'compacted' | 'get' | 'list' | 'since'> {
  const refuse = (): never => {
    // log: a fault of this server
    throw new Error('the view of several members is read only')
  }
  return {
    settled: () => store.settled(),
    count: (bucket, namespace) => store.count(bucket, namespace),
    keyspaces: () => store.keyspaces(),
    scan: (keyspace) => store.scan(keyspace),
    subscribe: (listener) => store.subscribe(listener),
    put: refuse,
    delete: refuse,
    compact: refuse,
    close: refuse,
  }
}

/** Watches end when something else becomes searchable; their readers list anew. */
function federatedHub({ store, hub }: Api, federation: Federation): WatchHub {
  return {
    ...hub,
    add: (bucket, watcher) => {
      const leave = hub.add(bucket, { deliver: () => undefined, end: watcher.end })
      const unsubscribe = store.subscribe((events) => {
        const told = events.flatMap((event) => seen(event, federation))
        if (told.length > 0) watcher.deliver(told)
        if (events.some(mayChangeCached) && federation.isOutdated()) watcher.end()
      })
      return () => {
        leave()
        unsubscribe()
      }
    },
  }
}

/** The event as the federation shows it; none when it is about something else. */
function seen(event: StoreEvent, { resource, cached }: Federation): StoreEvent[] {
  const { keyspace: member, resource: id, key } = event.entry.location
  if (id !== resource.id || !isCached(cached, member, key)) return []
  return [
    { ...event, entry: sourced(event.entry, member), previous: event.previous && sourced(event.previous, member) },
  ]
}

function isCached(cached: Cached, member: string, key: string): boolean {
  const namespaces = cached.get(member)
  return namespaces ? namespaces.has(key.slice(0, Math.max(0, key.indexOf('/')))) : cached.has(member)
}

const known = new WeakMap<Entry, Entry>()

/** The entry with its member in an annotation and in its key, so that equal names have an order. */
function sourced(entry: Entry, member: string): Entry {
  const before = known.get(entry)
  if (before) return before
  const { kind, apiVersion, metadata, ...rest } = entry.value
  const value: UnknownObject = {
    kind,
    apiVersion,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [SOURCE]: member } },
    ...rest,
  }
  const location = { ...entry.location, key: `${entry.location.key}\0${member}` }
  const shown = new StoredEntry(location, entry.revision, JSON.stringify(value), value)
  known.set(entry, shown)
  return shown
}
