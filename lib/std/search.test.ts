import { expect, test } from 'vitest'
import { countWhile } from './search'

test('finds every boundary, of no and of all elements too', () => {
  for (let count = 0; count < 40; count += 1) {
    for (let boundary = 0; boundary <= count; boundary += 1) {
      expect(countWhile(count, (index) => index < boundary)).toBe(boundary)
    }
  }
})

test('asks a logarithm of them', () => {
  let asked = 0
  countWhile(1_000_000, (index) => {
    asked += 1
    return index < 123_456
  })
  expect(asked).toBeLessThanOrEqual(20)
})
