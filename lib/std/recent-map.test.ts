import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentMap } from './recent-map'

test('the latest keys are remembered with their latest values', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(20), { maxLength: 200 }), (least, keys) => {
      const map = new RecentMap<number, number>(least)
      for (const [at, key] of keys.entries()) map.set(key, at)
      const latest = [...new Set(keys.toReversed())].slice(0, least)
      expect(latest.map((key) => map.get(key))).toEqual(latest.map((key) => keys.lastIndexOf(key)))
    }),
  )
})

test('of older keys less than as many again are remembered', () => {
  const map = new RecentMap<number, boolean>(10)
  for (let key = 0; key < 1000; key += 1) {
    map.set(key, true)
    const remembered = Array.from({ length: key + 1 }, (_, known) => map.get(known)).filter(Boolean)
    expect(remembered.length).toBeLessThan(20)
  }
})
