import { expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createEvictionLimiter } from './eviction-limiter'

/** Requests all keys every 100 ms, as a controller does, and returns when each was permitted, in milliseconds. */
function run(keys: readonly string[], rateAt: (ms: number) => number, lastMs: number): [key: string, ms: number][] {
  const clock = createFakeClock(0)
  const limiter = createEvictionLimiter(clock, () => rateAt(clock.now()))
  const waiting = new Set(keys)
  const served: [string, number][] = []
  for (let ms = 0; ms <= lastMs; ms += 100, clock.advance(100)) {
    for (const key of waiting) {
      if (limiter.waitMs(key) > 0) continue
      limiter.release(key)
      waiting.delete(key)
      served.push([key, ms])
    }
  }
  return served
}

test('slots come at the rate', () => {
  expect(run(['a', 'b', 'c'], () => 2, 2000)).toEqual([
    ['a', 0],
    ['b', 500],
    ['c', 1000],
  ])
})

test('a lower rate delays the waiting keys', () => {
  const served = run(['a', 'b', 'c', 'd'], (ms) => (ms < 300 ? 2 : 1), 10_000).map(([, ms]) => ms)
  expect(served).toHaveLength(4)
  expect(Math.min(...served.slice(1).map((ms, index) => ms - (served[index] ?? 0)))).toBeGreaterThanOrEqual(1000)
})

test('a rate of zero is one eviction per half hour', () => {
  const clock = createFakeClock(0)
  const limiter = createEvictionLimiter(clock, () => 0)
  expect([limiter.waitMs('a'), limiter.waitMs('b')]).toEqual([0, 1_800_000])
})

test('repeated calls reserve no other slot', () => {
  const clock = createFakeClock(0)
  const limiter = createEvictionLimiter(clock, () => 1)
  expect([limiter.waitMs('a'), limiter.waitMs('b'), limiter.waitMs('b'), limiter.waitMs('c')]).toEqual([
    0, 1000, 1000, 2000,
  ])
})
