import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyAsJson } from './json-copy'

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const anything = fc
  .anything({
    withBigInt: false,
    withDate: true,
    withNullPrototype: true,
    withSparseArray: false,
    maxDepth: 4,
    withUnicodeString: true,
  })
  .filter((value) => JSON.stringify(value) !== undefined)

describe('a copy', () => {
  test('is what JSON makes of the value', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(copyAsJson(value).value).toStrictEqual(throughText(value))
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('has no longer text than it says', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(copyAsJson(value).mostBytes)
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  test.each([
    ['fields without a value are left out', { a: undefined, b: () => 1, c: Symbol('c'), d: 1 }, { d: 1 }],
    ['items without a value are null', [undefined, () => 1], [null, null]],
    ['what is no number is null', [Number.NaN, Infinity], [null, null]],
    ['minus zero is zero', [-0], [0]],
    ['a time is its text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a field may have any name', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (_name, value, expected) => {
    expect(copyAsJson(value).value).toStrictEqual(expected)
  })

  test('shares nothing', () => {
    const original = { list: [{ a: 1 }] }
    const { value } = copyAsJson(original) as { value: typeof original }
    original.list[0]!.a = 2
    expect(value).toEqual({ list: [{ a: 1 }] })
  })

  test('of what JSON cannot carry is refused', () => {
    expect(() => copyAsJson({ n: 1n })).toThrow(TypeError)
  })
})
