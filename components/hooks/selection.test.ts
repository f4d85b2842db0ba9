import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSelection, encodeSelection, MAX_INLINE_LENGTH, rangeOf, toggleIds } from './selection'

describe('a selection in the address', () => {
  it('comes back as it was, short or long', () => {
    const id = fc.stringMatching(/^[a-z0-9~/.-]{1,80}$/)
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 120 }), (ids) => {
        const store = new Map<string, string>()
        const { value, stored } = encodeSelection(ids)
        if (value !== undefined && stored !== undefined) store.set(value, stored)
        expect(decodeSelection(value, (key) => store.get(key) ?? null)).toEqual(ids)
        expect((value ?? '').length).toBeLessThanOrEqual(MAX_INLINE_LENGTH)
      }),
      { seed: 11, numRuns: 200 },
    )
  })

  it('is empty when the selected rows no longer exist', () => {
    expect(decodeSelection('@900-abc', () => null)).toEqual([])
  })
})

describe('toggling', () => {
  const cases: [name: string, selected: string[], ids: string[], result: string[]][] = [
    ['adds one', [], ['a'], ['a']],
    ['takes one away', ['a', 'b'], ['a'], ['b']],
    ['adds the missing ones of a group', ['a'], ['a', 'b'], ['a', 'b']],
    ['takes a whole group away', ['a', 'b', 'c'], ['a', 'b'], ['c']],
  ]
  it.each(cases)('%s', (_name, selected, ids, result) => {
    expect([...toggleIds(new Set(selected), ids)]).toEqual(result)
  })
})

describe('a range', () => {
  it('goes both ways and includes both ends', () => {
    expect(rangeOf(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(rangeOf(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd'])
  })
  it('is the one row when the other end is not in the list', () => {
    expect(rangeOf(['a', 'b'], 'gone', 'b')).toEqual(['b'])
  })
})
