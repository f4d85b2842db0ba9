import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sameStructure, shareStructure } from './share-structure'

describe('sharing structure', () => {
  test('an equal value is the previous object', () => {
    const previous = { id: 'web', cells: [{ cluster: 'eu-1', wants: 2 }] }
    expect(shareStructure(previous, structuredClone(previous))).toBe(previous)
  })

  test('an equal part of a changed value is the previous part', () => {
    const previous = {
      cells: [
        { cluster: 'eu-1', wants: 2 },
        { cluster: 'eu-2', wants: 1 },
      ],
    }
    const shared = shareStructure(previous, {
      cells: [
        { cluster: 'eu-1', wants: 2 },
        { cluster: 'eu-2', wants: 5 },
      ],
    })
    expect(shared.cells[0]).toBe(previous.cells[0])
    expect(shared.cells[1]).toEqual({ cluster: 'eu-2', wants: 5 })
  })

  test.each([
    ['a field that went away', { a: 1, b: 2 }, { a: 1 }],
    ['a field that came', { a: 1 }, { a: 1, b: 2 }],
    ['a shorter list', [1, 2], [1]],
    ['a list instead of an object', {}, []],
    ['null instead of an object', {}, null],
  ])('%s is a difference', (_, previous, next) => {
    expect(sameStructure(previous, next)).toBe(false)
  })

  test('an absent field equals an undefined one', () => {
    expect(sameStructure({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  })

  test('the result always equals the next value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
        expect(shareStructure(previous, next)).toEqual(next)
        expect(shareStructure(next, structuredClone(next))).toEqual(next)
        expect(sameStructure(next, structuredClone(next))).toBe(true)
        expect(sameStructure(previous, next)).toBe(Object.is(shareStructure(previous, next), previous))
      }),
      { seed: 4711 },
    )
  })
})
