import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapFields, mapItems } from './map-json'

const seed = 7

describe('fields', () => {
  it('that stay give the same object', () => {
    const fields = { a: 1, b: [2] }
    expect(mapFields(fields, (value) => value)).toBe(fields)
  })

  it('that change, and those that go, leave the others where they were', () => {
    const changed = mapFields({ a: 1, b: 2, c: 3, d: 4 }, (value, name) =>
      name === 'b' ? undefined : name === 'c' ? 30 : value,
    )
    expect(Object.entries(changed)).toEqual([
      ['a', 1],
      ['c', 30],
      ['d', 4],
    ])
  })

  it('of any object become what changing them one by one gives', () => {
    const change = (value: unknown): unknown => (typeof value === 'number' ? undefined : value === '' ? 'x' : value)
    fc.assert(
      fc.property(fc.object({ maxDepth: 1 }), (fields) => {
        const entries = Object.entries(fields).map(([name, value]) => [name, change(value)] as const)
        const expected = entries.filter(([, value]) => value !== undefined)
        if (Object.values(fields).includes(undefined)) return
        expect(Object.entries(mapFields(fields, change))).toEqual(expected)
      }),
      { seed },
    )
  })

  it('called __proto__ are fields like any other', () => {
    const fields = JSON.parse('{"a":1,"__proto__":{"b":2}}') as Record<string, unknown>
    const changed = mapFields(fields, (_value, name) => (name === 'a' ? 3 : { b: 4 }))
    expect(JSON.stringify(changed)).toBe('{"a":3,"__proto__":{"b":4}}')
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype)
  })
})

describe('items', () => {
  it('that stay give the same list', () => {
    const items = [1, 2]
    expect(mapItems(items, (item) => item)).toBe(items)
  })

  it('that change leave the others where they were, and the given list as it was', () => {
    const items = [1, 2, 3]
    expect(mapItems(items, (item, index) => (index === 1 ? 20 : item))).toEqual([1, 20, 3])
    expect(items).toEqual([1, 2, 3])
  })
})
