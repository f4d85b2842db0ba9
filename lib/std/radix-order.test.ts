import { expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import { radixOrder } from './radix-order'

test('orders as by comparison, and keeps the order of equal keys', () => {
  const key = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 5000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (keys) => {
      const expected = keys.map((_, index) => index).sort((a, b) => keys[a]! - keys[b]!)
      expect([...radixOrder(Uint32Array.from(keys))]).toEqual(expected)
    }),
  )
})
