import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { rowsInView } from './rows-in-view'

interface Item {
  id: string
  stage: string
}

const itemsOf = (stage: string, count = 60): Item[] =>
  Array.from({ length: count }, (_, at) => ({ id: `row ${at}`, stage }))

const places = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => ({ index: from + at }))

const render = (item: Item) => createElement('tr', { key: item.id, title: item.stage })

const drawn = (items: Item[], settled: Item[], [from, to]: [number, number] = [0, 40]) =>
  rowsInView({ items, settled, render }, places(from, to), { from: 10, to: 20 }).map(
    ({ key, props }) => [key, (props as { title: string }).title] as const,
  )

describe('the rows of a long list', () => {
  test('are all current once a change has settled', () => {
    const items = itemsOf('evicting')
    expect(drawn(items, items)).toEqual(items.slice(0, 41).map(({ id, stage }) => [id, stage]))
  })

  test('show a change at once where they are seen, and later around', () => {
    const rows = drawn(itemsOf('evicting'), itemsOf('tolerating'))
    const current = rows.flatMap(([, stage], at) => (stage === 'evicting' ? [at] : []))
    expect([rows.length, current.at(0), current.at(-1), current.length]).toEqual([41, 10, 20, 11])
  })

  test('never exist twice, and keep their order, when rows above them go', () => {
    const items = itemsOf('evicting').slice(5)
    const rows = drawn(items, itemsOf('tolerating'))
    expect(rows.map(([key]) => key)).toEqual(items.slice(0, 41).map(({ id }) => id))
    expect(rows[0]).toEqual(['row 5', 'tolerating'])
  })

  test('that are new are drawn in any place, and places beyond the end are empty', () => {
    const items = itemsOf('evicting', 30)
    const rows = drawn(items, itemsOf('tolerating', 25))
    expect([rows.length, rows[24]?.[1], rows[25]?.[1]]).toEqual([30, 'tolerating', 'evicting'])
  })
})
