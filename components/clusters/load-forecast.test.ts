import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { forecastLoad, MIN_RECORDED_MS, REACH } from './load-forecast'
import type { LoadPoint } from './load-series'

const MINUTE = 60_000
const CAPACITY = 10_000
const START = 1_800_000_000_000

/** One amount a minute; the last one is the present. */
const series = (amounts: readonly number[], allocatable = CAPACITY): LoadPoint[] =>
  amounts.map((allocated, minute) => ({ at: START + minute * MINUTE, allocated, allocatable }))
const climb = (minutes: number, perMinute: number, begin = 1000): number[] =>
  Array.from({ length: minutes + 1 }, (_, minute) => begin + minute * perMinute)
const growing = (points: readonly LoadPoint[]) => {
  const forecast = forecastLoad(points)
  if (forecast.kind !== 'growing') throw new Error(`no growth: ${forecast.kind}`)
  return forecast
}

describe('the forecast of the requests', () => {
  it('of a steady climb is the climb, and ends where it meets the capacity', () => {
    const { low, rate, high, notBefore, recordedMs, changes } = growing(series(climb(120, 50)))
    expect(rate * MINUTE).toBeCloseTo(50, 0)
    expect(low).toBeLessThanOrEqual(rate)
    expect(high).toBeGreaterThanOrEqual(rate)
    // 7000 of 10000 are requested.
    expect((notBefore - START) / MINUTE).toBeGreaterThan(175)
    expect((notBefore - START) / MINUTE).toBeLessThanOrEqual(180)
    expect([recordedMs, changes]).toEqual([120 * MINUTE, 120])
  })

  it('has no forecast far beyond the recorded times', () => {
    const minutes = 60
    const { notBefore } = growing(series(climb(minutes, 5)))
    expect(notBefore).toBe(START + minutes * MINUTE * (1 + REACH))
  })

  it.each<[string, number[], string]>([
    ['too short a record', climb(MIN_RECORDED_MS / MINUTE - 1, 50), 'short'],
    ['too few changes', [...climb(2, 500), ...Array.from({ length: 90 }, () => 2000)], 'short'],
    ['no growth', Array.from({ length: 90 }, (_, minute) => 4000 + (minute % 2) * 10), 'none'],
    ['a decline', climb(90, -10, 9000), 'none'],
    ['growth that does not matter', climb(90, 0.5), 'none'],
    ['up and down', Array.from({ length: 120 }, (_, minute) => 4000 + 100 * Math.abs((minute % 60) - 30)), 'none'],
    ['growth that was lost at once', [...climb(120, 50), 1000, 1000], 'none'],
    ['nothing', [], 'short'],
  ])('is not made of %s', (_, amounts, kind) => {
    expect(forecastLoad(series(amounts)).kind).toBe(kind)
  })

  it('is not moved by a short failover', () => {
    const calm = climb(120, 20)
    const hit = calm.map((amount, minute) => (minute >= 60 && minute < 66 ? amount + 5000 : amount))
    expect(growing(series(hit)).rate / growing(series(calm)).rate).toBeCloseTo(1, 1)
  })

  it('counts no gap as recorded', () => {
    const points = series(climb(40, 50))
    const gap = { from: START - MINUTE, to: START + 20 * MINUTE }
    expect(forecastLoad(points, [gap])).toMatchObject({ kind: 'short', recordedMs: 20 * MINUTE })
  })

  it('is full now where the capacity is reached', () => {
    const { notBefore } = growing(series(climb(120, 100)))
    expect(notBefore).toBe(START + 120 * MINUTE)
  })
})

const amounts = fc.array(fc.integer({ min: 0, max: CAPACITY }), { minLength: 31, maxLength: 120 })

describe('whatever was recorded', () => {
  it('a forecast lies in the future, within reach, and its band around its rate', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 300 }), (noise, perMinute) => {
        const points = series(noise.map((amount, minute) => amount / 20 + minute * perMinute))
        const forecast = forecastLoad(points)
        if (forecast.kind !== 'growing') return
        const now = points.at(-1)!.at
        expect(forecast.low).toBeGreaterThan(0)
        expect(forecast.low).toBeLessThanOrEqual(forecast.rate)
        expect(forecast.rate).toBeLessThanOrEqual(forecast.high)
        expect(forecast.notBefore).toBeGreaterThanOrEqual(now)
        expect(forecast.notBefore).toBeLessThanOrEqual(now + REACH * forecast.recordedMs)
      }),
    )
  })

  it('what never grows is never forecast to grow', () => {
    fc.assert(
      fc.property(amounts, (list) => {
        expect(forecastLoad(series(list.toSorted((a, b) => b - a))).kind).not.toBe('growing')
      }),
    )
  })

  it('it does not depend on the unit, nor on the date', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 1000 }), fc.integer({ min: -9, max: 9 }), (list, unit, days) => {
        const points = series(list.toSorted((a, b) => a - b))
        const shift = days * 1440 * MINUTE
        const moved = points.map(({ at, allocated, allocatable }) => ({
          at: at + shift,
          allocated: allocated * unit,
          allocatable: allocatable * unit,
        }))
        const [here, there] = [forecastLoad(points), forecastLoad(moved)]
        expect(there.kind).toBe(here.kind)
        if (here.kind !== 'growing' || there.kind !== 'growing') return
        expect(there.rate / here.rate).toBeCloseTo(unit, 5)
        expect((there.notBefore - shift - here.notBefore) / MINUTE).toBeCloseTo(0, 3)
      }),
    )
  })
})
