import { expect, test, vi } from 'vitest'
import { shareLatest } from './share-latest'

const sameLength = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length

test('equal inputs share one result', () => {
  const make = vi.fn((input: readonly string[]) => ({ first: input[0] }))
  const shared = shareLatest(make, sameLength)
  const one = shared(['a'])
  expect(shared(['b'])).toBe(one)
  expect(shared(['a', 'b'])).not.toBe(one)
  expect(shared(['c'])).toBe(one)
  expect(make).toHaveBeenCalledTimes(2)
})

test('only the latest inputs are kept', () => {
  const make = vi.fn((input: readonly string[]) => input.length)
  const shared = shareLatest(make, sameLength)
  for (let length = 0; length < 50; length += 1) shared(Array(length).fill('x'))
  shared(Array(49).fill('y'))
  expect(make).toHaveBeenCalledTimes(50)
  shared([])
  expect(make).toHaveBeenCalledTimes(51)
})
