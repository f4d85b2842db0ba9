/** How often sockets are written to, by their number and by how late writes are. */
import { describe, expect, test } from 'vitest'
import { FlushPace, flushIntervalFor } from './flush-pace'

/** Notes a write every ten milliseconds for so many seconds, all equally late; returns the interval after each second. */
function observe(
  pace: FlushPace,
  sockets: number,
  { from, seconds, lateMs }: Record<'from' | 'seconds' | 'lateMs', number>,
) {
  return Array.from({ length: seconds }, (_, second) => {
    for (let at = 0; at <= 1_000; at += 10) pace.note(lateMs, from + second * 1_000 + at, sockets)
    return pace.intervalFor(sockets)
  })
}

test.each([
  [0, 50],
  [20, 50],
  [21, 125],
  [1_000, 125],
  [1_001, 250],
  [2_500, 250],
  [2_501, 300],
  [5_000, 300],
  [100_000, 300],
])('%i sockets are written to every %i ms at most', (sockets, intervalMs) => {
  expect(flushIntervalFor(sockets)).toBe(intervalMs)
  expect(new FlushPace().intervalFor(sockets)).toBe(intervalMs)
})

describe('while writes come late', () => {
  test.each([
    [10, [125, 250, 300, 400, 600, 600]],
    [5_000, [400, 600, 600, 600, 600, 600]],
  ])('%i sockets are written to less often each second, up to a limit', (sockets, intervals) => {
    expect(observe(new FlushPace(), sockets, { from: 0, seconds: 6, lateMs: 500 })).toEqual(intervals)
  })

  test('the interval returns once writes have been in time for some seconds', () => {
    const pace = new FlushPace()
    observe(pace, 5_000, { from: 0, seconds: 2, lateMs: 500 })
    expect(pace.isSlowed).toBe(true)
    const after = observe(pace, 5_000, { from: 2_000, seconds: 12, lateMs: 5 })
    expect(after.slice(0, 3)).toEqual([600, 600, 600])
    expect(after.at(-1)).toBe(300)
    expect(pace.isSlowed).toBe(false)
  })

  test('they count while there are few of them, too', () => {
    const pace = new FlushPace()
    for (let at = 0; at < 6_000; at += 1_100) pace.note(500, at, 10)
    expect(pace.intervalFor(10)).toBe(600)
  })

  test('a late write after a quiet time changes nothing', () => {
    const pace = new FlushPace()
    for (let at = 0; at < 60_000; at += 3_000) pace.note(110, at, 10)
    expect(pace.intervalFor(10)).toBe(50)
  })

  test('single late writes change nothing', () => {
    const pace = new FlushPace()
    for (let at = 0; at < 20_000; at += 10) pace.note(at % 100 === 0 ? 5_000 : 5, at, 5_000)
    expect(pace.intervalFor(5_000)).toBe(300)
  })
})
