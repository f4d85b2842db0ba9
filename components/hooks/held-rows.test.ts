import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdRows, releaseRows } from './held-rows'

interface Row {
  id: string
  value: number
}
const row = (id: string, value = 0): Row => ({ id, value })
const ids = (rows: readonly Row[]) => rows.map((each) => each.id).join('')

describe('holding rows', () => {
  const shown = releaseRows([row('a'), row('b'), row('c')])

  const cases: [name: string, current: Row[], rows: string, waiting: number][] = [
    ['shows what it showed when nothing changed', [row('a'), row('b'), row('c')], 'abc', 0],
    ['keeps a new row waiting', [row('a'), row('b'), row('n'), row('c')], 'abc', 1],
    ['keeps a removed row in its place and counts it', [row('a'), row('c')], 'abc', 1],
    ['counts what came and what went together', [row('n'), row('a'), row('b')], 'abc', 2],
    ['keeps the order when only the order changed', [row('b'), row('a'), row('c')], 'abc', 2],
  ]
  it.each(cases)('%s', (_name, current, rows, waiting) => {
    const held = holdRows(shown, current)
    expect(ids(held.rows)).toBe(rows)
    expect(held.waiting).toBe(waiting)
  })

  it('updates values in place', () => {
    const held = holdRows(shown, [row('a'), row('b', 7), row('c')])
    expect(held.rows[1]).toEqual(row('b', 7))
    expect(held.waiting).toBe(0)
  })

  it('marks a deleted row, and removes the mark when it returns', () => {
    const without = holdRows(shown, [row('a'), row('c')])
    expect([...without.gone]).toEqual(['b'])
    const again = holdRows(without, [row('a'), row('b', 1), row('c')])
    expect(again.gone.size).toBe(0)
    expect(again.waiting).toBe(0)
  })

  it('lets the first rows in at once: an empty list has nothing to hold', () => {
    expect(ids(holdRows(releaseRows<Row>([]), [row('a')]).rows)).toBe('a')
  })

  it('gives the same object when nothing changed', () => {
    expect(holdRows(shown, [...shown.rows])).toBe(shown)
  })

  it('never moves a shown row, whatever the list becomes', () => {
    const anyRows = fc
      .uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 })
      .map((list) => list.map((id) => row(id)))
    fc.assert(
      fc.property(fc.array(anyRows, { minLength: 1, maxLength: 6 }), (states) => {
        const [first = [], ...later] = states
        fc.pre(first.length > 0)
        const end = later.reduce((held, state) => holdRows(held, state), releaseRows(first))
        expect(ids(end.rows)).toBe(ids(first))
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})
