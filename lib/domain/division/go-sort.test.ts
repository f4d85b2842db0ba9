import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortDescendingLikeGo } from './go-sort'

const seed = { seed: 20260102, numRuns: 300 }

function sorted(weights: readonly number[]): { weight: number; was: number }[] {
  const items = weights.map((weight, was) => ({ weight, was }))
  sortDescendingLikeGo(items, ({ weight }) => weight)
  return items
}

describe('sorting as Go does', () => {
  test('the result is a descending permutation', () => {
    const lists = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 })
    fc.assert(
      fc.property(lists, (weights) => {
        expect(sorted(weights).map(({ weight }) => weight)).toEqual(weights.toSorted((a, b) => b - a))
        expect(new Set(sorted(weights).map(({ was }) => was)).size).toBe(weights.length)
      }),
      seed,
    )
  })

  test('up to twelve elements, equal ones keep their order', () => {
    const lists = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 })
    fc.assert(
      fc.property(lists, (weights) => {
        const stable = weights.map((weight, was) => ({ weight, was })).toSorted((a, b) => b.weight - a.weight)
        expect(sorted(weights)).toEqual(stable)
      }),
      seed,
    )
  })

  test('elements of an unbalanced part are shuffled as in Go', () => {
    const weights = [1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0]
    expect(sorted(weights).map(({ was }) => was)).toEqual([9, 12, 7, 3, 0, 5, 8, 4, 1, 6, 10, 11, 2, 13])
  })

  test('a sorted list is unchanged', () => {
    const positions = Array.from({ length: 60 }, (_, index) => index)
    expect(sorted(positions.map(() => 5)).map(({ was }) => was)).toEqual(positions)
  })
})
