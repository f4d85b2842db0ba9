import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime } from './clock'
import { deepEqual } from './equal'
import { fnv1a32 } from './fnv'
import { omit } from './omit'
import { seededRng } from './rng'

describe('fnv1a32', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('%j hashes as published', (text, hash) => {
    expect(fnv1a32(text)).toBe(hash)
  })

  it('hashes the UTF-8 bytes of any text', () => {
    const overBytes = (text: string) => {
      let hash = 0x811c9dc5n
      for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn
      return Number(hash)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fnv1a32(text)).toBe(overBytes(text))
      }),
      { seed: 32 },
    )
  })
})

describe('deepEqual', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    [{ valueOf: {} }, {}, false],
    ['1', 1, false],
  ])('%j and %j: %s', (a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal)
    expect(deepEqual(b, a)).toBe(equal)
  })

  it('holds between a value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(deepEqual(value, structuredClone(value))).toBe(true)
      }),
      { seed: 1 },
    )
  })
})

describe('seededRng', () => {
  it('repeats itself for the same seed and stays in range', () => {
    const [a, b] = [seededRng(7), seededRng(7)]
    const drawn = Array.from({ length: 1000 }, () => a.below(6))
    expect(drawn).toEqual(Array.from({ length: 1000 }, () => b.below(6)))
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  })
})

describe('small tools', () => {
  it('omit leaves its argument alone', () => {
    const whole = { a: 1, b: 2 }
    expect(omit(whole, 'a')).toEqual({ b: 2 })
    expect(whole).toEqual({ a: 1, b: 2 })
  })

  it('times are cut to whole seconds', () => {
    expect(formatTime(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe('2026-01-02T03:04:05Z')
  })
})
