import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Page, pageOf } from './pagination'

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 60 })
const row = (id: string) => ({ id })

/** Reads to the end; `before` may change what is there before each page. */
function readAll(there: () => readonly string[], limit: number, descending = false): Page<{ id: string }>[] {
  const pages: Page<{ id: string }>[] = []
  let next: string | undefined
  do {
    const page = pageOf({ ids: there(), row, query: { limit, continue: next }, descending })
    pages.push(page)
    next = page.continue
  } while (next !== undefined)
  return pages
}

describe('pages', () => {
  test('contain each item once, in order, and report how many follow', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 20 }), fc.boolean(), (all, limit, descending) => {
        const pages = readAll(() => all, limit, descending)
        const sorted = all.toSorted()
        expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
          descending ? sorted.toReversed() : sorted,
        )
        let left = all.length
        for (const { items, remaining } of pages) {
          left -= items.length
          expect(remaining).toBe(left)
          expect(items.length).toBeLessThanOrEqual(limit)
        }
      }),
      { seed: 42 },
    )
  })

  test('contain each permanent item exactly once while others are added and removed', () => {
    fc.assert(
      fc.property(
        ids,
        ids,
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.boolean()),
        (stays, moves, limit, coin) => {
          const others = moves.filter((id) => !stays.includes(id))
          const there = () => [...stays, ...others.filter(() => coin.next().value)]
          const read = readAll(there, limit)
            .flatMap(({ items }) => items.map(({ id }) => id))
            .filter((id) => stays.includes(id))
          expect(read).toEqual(stays.toSorted())
        },
      ),
      { seed: 43 },
    )
  })

  test('continue after a deleted position', () => {
    expect(pageOf({ ids: ['a', 'b'], row: (id) => (id === 'a' ? undefined : { id }), query: { limit: 5 } })).toEqual({
      items: [{ id: 'b' }],
      remaining: 0,
    })
  })

  test.each(['', 'x', 'YWZ0ZXI', '../../etc/passwd'])(
    'are refused for the token "%s", which none has answered',
    (token) => {
      expect(() => pageOf({ ids: [], row, query: { limit: 5, continue: token } })).toThrow(
        'Must be the value of a previous page',
      )
    },
  )
})
