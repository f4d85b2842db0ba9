import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dispenseSeats, prefersLaterName } from './webster'

/** The definition, one seat at a time. */
function oneByOne(seats: number, votes: readonly number[], laterNameFirst: boolean): number[] {
  const won = votes.map(() => 0)
  if (votes.reduce((sum, vote) => sum + vote, 0) === 0) return won
  const beats = (a: number, b: number): boolean => {
    const [left, right] = [votes[a]! / (2 * won[a]! + 1), votes[b]! / (2 * won[b]! + 1)]
    if (left !== right) return left > right
    if (won[a] !== won[b]) return won[a]! < won[b]!
    return laterNameFirst ? a > b : a < b
  }
  for (let seat = 0; seat < seats; seat += 1) {
    const winner = votes.reduce((best, _vote, party) => (beats(party, best) ? party : best), 0)
    won[winner]! += 1
  }
  return won
}

const seed = { seed: 20260101, numRuns: 400 }
const election = fc.record({
  seats: fc.integer({ min: 0, max: 400 }),
  votes: fc.array(fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 2_000_000_000 })), { minLength: 1, maxLength: 40 }),
  laterNameFirst: fc.boolean(),
})

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0)

describe('dividing seats by votes', () => {
  test('the largest quotients give the same seats as the individual assignment', () => {
    fc.assert(
      fc.property(election, ({ seats, votes, laterNameFirst }) => {
        expect(dispenseSeats({ seats, votes, laterNameFirst })).toEqual(oneByOne(seats, votes, laterNameFirst))
      }),
      seed,
    )
  })

  test('also where many parties have the same few weights, so that most quotients are tied', () => {
    const tied = fc.record({
      seats: fc.integer({ min: 0, max: 900 }),
      votes: fc.array(fc.constantFrom(1, 2, 3, 6), { minLength: 50, maxLength: 200 }),
      laterNameFirst: fc.boolean(),
    })
    fc.assert(
      fc.property(tied, ({ seats, votes, laterNameFirst }) => {
        expect(dispenseSeats({ seats, votes, laterNameFirst })).toEqual(oneByOne(seats, votes, laterNameFirst))
      }),
      { ...seed, numRuns: 200 },
    )
  })

  test('also with votes that overflowed below zero', () => {
    const overflowed = fc.record({
      seats: fc.integer({ min: 0, max: 60 }),
      votes: fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 6 }),
      laterNameFirst: fc.boolean(),
    })
    fc.assert(
      fc.property(overflowed, ({ seats, votes, laterNameFirst }) => {
        expect(dispenseSeats({ seats, votes, laterNameFirst })).toEqual(oneByOne(seats, votes, laterNameFirst))
      }),
      seed,
    )
  })

  test('every seat is assigned exactly once, unless no party has votes', () => {
    fc.assert(
      fc.property(election, ({ seats, votes, laterNameFirst }) => {
        expect(sum(dispenseSeats({ seats, votes, laterNameFirst }))).toBe(sum(votes) > 0 ? seats : 0)
      }),
      seed,
    )
  })

  test('an additional seat takes none away', () => {
    fc.assert(
      fc.property(election, ({ seats, votes, laterNameFirst }) => {
        const fewer = dispenseSeats({ seats, votes, laterNameFirst })
        const more = dispenseSeats({ seats: seats + 1, votes, laterNameFirst })
        expect(more.every((won, party) => won >= fewer[party]!)).toBe(true)
      }),
      seed,
    )
  })

  test('more votes never mean fewer seats', () => {
    fc.assert(
      fc.property(election, ({ seats, votes, laterNameFirst }) => {
        const won = dispenseSeats({ seats, votes, laterNameFirst })
        for (const [a, left] of votes.entries()) {
          for (const [b, right] of votes.entries()) if (left > right) expect(won[a]!).toBeGreaterThanOrEqual(won[b]!)
        }
      }),
      { ...seed, numRuns: 100 },
    )
  })

  test('a million replicas over a thousand clusters are assigned at once', () => {
    const votes = Array.from({ length: 1000 }, (_, index) => 1 + ((index * 7919) % 1000))
    expect(sum(dispenseSeats({ seats: 1_000_000, votes, laterNameFirst: false }))).toBe(1_000_000)
  })
})

describe('ties between names', () => {
  test.each([
    ['without a UID the earlier name wins', undefined, false],
    ['with an empty one too', '', false],
    ['an even hash prefers the earlier name', 'a', false],
    ['an odd hash the later one', 'b', true],
  ])('%s', (_name, uid, later) => {
    expect(prefersLaterName(uid)).toBe(later)
  })
})
