import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText } from './canonical'
import { deepEqual } from './equal'

it('is the same text for equal values, and only for these', () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true } as object)
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [one, other] = [a, b].map((each) => JSON.parse(JSON.stringify(each)) as unknown)
      expect(canonicalText(one) === canonicalText(other)).toBe(deepEqual(one, other))
    }),
    { seed: 11, numRuns: 300 },
  )
})

it.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: '1' }, { a: 1 }, false],
  [[1, 2], [2, 1], false],
  [null, {}, false],
])('%j and %j', (a, b, same) => {
  expect(canonicalText(a) === canonicalText(b)).toBe(same)
})
