import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketOf, bucketsFor, differingBuckets, digestOf, isDigest, missingFrom, MAX_BUCKETS } from './digest'

interface Item {
  id: string
  value: unknown
}

const value = fc.jsonValue({ maxDepth: 3 })
const items = fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1, maxLength: 8 }), value }), {
  selector: ({ id }) => id,
  maxLength: 40,
})
const buckets = fc.constantFrom(1, 2, 8, 64, MAX_BUCKETS)
const byId = (held: readonly Item[]) => new Map(held.map((item) => [item.id, item]))

/** What the client does with the answer. */
function take(
  held: readonly Item[],
  { of, buckets: replaced, changed }: ReturnType<typeof missingFrom<Item>>,
): Map<string, Item> {
  const kept = held.filter(({ id }) => !replaced.includes(bucketOf(id, of)))
  return byId([...kept, ...changed])
}

describe('a digest', () => {
  test('leads from any collection to any other', () => {
    fc.assert(
      fc.property(items, items, buckets, (held, current, of) => {
        expect(take(held, missingFrom(current, digestOf(held, of)))).toEqual(byId(current))
      }),
      { seed: 1121, numRuns: 500 },
    )
  })

  test('leads from any part of a collection, some of it old, to the whole', () => {
    const part = fc.array(fc.constantFrom('known', 'old', 'unknown'), { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(items, part, buckets, (current, parts, of) => {
        const held = current.flatMap((item, at) =>
          parts[at] === 'unknown' ? [] : parts[at] === 'old' ? [{ ...item, value: [item.value] }] : [item],
        )
        const missing = missingFrom(current, digestOf(held, of))
        expect(take(held, missing)).toEqual(byId(current))
        const affected = current.filter((_, at) => parts[at] !== 'known').map(({ id }) => bucketOf(id, of))
        expect(missing.buckets).toEqual([...new Set(affected)].sort((a, b) => a - b))
      }),
      { seed: 7443, numRuns: 300 },
    )
  })

  test('does not depend on the order of entities and fields, nor on what JSON leaves out', () => {
    fc.assert(
      fc.property(items, buckets, (held, of) => {
        const turned = held.toReversed().map(({ id, value: kept }) => ({ nothing: undefined, value: kept, id }))
        const sent = JSON.parse(JSON.stringify(held)) as Item[]
        expect([digestOf(turned, of), digestOf(sent, of)]).toEqual([digestOf(held, of), digestOf(held, of)])
      }),
      { seed: 3, numRuns: 200 },
    )
  })

  test.each<[string, unknown, unknown]>([
    ['a number', { n: 1 }, { n: 2 }],
    ['the type', { n: 1 }, { n: '1' }],
    ['a number and how it is written', { n: 1 }, { n: '#1' }],
    ['large numbers', { n: 2 ** 32 }, { n: 0 }],
    ['an absent field and null', {}, { n: null }],
    ['false and true', { n: false }, { n: true }],
    ['the place in a list', { n: [1, 2] }, { n: [2, 1] }],
    ['nesting', { n: [[1], 2] }, { n: [1, [2]] }],
    ['where a value stands', { a: 1, b: 2 }, { a: 2, b: 1 }],
    ['which field has a part', { a: { x: 1 }, b: {} }, { a: {}, b: { x: 1 } }],
    ['an empty list and an empty object', { n: [] }, { n: {} }],
    ['where one text ends', { a: 'xy', b: 'z' }, { a: 'x', b: 'yz' }],
  ])('tells apart %s', (_, a, b) => {
    const of = (content: unknown) => digestOf([{ id: 'a', content } as { id: string }], 1)
    expect(differingBuckets(of(a), of(b))).toEqual([0])
  })

  test('spreads ids evenly over the buckets', () => {
    const counts = Array.from({ length: 64 }, () => 0)
    for (let at = 0; at < 6400; at++) counts[bucketOf(`apps~v1/Deployment/team-${at % 50}/app-${at}`, 64)]! += 1
    expect(Math.max(...counts)).toBeLessThan(160)
    expect(Math.min(...counts)).toBeGreaterThan(50)
  })

  test.each([
    [0, 1],
    [4, 1],
    [5, 2],
    [10_000, 4096],
    [1_000_000, 4096],
  ])('of %i entities has %i buckets', (entities, of) => {
    expect(bucketsFor(entities)).toBe(of)
  })

  test('is taken only when it has the right size', () => {
    const good = digestOf([], 8)
    expect([
      isDigest(good, 8),
      isDigest(good, 16),
      isDigest(good, 7),
      isDigest('garbage', 8),
      isDigest(new Uint8Array(0), 0),
      isDigest(new Uint8Array(8 * 8192), 8192),
    ]).toEqual([true, false, false, false, false, false])
  })
})
