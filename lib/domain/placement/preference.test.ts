import { expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import type { Candidate } from './candidate'
import { comparePreference, sortByPreference } from './preference'

type Parts = Pick<Candidate, 'overflowOrder' | 'score' | 'availableReplicas'>

const parts: fc.Arbitrary<Parts> = fc.record({
  overflowOrder: fc.constantFrom(0, 1, 2, 1000),
  score: fc.constantFrom(0, 100),
  availableReplicas: fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: -(2 ** 31), max: 2 ** 32 })),
})

const candidatesOf = (list: readonly Parts[]): Candidate[] =>
  list.map((one, rank) => ({ ...one, rank, name: `m${rank}` }) as Candidate)

test('long lists are ordered as by comparing two at a time', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 100, maxLength: 300 }), (list) => {
      const candidates = candidatesOf(list)
      expect(sortByPreference([...candidates])).toEqual(candidates.toSorted(comparePreference))
    }),
    { numRuns: 100 },
  )
})

const amountsOf = (of: (at: number) => number): Candidate[] =>
  candidatesOf(Array.from({ length: 150 }, (_, at) => ({ overflowOrder: 0, score: 0, availableReplicas: of(at) })))

test.each([
  ['not in the order of names', amountsOf(() => 7).reverse()],
  ['with an amount that is no whole number', amountsOf((at) => at / 2)],
])('also lists %s', (_title, candidates) => {
  expect(sortByPreference([...candidates])).toEqual(candidates.toSorted(comparePreference))
})
