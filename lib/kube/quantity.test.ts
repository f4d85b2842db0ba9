import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityMilli,
  quantityValue,
  roundUpToMilli,
  subQuantity,
  tryParseQuantity,
} from './quantity'

describe('a quantity', () => {
  it.each([
    ['0', '0'],
    ['0Gi', '0'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['1500m', '1500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['3072Mi', '3Gi'],
    ['1000Ki', '1000Ki'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['0.1Ki', '102400m'],
    ['100.5Ki', '102912'],
    ['1e3', '1e3'],
    ['1000e0', '1e3'],
    ['12E2', '1200'],
    ['1000k', '1M'],
    ['10000', '10k'],
    ['1234', '1234'],
    ['-1500m', '-1500m'],
    ['+1', '1'],
    ['100n', '100n'],
    ['0.0000000001', '1n'],
    ['1000E', '1e21'],
    ['128974848', '128974848'],
    ['129e6', '129e6'],
    ['123Mi', '123Mi'],
    ['9999999999Ei', '9223372036854775807'],
  ])('%s is written %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical)
  })

  it.each(['', 'abc', '1 Gi', '1GB', '1ki', '--1', '1e', '.', '1.2.3', 'Gi', '1mi'])('%j is none', (text) => {
    expect(tryParseQuantity(text)).toBeUndefined()
    expect(() => parseQuantity(text)).toThrow(RangeError)
  })

  it.each<[string, bigint, bigint]>([
    ['1', 1n, 1000n],
    ['1m', 1n, 1n],
    ['1u', 1n, 1n],
    ['-1m', -1n, -1n],
    ['1.1', 2n, 1100n],
    ['2Gi', 2147483648n, 2147483648000n],
  ])('%s is %s units and %s thousandths, rounded away from zero', (text, value, milli) => {
    const quantity = parseQuantity(text)
    expect([quantityValue(quantity), quantityMilli(quantity)]).toEqual([value, milli])
  })

  it('keeps the format of the first summand unless that is zero', () => {
    expect(formatQuantity(addQuantity(parseQuantity('0'), parseQuantity('1Gi')))).toBe('1Gi')
    expect(formatQuantity(addQuantity(parseQuantity('1G'), parseQuantity('1Gi')))).toBe('2073741824')
    expect(formatQuantity(subQuantity(parseQuantity('1Gi'), parseQuantity('512Mi')))).toBe('512Mi')
  })

  it('rounds what a resource list cannot hold up to thousandths', () => {
    expect(formatQuantity(roundUpToMilli(parseQuantity('1u')))).toBe('1m')
  })

  it('has a canonical text that reads back as the same amount', () => {
    const suffix = fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'e-2')
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 999 }),
        suffix,
        (whole, part, unit) => {
          const quantity = parseQuantity(`${whole}.${part}${unit}`)
          const text = formatQuantity(quantity)
          expect(compareQuantity(parseQuantity(text), quantity)).toBe(0)
          expect(formatQuantity(parseQuantity(text))).toBe(text)
        },
      ),
      { seed: 20_261 },
    )
  })
})
