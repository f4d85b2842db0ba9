import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterKeeper, mapKeeper, tallyKeeper } from './row-keepers'

interface Row {
  n: number
}
/** The same rows come and go between the lists, in any place. */
const lists = fc
  .array(fc.record({ n: fc.nat(9) }), { minLength: 1, maxLength: 6 })
  .chain((rows) => fc.array(fc.array(fc.constantFrom(...rows), { maxLength: 12 }), { maxLength: 8 }))

test('the incremental tally equals the tally of the rows, after any changes', () => {
  fc.assert(
    fc.property(lists, (all) => {
      let sum = 0
      const tally = tallyKeeper<Row, number>({
        count: ({ n }, times) => {
          sum += times * n
        },
        result: () => sum,
      })
      for (const rows of all) expect(tally(rows)).toBe(rows.reduce((total, { n }) => total + n, 0))
    }),
    { seed: 18 },
  )
})

test('a kept mapping and a kept filter are those of the rows', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const [map, filter] = [mapKeeper(({ n }: Row) => n * 2), filterKeeper(({ n }: Row) => n > 4)]
      for (const rows of all) {
        expect(map(rows)).toEqual(rows.map(({ n }) => n * 2))
        expect(filter(rows)).toEqual(rows.filter(({ n }) => n > 4))
      }
    }),
    { seed: 18 },
  )
})

test('only changed rows are read, and an inserted row does not affect those below it', () => {
  const rows = Array.from({ length: 100 }, (_, n) => ({ n }))
  let counted = 0
  const tally = tallyKeeper<Row, undefined>({
    count: () => {
      counted += 1
    },
    result: () => undefined,
  })
  tally(rows)
  counted = 0
  const changed = rows.with(40, { n: 0 })
  tally(changed)
  expect(counted).toBe(2)
  counted = 0
  tally([{ n: -1 }, ...changed])
  expect(counted).toBe(1)
})

test('a filter gives the same array while what it keeps is the same', () => {
  const filter = filterKeeper(({ n }: Row) => n > 4)
  const rows = [{ n: 5 }, { n: 1 }, { n: 6 }]
  const kept = filter(rows)
  expect(filter(rows.with(1, { n: 2 }))).toBe(kept)
  expect(filter(rows.with(0, { n: 7 }))).not.toBe(kept)
})
