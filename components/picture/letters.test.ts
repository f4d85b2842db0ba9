import { expect, test } from 'vitest'
import { lettersOf } from './letters'

test('a Chinese character takes nearly the room of two letters', () => {
  expect(lettersOf('member1')).toBe(7)
  expect(lettersOf('首次驱逐')).toBeCloseTo(7.6)
  expect(lettersOf('加上 NoExecute 污点')).toBeCloseTo(15 + 4 * 0.9)
})
