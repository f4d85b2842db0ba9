import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyJsonPatch } from '../../kube/patch'
import { patchTo } from '.'

test('nothing is sent for equal objects', () => {
  expect(
    patchTo({ metadata: { labels: { a: '1' } } }, { metadata: { labels: { a: '1' }, annotations: undefined } }),
  ).toEqual([])
})

test('contains only changed fields, and replaces deep values as a whole', () => {
  const before = {
    metadata: { labels: { 'a/b': '1', keep: 'x' } },
    spec: { placement: { tolerations: [{ key: 'a' }] }, replicas: 1 },
  }
  const after = {
    metadata: { labels: { 'a/b': '2', keep: 'x' } },
    spec: { placement: { tolerations: [] }, clusters: [] },
  }
  expect(patchTo(before, after)).toEqual([
    { op: 'replace', path: '/metadata/labels/a~1b', value: '2' },
    { op: 'replace', path: '/spec/placement/tolerations', value: [] },
    { op: 'remove', path: '/spec/replicas' },
    { op: 'add', path: '/spec/clusters', value: [] },
  ])
})

/** Stored objects never have a field `__proto__`. */
function isPlainObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.stringify(value).includes('__proto__')
  )
}

test('applying the patch gives the wanted object, for any two objects', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).filter(isPlainObject)
  fc.assert(
    fc.property(json, json, fc.integer({ min: 1, max: 5 }), (before, after, depth) => {
      const operations = patchTo(before as object, after as object, depth)
      expect(applyJsonPatch(structuredClone(before), operations)).toEqual(after)
    }),
    { seed: 7, numRuns: 300 },
  )
})
