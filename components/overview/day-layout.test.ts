import { describe, expect, it } from 'vitest'
import { dayScale, dayTicks, placeSpans, readyLine } from './day-layout'

const NOW = Date.parse('2026-11-23T12:34:00Z')
const MINUTE = 60_000
const scale = dayScale(1000, NOW)
/** Read when so many were ready. */
const historyAt = (ready: number, ...points: [minutesAgo: number, missing: number][]) => ({
  since: NOW - 1440 * MINUTE,
  until: NOW,
  ready,
  points: points.map(([ago, missing]) => ({ at: NOW - ago * MINUTE, missing })),
  gaps: [],
})

describe('the picture of a day', () => {
  it('enlarges the last 15 minutes', () => {
    expect(scale.x(NOW - 1440 * MINUTE)).toBe(0)
    expect(scale.x(NOW)).toBe(1000)
    expect(scale.x(NOW - 15 * MINUTE)).toBeCloseTo(scale.split)
    expect(scale.x(NOW) - scale.x(NOW - MINUTE)).toBeGreaterThan(
      10 * (scale.x(NOW - 60 * MINUTE) - scale.x(NOW - 61 * MINUTE)),
    )
  })

  it.each([280, 400, 900, 1600])('writes times apart at %i px', (width) => {
    const ticks = dayTicks(dayScale(width, NOW))
    for (const [index, tick] of ticks.entries()) {
      expect(tick.x).toBeLessThan(width)
      if (index > 0) expect(tick.x - ticks[index - 1]!.x).toBeGreaterThan(34)
    }
  })

  it('cuts the scale where a dip is small, and says so by its base', () => {
    const facts = { ready: 1000, desired: 1000, height: 60 }
    expect(readyLine({ ...facts, history: historyAt(1000, [1440, 0], [300, 4], [290, 0]) }, scale)).toMatchObject({
      lowest: 996,
      base: 992,
    })
    expect(readyLine({ ...facts, history: historyAt(1000, [1440, 0], [300, 700], [290, 0]) }, scale)).toMatchObject({
      lowest: 300,
      base: 0,
    })
    expect(readyLine({ ...facts, history: historyAt(1000, [1440, 0]) }, scale)).toMatchObject({ lowest: 1000, base: 0 })
  })

  it('ends the line at what is ready now', () => {
    const history = historyAt(23, [1440, 0], [2, 9])
    const { line, y, lowest } = readyLine({ ready: 20, desired: 32, height: 60, history }, scale)
    expect(line.endsWith(`V${Math.round(y(20) * 10) / 10}H1000`)).toBe(true)
    expect(lowest).toBe(20)
  })

  it('keeps the past as it was when the history is older than the present number', () => {
    const facts = { desired: 35, height: 60, history: historyAt(23, [1440, 0], [3, 19], [2, 9]) }
    const [before, after] = [readyLine({ ...facts, ready: 23 }, scale), readyLine({ ...facts, ready: 32 }, scale)]
    expect([before.lowest, after.lowest]).toEqual([13, 13])
    const past = (line: string) => line.slice(0, line.lastIndexOf('H1000V'))
    expect(past(after.line)).toBe(past(before.line))
  })

  it('draws neither line nor area for times without observations', () => {
    const begun = NOW - 5 * MINUTE
    const gaps = [
      { from: NOW - 1440 * MINUTE, to: begun },
      { from: NOW - 3 * MINUTE, to: NOW - 2 * MINUTE },
    ]
    const facts = { ready: 30, desired: 32, height: 60 }
    const points = historyAt(30, [1440, 32], [1380, 32], [5, 4], [2, 0])
    const { line, area, lowest } = readyLine({ ...facts, history: { ...points, gaps } }, scale)
    const drawn = [...line.matchAll(/M([\d.]+) [^M]*H([\d.]+)(?=M|$)/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ])
    const x = (ago: number) => Math.round(scale.x(NOW - ago * MINUTE) * 10) / 10
    expect(drawn).toEqual([
      [x(5), x(3)],
      [x(2), 1000],
    ])
    expect(Math.min(...[...area.matchAll(/[MH]([\d.]+)/g)].map(([, at]) => Number(at)))).toBe(x(5))
    expect(lowest).toBe(26)
  })

  it('shows a day of which nothing was observed as such', () => {
    const gaps = [{ from: NOW - 1440 * MINUTE, to: NOW }]
    const { line, area } = readyLine(
      { ready: 1, desired: 1, height: 60, history: { ...historyAt(1, [1440, 0]), gaps } },
      scale,
    )
    expect([line, area]).toEqual(['', ''])
  })

  it('writes words only where they lie over nothing', () => {
    const spans = [
      { id: 'a', from: NOW - 800 * MINUTE, to: NOW - 790 * MINUTE, words: 80 },
      { id: 'b', from: NOW - 780 * MINUTE, to: NOW - 770 * MINUTE, words: 80 },
      { id: 'c', from: NOW - MINUTE, words: 80 },
      { id: 'old', from: NOW - 3000 * MINUTE, to: NOW - 2900 * MINUTE, words: 80 },
    ]
    const placed = placeSpans(spans, scale)
    expect(placed.map(({ id, label }) => [id, label?.anchor])).toEqual([
      ['a', 'end'],
      ['b', 'start'],
      ['c', 'end'],
    ])
  })
})
