import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyJsonPatch, applyMergePatch, createMergePatch, type JsonPatchOperation } from './patch'
import { deployment } from './kinds/deployment'
import { configMap } from './kinds/config-map'
import { applyStrategicPatch } from './strategic'

describe('a JSON patch', () => {
  it.each<[string, unknown, JsonPatchOperation[], unknown]>([
    ['adds a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['inserts into a list', { l: [1, 3] }, [{ op: 'add', path: '/l/1', value: 2 }], { l: [1, 2, 3] }],
    ['appends', { l: [1] }, [{ op: 'add', path: '/l/-', value: 2 }], { l: [1, 2] }],
    ['replaces a missing field', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['copies a missing field as null', {}, [{ op: 'copy', from: '/x', path: '/a' }], { a: null }],
    ['moves', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    [
      'unescapes',
      { 'x/y': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/x~1y' },
        { op: 'remove', path: '/m~0n' },
      ],
      {},
    ],
    ['counts from the end', { l: [1, 2] }, [{ op: 'remove', path: '/l/-1' }], { l: [1] }],
    ['tests what is absent against null', {}, [{ op: 'test', path: '/a', value: null }], {}],
  ])('%s', (_, document, operations, expected) => {
    const before = structuredClone(document)
    expect(applyJsonPatch(document, operations)).toEqual(expected)
    expect(document).toEqual(before)
  })

  it('tells a null that it gave from none', () => {
    const given: JsonPatchOperation = { op: 'add', path: '/a', value: null }
    const test = (value?: null): JsonPatchOperation =>
      ({ op: 'test', path: '/a', ...(value === null && { value }) }) as never
    expect(() => applyJsonPatch({}, [given, test()])).toThrow('rejected our request')
    expect(applyJsonPatch({}, [given, test(null)])).toEqual({ a: null })
    expect(applyJsonPatch({ a: null }, [test()])).toEqual({ a: null })
    expect(applyJsonPatch({ a: 1 }, [given, { op: 'copy', from: '/b', path: '/a' }, test()])).toEqual({ a: null })
  })

  it('shares the parts that it does not change, so that later steps need not check them again', () => {
    const document = { spec: { list: [{ a: 1 }, { b: 2 }] }, status: { x: 1 }, metadata: { labels: { l: '1' } } }
    const changed = applyJsonPatch(document, [
      { op: 'add', path: '/status/y', value: 2 },
      { op: 'replace', path: '/spec/list/1/b', value: 3 },
      { op: 'move', from: '/status/x', path: '/status/z' },
    ]) as typeof document
    expect(changed).toEqual({
      spec: { list: [{ a: 1 }, { b: 3 }] },
      status: { y: 2, z: 1 },
      metadata: { labels: { l: '1' } },
    })
    expect(changed.metadata).toBe(document.metadata)
    expect(changed.spec.list[0]).toBe(document.spec.list[0])
    expect(document.spec.list).toEqual([{ a: 1 }, { b: 2 }])
  })

  it.each<[string, JsonPatchOperation]>([
    ['a failed test', { op: 'test', path: '/a', value: 2 }],
    ['a missing parent', { op: 'add', path: '/x/y', value: 1 }],
    ['removing nothing', { op: 'remove', path: '/x' }],
    ['an index outside', { op: 'add', path: '/l/5', value: 1 }],
    ['the whole document', { op: 'add', path: '', value: {} }],
    ['a missing path', { op: 'remove' } as never],
    ['no operation', null as never],
    ['an unknown operation', { op: 'frob', path: '/a' } as never],
  ])('is refused for %s', (_, operation) => {
    expect(() => applyJsonPatch({ a: 1, l: [] }, [operation])).toThrow(
      'the server rejected our request due to an error in our request',
    )
  })
})

describe('a merge patch', () => {
  it('merges objects, removes with null and replaces lists', () => {
    expect(applyMergePatch({ a: { b: 1, c: 2 }, l: [1, 2] }, { a: { b: null, d: 3 }, l: [3], n: { x: null } })).toEqual(
      { a: { c: 2, d: 3 }, l: [3], n: {} },
    )
  })

  it('made from two documents turns the first into the second', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()))
    const tree = fc.dictionary(fc.string(), fc.oneof(leaf, fc.dictionary(fc.string(), leaf)))
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const patch = createMergePatch(from, to)
        expect(patch === undefined ? from : applyMergePatch(from, patch)).toEqual(to)
      }),
      { seed: 7386 },
    )
  })
})

describe('a strategic merge patch', () => {
  const pod = (spec: object) => ({ spec: { template: { spec } } })
  const apply = (before: object, patch: object) =>
    (applyStrategicPatch(pod(before), pod(patch), deployment.schema) as ReturnType<typeof pod>).spec.template.spec

  it.each<[string, object, object, object]>([
    [
      'merges containers by name',
      { containers: [{ name: 'a', image: '1', tty: true }] },
      { containers: [{ name: 'a', image: '2' }] },
      { containers: [{ name: 'a', image: '2', tty: true }] },
    ],
    [
      'puts a new item first',
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'b' }] },
      { containers: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'deletes an item',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'replaces the list',
      { containers: [{ name: 'a' }] },
      { containers: [{ $patch: 'replace' }, { name: 'b' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'replaces an atomic list',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    [
      'replaces an object',
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'replace', fsGroup: 2 } },
      { securityContext: { fsGroup: 2 } },
    ],
    [
      'keeps only the retained keys',
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] },
      { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    ],
    [
      'follows the given order',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }, { name: 'a' }], containers: [{ name: 'c' }] },
      { containers: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
    ],
    [
      'leaves unnamed items in their place',
      { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { containers: [{ name: 'c', tty: true }] },
      { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c', tty: true }] },
    ],
  ])('%s', (_, before, patch, after) => {
    expect(apply(before, patch)).toEqual(after)
  })

  it('merges and cuts lists of texts', () => {
    const before = { metadata: { finalizers: ['a', 'b'] } }
    expect(applyStrategicPatch(before, { metadata: { finalizers: ['c'] } }, configMap.schema)).toEqual({
      metadata: { finalizers: ['c', 'a', 'b'] },
    })
    expect(
      applyStrategicPatch(before, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }, configMap.schema),
    ).toEqual({ metadata: { finalizers: ['b'] } })
  })

  it('refuses an item without its merge key', () => {
    expect(() => apply({ containers: [{ name: 'c' }] }, { containers: [{ image: 'noname' }] })).toThrow(
      'map: map[image:noname] does not contain declared merge key: name',
    )
  })
})
