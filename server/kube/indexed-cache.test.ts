import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfigMap } from '@/lib/kube/kinds/config-map'
import { objectKey } from '@/lib/kube/object'
import { IndexedCache } from './indexed-cache'
import type { Change } from './informer'

const onError = (error: unknown): never => {
  throw error
}
const newCache = () => new IndexedCache<ConfigMap>({ onError })

function item(name: string, version: number, values: readonly string[] = [], namespace = 'default'): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      uid: name,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    data: Object.fromEntries(values.map((value) => [value, ''])),
  }
}
const valuesOf = (object: ConfigMap): readonly string[] => Object.keys(object.data ?? {})

describe('the indexed cache', () => {
  test('keeps the identity of an object that arrives again unchanged, and reports nothing', () => {
    const cache = newCache()
    const first = item('a', 1)
    cache.upsert(first)
    const changes: Change<ConfigMap>[] = []
    cache.onChange((change) => changes.push(change))
    changes.length = 0
    cache.replace([item('a', 1)])
    cache.upsert(item('a', 1))
    expect(changes).toEqual([])
    expect(cache.get('default/a')).toBe(first)
  })

  test('hands out the same list until something in it changes', () => {
    const cache = newCache()
    cache.addIndex('value', valuesOf)
    cache.replace([item('a', 1, ['x']), item('b', 1, ['y'])])
    const [all, x] = [cache.list(), cache.byIndex('value', 'x')]
    cache.upsert(item('b', 2, ['y']))
    expect(cache.byIndex('value', 'x')).toBe(x)
    expect(cache.list()).not.toBe(all)
    expect(cache.byIndex('value', 'none')).toBe(cache.byIndex('value', 'none'))
  })

  test('tells a new handler every present object as added', () => {
    const cache = newCache()
    cache.replace([item('a', 1), item('b', 1)])
    const seen: string[] = []
    cache.onChange((change) =>
      seen.push(`${change.type} ${change.type === 'deleted' ? '' : change.object.metadata.name}`),
    )
    expect(seen).toEqual(['added a', 'added b'])
  })

  test('shows handlers the whole new state, also in the middle of a replacement', () => {
    const cache = newCache()
    cache.replace([item('a', 1), item('b', 1)])
    const sizes: number[] = []
    cache.onChange(() => sizes.push(cache.list().length))
    sizes.length = 0
    cache.replace([item('c', 2), item('d', 2), item('e', 2)])
    expect(sizes).toEqual([3, 3, 3, 3, 3])
  })

  test('reports an object of another uid as deleted and added', () => {
    const cache = newCache()
    cache.upsert(item('a', 1))
    const types: string[] = []
    cache.onChange((change) => types.push(change.type))
    const next = item('a', 5)
    cache.upsert({ ...next, metadata: { ...next.metadata, uid: 'another' } })
    expect(types).toEqual(['added', 'deleted', 'added'])
  })

  test('calls the other handlers when one throws, and stops calling one that was removed', () => {
    const errors: unknown[] = []
    const cache = new IndexedCache<ConfigMap>({ onError: (error) => errors.push(error) })
    const seen: string[] = []
    cache.onChange(() => {
      throw new Error('broken handler')
    })
    const stop = cache.onChange((change) => seen.push(change.type))
    cache.upsert(item('a', 1))
    stop()
    cache.upsert(item('a', 2))
    expect(seen).toEqual(['added'])
    expect(errors).toHaveLength(2)
  })

  test('freezes objects when asked, so that a change of a shared object fails', () => {
    const cache = new IndexedCache<ConfigMap>({ onError, freeze: true })
    cache.upsert(item('a', 1, ['x']))
    const stored = cache.get('default/a') as ConfigMap
    expect(() => Object.assign(stored.data as object, { x: 'changed' })).toThrow(TypeError)
  })

  test('refuses to read an index that was never added', () => {
    expect(() => newCache().byIndex('nothing', 'x')).toThrow('no index named "nothing"')
  })

  test('equals a cache built from scratch after any sequence of changes', () => {
    const value = fc.subarray(['x', 'y', 'z'])
    const step = fc.oneof(
      fc.record({
        type: fc.constant('upsert' as const),
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        namespace: fc.constantFrom('n1', 'n2'),
        values: value,
      }),
      fc.record({
        type: fc.constant('remove' as const),
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        namespace: fc.constantFrom('n1', 'n2'),
      }),
      fc.record({
        type: fc.constant('replace' as const),
        items: fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), values: value }), {
          selector: ({ name }) => name,
        }),
      }),
      fc.record({ type: fc.constant('index' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const cache = newCache()
        const model = new Map<string, ConfigMap>()
        const told = new Map<string, ConfigMap>()
        cache.onChange((change) => {
          if (change.type === 'deleted') told.delete(objectKey(change.old))
          else told.set(objectKey(change.object), change.object)
        })
        let version = 0
        for (const next of steps) {
          version += 1
          if (next.type === 'upsert') {
            const object = item(next.name, version, next.values, next.namespace)
            cache.upsert(object)
            model.set(objectKey(object), object)
          } else if (next.type === 'remove') {
            const object = item(next.name, version, [], next.namespace)
            cache.remove(object)
            model.delete(objectKey(object))
          } else if (next.type === 'replace') {
            const objects = next.items.map(({ name, values }) => item(name, version, values, 'n1'))
            cache.replace(objects)
            model.clear()
            for (const object of objects) model.set(objectKey(object), object)
          } else cache.addIndex('value', valuesOf)
        }
        cache.addIndex('value', valuesOf)
        const scratch = newCache()
        scratch.addIndex('value', valuesOf)
        scratch.replace([...model.values()])
        const keys = (objects: readonly ConfigMap[]): string[] =>
          objects.map((object) => `${objectKey(object)}@${object.metadata.resourceVersion}`).toSorted()
        expect(keys(cache.list())).toEqual(keys(scratch.list()))
        expect(keys([...told.values()])).toEqual(keys(scratch.list()))
        for (const x of ['x', 'y', 'z'])
          expect(keys(cache.byIndex('value', x))).toEqual(keys(scratch.byIndex('value', x)))
        for (const n of ['n1', 'n2']) expect(keys(cache.listNamespace(n))).toEqual(keys(scratch.listNamespace(n)))
      }),
      { seed: 20260101, numRuns: 300 },
    )
  })
})
