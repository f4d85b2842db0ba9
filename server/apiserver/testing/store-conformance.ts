/**
 * What every store must do, as a suite that any driver can run: `for (const [name, check] of storeConformance)
 * test(name, () => check(open))`. A check throws when the store does not keep its promise.
 */
import { deepStrictEqual, ok, rejects, strictEqual, throws } from 'node:assert/strict'
import type { UnknownObject } from '@/lib/kube/object'
import { ObjectTooLarge, RevisionCompacted, RevisionMismatch } from '../store/errors'
import type { Bucket, Location, Store, StoreEvent } from '../store/store'

/** Opens an empty store; the check closes it. */
export type OpenStore = (options?: { historyEvents?: number }) => Promise<Store>

export type Check = (open: OpenStore) => Promise<void>

const BUCKET: Bucket = { keyspace: '', resource: 'configmaps' }

export function at(key: string, bucket: Bucket = BUCKET): Location {
  return { ...bucket, key }
}

export function sample(name: string, data: string): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, uid: name, resourceVersion: '', creationTimestamp: '' },
    data: { k: data },
  }
}

function keysOf(store: Store, options?: { namespace?: string; at?: number }): string[] {
  return store.list(BUCKET, options).map((entry) => entry.location.key)
}

/** The checks by name. */
export const storeConformance: readonly (readonly [string, Check])[] = [
  [
    'gives every write the next revision and stamps the object with it',
    async (open) => {
      const store = await open()
      const first = await store.put(at('n/a'), sample('a', '1'), 0)
      const second = await store.put(at('n/b'), sample('b', '1'), 0)
      strictEqual(second.revision, first.revision + 1)
      strictEqual(second.value.metadata.resourceVersion, String(second.revision))
      deepStrictEqual(JSON.parse(second.json), second.value)
      strictEqual(store.revision, second.revision)
      await store.close()
    },
  ],
  [
    'begins the JSON of an object with its kind and version',
    async (open) => {
      const store = await open()
      const { json } = await store.put(at('n/a'), sample('a', '1'), 0)
      ok(json.startsWith('{"kind":"ConfigMap","apiVersion":"v1",'))
      await store.close()
    },
  ],
  [
    'refuses an object of more than 1.5 MiB, counted in bytes, and changes nothing',
    async (open) => {
      const store = await open()
      const { revision } = await store.put(at('n/a'), sample('a', 'x'.repeat(1_500_000)), 0)
      await rejects(store.put(at('n/a'), sample('a', 'x'.repeat(1_600_000)), revision), ObjectTooLarge)
      await rejects(store.put(at('n/b'), sample('b', '€'.repeat(530_000)), 0), ObjectTooLarge)
      strictEqual(store.revision, revision)
      strictEqual(store.get(at('n/b')), undefined)
      await store.close()
    },
  ],
  [
    'refuses a write whose condition does not hold, and changes nothing',
    async (open) => {
      const store = await open()
      const { revision } = await store.put(at('n/a'), sample('a', '1'), 0)
      await rejects(store.put(at('n/a'), sample('a', '2'), 0), RevisionMismatch)
      await rejects(store.put(at('n/a'), sample('a', '2'), revision + 1), RevisionMismatch)
      await rejects(store.delete(at('n/b'), sample('b', '1'), 7), RevisionMismatch)
      strictEqual(store.revision, revision)
      deepStrictEqual(store.get(at('n/a'))?.value.data, { k: '1' })
      await store.close()
    },
  ],
  [
    'lets only one of two writes of the same turn win',
    async (open) => {
      const store = await open()
      const { revision } = await store.put(at('n/a'), sample('a', '1'), 0)
      const outcomes = await Promise.allSettled([
        store.put(at('n/a'), sample('a', '2'), revision),
        store.put(at('n/a'), sample('a', '3'), revision),
      ])
      deepStrictEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      )
      await store.close()
    },
  ],
  [
    'lists in the order of keys, and by namespace',
    async (open) => {
      const store = await open()
      for (const key of ['b/x', 'a/y', 'a-b/x', 'a/x', 'a.b/x']) await store.put(at(key), sample(key, '1'), 0)
      deepStrictEqual(keysOf(store), ['a-b/x', 'a.b/x', 'a/x', 'a/y', 'b/x'])
      deepStrictEqual(keysOf(store, { namespace: 'a' }), ['a/x', 'a/y'])
      await store.close()
    },
  ],
  [
    'keeps keyspaces and resources apart',
    async (open) => {
      const store = await open()
      await store.put(at('n/a'), sample('a', '1'), 0)
      await store.put(at('n/a', { keyspace: 'm1', resource: 'configmaps' }), sample('a', '2'), 0)
      await store.put(at('n/a', { keyspace: 'm1', resource: 'secrets' }), sample('a', '3'), 0)
      strictEqual(store.list(BUCKET).length, 1)
      strictEqual(store.scan('m1').length, 2)
      deepStrictEqual(store.keyspaces().toSorted(), ['', 'm1'])
      await store.close()
    },
  ],
  [
    'announces events in order, once, and only when they are durable',
    async (open) => {
      const store = await open()
      const seen: StoreEvent[] = []
      const stop = store.subscribe((events) => void seen.push(...events))
      const write = store.put(at('n/a'), sample('a', '1'), 0)
      strictEqual(seen.length, 0)
      const { revision } = await write
      await store.put(at('n/a'), sample('a', '2'), revision)
      await store.delete(at('n/a'), sample('a', '2'), revision + 1)
      deepStrictEqual(
        seen.map(({ type, revision: number }) => [type, number - revision]),
        [
          ['put', 0],
          ['put', 1],
          ['delete', 2],
        ],
      )
      strictEqual(seen[1]?.previous?.revision, revision)
      strictEqual(seen[2]?.entry.value.metadata.resourceVersion, String(revision + 2))
      stop()
      await store.put(at('n/b'), sample('b', '1'), 0)
      strictEqual(seen.length, 3)
      await store.close()
    },
  ],
  [
    'shows any revision of the window as it was',
    async (open) => {
      const store = await open()
      const { revision } = await store.put(at('n/a'), sample('a', '1'), 0)
      await store.put(at('n/b'), sample('b', '1'), 0)
      await store.put(at('n/a'), sample('a', '2'), revision)
      await store.delete(at('n/b'), sample('b', '1'), revision + 1)
      deepStrictEqual(keysOf(store), ['n/a'])
      deepStrictEqual(keysOf(store, { at: revision + 2 }), ['n/a', 'n/b'])
      deepStrictEqual(store.list(BUCKET, { at: revision })[0]?.value.data, { k: '1' })
      deepStrictEqual(
        store.since(BUCKET, revision + 1).map((event) => event.revision - revision),
        [2, 3],
      )
      await store.close()
    },
  ],
  [
    'refuses a revision that is compacted, for lists and for events',
    async (open) => {
      const store = await open()
      const { revision } = await store.put(at('n/a'), sample('a', '1'), 0)
      await store.put(at('n/a'), sample('a', '2'), revision)
      await store.put(at('n/a'), sample('a', '3'), revision + 1)
      store.compact(revision + 1)
      strictEqual(store.compacted, revision + 1)
      throws(() => store.since(BUCKET, revision), RevisionCompacted)
      throws(() => store.list(BUCKET, { at: revision }), RevisionCompacted)
      strictEqual(store.since(BUCKET, revision + 1).length, 1)
      deepStrictEqual(store.get(at('n/a'))?.value.data, { k: '3' })
      await store.close()
    },
  ],
  [
    'bounds the window by count',
    async (open) => {
      const store = await open({ historyEvents: 10 })
      for (let index = 0; index < 400; index++) await store.put(at(`n/${index}`), sample('a', '1'), 0)
      ok(store.compacted > 0)
      strictEqual(store.list(BUCKET).length, 400)
      await store.close()
    },
  ],
  [
    'settles once everything written is durable',
    async (open) => {
      const store = await open()
      let announced = false
      store.subscribe(() => {
        announced = true
      })
      const write = store.put(at('n/a'), sample('a', '1'), 0)
      await store.settled()
      ok(announced)
      await write
      await store.close()
    },
  ],
  [
    'refuses to write once it is closed',
    async (open) => {
      const store = await open()
      await store.close()
      await rejects(store.put(at('n/a'), sample('a', '1'), 0))
    },
  ],
]
