import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { orderKeeper } from './order-keeper'

interface Row {
  id: string
  value: number
}
const byId = (a: Row, b: Row): number => Number(a.id) - Number(b.id)
const rows = fc.uniqueArray(fc.record({ id: fc.nat(30).map(String), value: fc.nat() }), { selector: ({ id }) => id })

test('after any changes the rows are sorted, complete and current', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 8 }), (lists) => {
      const sort = orderKeeper(byId)
      for (const list of lists) expect(sort(list)).toEqual(list.toSorted(byId))
    }),
    { seed: 7 },
  )
})

test('rows that were there before are not compared again', () => {
  let compared = 0
  const sort = orderKeeper<Row>((a, b) => {
    compared += 1
    return byId(a, b)
  })
  const list = Array.from({ length: 100 }, (_, n) => ({ id: String(99 - n), value: 0 }))
  sort(list)
  compared = 0
  sort(list.map((row) => ({ ...row, value: 1 })))
  sort(list.slice(50))
  expect(compared).toBe(0)
})
