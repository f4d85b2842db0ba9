import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesBetween, REDACTED } from './changes'

describe('what an action changed', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['nothing', { spec: { a: 1 } }, { spec: { a: 1 } }, []],
    ['a value', { spec: { a: 1 } }, { spec: { a: 2 } }, [{ path: 'spec.a', before: '1', after: '2' }]],
    ['what came', { spec: {} }, { spec: { hold: { reason: 'x' } } }, [{ path: 'spec.hold.reason', after: '"x"' }]],
    ['what went', { spec: { hold: { reason: 'x' } } }, { spec: {} }, [{ path: 'spec.hold.reason', before: '"x"' }]],
    ['an object that came', undefined, { spec: { a: 1 } }, [{ path: 'spec.a', after: '1' }]],
    ['an empty part that came', {}, { paused: {} }, [{ path: 'paused', after: '{}' }]],
    ['a list as a whole', { l: [1, 2] }, { l: [2] }, [{ path: 'l', before: '[1,2]', after: '[2]' }]],
    ['another sort of value', { a: { b: 1 } }, { a: 'x' }, [{ path: 'a', before: '{"b":1}', after: '"x"' }]],
    ['what is no field', { a: undefined }, {}, []],
    [
      'what the API server writes by itself',
      { metadata: { resourceVersion: '1', labels: { a: 'b' } } },
      { metadata: { resourceVersion: '2', labels: { a: 'c' } } },
      [{ path: 'metadata.labels.a', before: '"b"', after: '"c"' }],
    ],
  ])('is told: %s', (_, before, after, changes) => {
    expect(changesBetween(before, after)).toEqual(changes)
  })

  test('never shows a secret', () => {
    const changes = changesBetween(
      { spec: { token: 'old', users: [{ name: 'a', password: 'p1' }] }, data: { key: 'c2VjcmV0' } },
      { spec: { token: 'new', users: [{ name: 'b', password: 'p2' }] }, data: { key: 'bmV3' } },
    )
    expect(changes).toContainEqual({ path: 'spec.token', before: REDACTED, after: REDACTED })
    expect(changes).toContainEqual({ path: 'data', before: REDACTED, after: REDACTED })
    expect(JSON.stringify(changes)).not.toMatch(/old|new|p1|p2|c2VjcmV0|bmV3/)
  })

  test('is bounded, however much it was', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4, maxKeys: 60 }), fc.object({ maxDepth: 4, maxKeys: 60 }), (before, after) => {
        const changes = changesBetween(before, after)
        expect(changes.length).toBeLessThanOrEqual(41)
        for (const change of changes) {
          expect((change.before ?? '').length + (change.after ?? '').length).toBeLessThanOrEqual(1002)
        }
      }),
      { seed: 44 },
    )
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(2000)]))
    expect(changesBetween({}, many)).toHaveLength(41)
    expect(changesBetween({}, many).at(-1)).toEqual({ path: '…', after: '"60 more"' })
  })
})
