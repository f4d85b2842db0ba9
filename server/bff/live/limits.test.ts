import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { TokenBucket } from './limits'

const taken = (bucket: TokenBucket, times: number): number =>
  Array.from({ length: times }, () => bucket.take()).filter(Boolean).length

describe('a bucket of tokens', () => {
  test('lets through so many at once, and so many more each second', () => {
    const clock = createFakeClock()
    const bucket = new TokenBucket(clock, 10, 5)
    expect(taken(bucket, 30)).toBe(10)
    clock.advance(1_000)
    expect(taken(bucket, 30)).toBe(5)
    clock.advance(60_000)
    expect(taken(bucket, 30)).toBe(10)
  })

  test.each([
    ['back', -3_600_000],
    ['forth', 3_600_000],
  ])('neither grants nor takes tokens when the clock is set %s', (_, byMs) => {
    const clock = createFakeClock()
    const bucket = new TokenBucket(clock, 10, 5)
    expect(taken(bucket, 8)).toBe(8)
    clock.set(byMs)
    expect(taken(bucket, 30)).toBe(2)
    clock.advance(1_000)
    expect(taken(bucket, 30)).toBe(5)
  })
})
