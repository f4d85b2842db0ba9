import { expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { exponentialBackoff, limitedBy, tokenBucket } from './rate-limit'

test('the delay of a key doubles with every failure up to the limit, and starts anew after a success', () => {
  const backoff = exponentialBackoff<string>({ baseMs: 5, maxMs: 30 })
  expect([1, 2, 3, 4, 5].map(() => backoff.delayMs('a'))).toEqual([5, 10, 20, 30, 30])
  expect(backoff.delayMs('b')).toBe(5)
  expect(backoff.failures('a')).toBe(5)
  backoff.forget('a')
  expect(backoff.delayMs('a')).toBe(5)
})

test('many failures do not overflow', () => {
  const backoff = exponentialBackoff<string>()
  for (let i = 0; i < 2000; i += 1) backoff.delayMs('a')
  expect(backoff.delayMs('a')).toBe(1_000_000)
})

test('a bucket gives its burst at once and then one turn at a time, and fills up again', () => {
  const clock = createFakeClock()
  const bucket = tokenBucket({ perSecond: 10, burst: 3, clock })
  expect([1, 2, 3, 4, 5].map(() => bucket.reserveMs())).toEqual([0, 0, 0, 100, 200])
  clock.advance(10_000)
  expect([1, 2, 3, 4].map(() => bucket.reserveMs())).toEqual([0, 0, 0, 100])
})

test('together the longer delay counts', () => {
  const clock = createFakeClock()
  const limiter = limitedBy(
    exponentialBackoff<string>({ baseMs: 5, maxMs: 1000 }),
    tokenBucket({ perSecond: 1, burst: 1, clock }),
  )
  expect(limiter.delayMs('a')).toBe(5)
  expect(limiter.delayMs('b')).toBe(1000)
})
