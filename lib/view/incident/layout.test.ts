import { describe, expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import { areaPath, axisOf, gained, linePath, placeOn, ticksOf } from './layout'
import { forecastOf } from './outcome'
import { replayOf } from './replay'
import { Steps } from './steps'

const START = Date.parse('2026-11-21T09:00:00.000Z')
const empty = (endedAt?: string) =>
  replayOf({
    cluster: 'm1',
    since: new Date(START).toISOString(),
    ...(endedAt !== undefined && { endedAt }),
    now: new Date(START + 3_600_000).toISOString(),
    readiness: {},
    partial: false,
    truncated: false,
    entries: [],
  })

function stepsOf(changes: readonly (readonly [number, number])[]): Steps<number> {
  const steps = new Steps<number>()
  for (const [at, value] of changes) steps.push(at, value)
  return steps
}

describe('steps', () => {
  test('hold from their time on, and the last of one time wins', () => {
    const steps = stepsOf([
      [10, 1],
      [10, 2],
      [20, 3],
    ])
    expect([9, 10, 19, 20, 99].map((at) => steps.at(at))).toEqual([undefined, 2, 2, 3, 3])
  })

  test('look up what a search from the front finds', () => {
    const times = fc.array(fc.tuple(fc.nat(100), fc.nat(5)), { maxLength: 30 })
    fc.assert(
      fc.property(times, fc.nat(110), (changes, at) => {
        const sorted = changes.toSorted(([a], [b]) => a - b)
        expect(stepsOf(sorted).at(at)).toBe(sorted.findLast(([time]) => time <= at)?.[1])
      }),
    )
  })
})

describe('the axis', () => {
  test('leaves out a cluster that came back long after its workloads had recovered', () => {
    const back = new Date(START + 7_200_000).toISOString()
    expect(axisOf(empty(back)).to - START).toBeLessThan(60_000)
    const soon = new Date(START + 15_000).toISOString()
    expect(axisOf(empty(soon)).to).toBeGreaterThan(START + 15_000)
  })

  test('has round ticks, never more than there is room for', () => {
    const axis = { from: START - 1234, to: START + 100_000 }
    expect(ticksOf(axis, 8).map((at) => (at - START) / 1000)).toEqual([0, 15, 30, 45, 60, 75, 90])
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 90 * 86_400_000 }), fc.integer({ min: 2, max: 20 }), (span, most) => {
        expect(ticksOf({ from: START, to: START + span }, most).length).toBeLessThanOrEqual(most + 1)
      }),
    )
  })

  test('puts times between its ends and keeps others at the edge', () => {
    const place = placeOn({ from: 0, to: 100 }, 500)
    expect([-5, 0, 50, 100, 200].map(place)).toEqual([0, 0, 250, 500, 500])
  })
})

describe('areas', () => {
  const frame = { axis: { from: 0, to: 100 }, width: 100, height: 10, most: 10, until: 100 }
  const steps = stepsOf([
    [20, 5],
    [60, 10],
  ])
  const whole = { steps, before: 0, lower: () => 0, upper: (value: number) => value }

  test('go up in steps and end where nothing more is known', () => {
    expect(linePath(whole, { ...frame, until: 80 })).toBe('M0 10H20V5H60V0H80')
    expect(areaPath(whole, frame)).toBe('M0 10H20V5H60V0H100V10H60V10H20V10H0Z')
  })

  test('are empty where they have no height', () => {
    expect(areaPath({ ...whole, upper: () => 0 }, frame)).toBe('')
  })

  test('of 100,000 changes have at most a corner for each pixel', () => {
    const many = stepsOf(Array.from({ length: 100_000 }, (_, index) => [index / 1000, index % 7] as const))
    expect(areaPath({ ...whole, steps: many }, frame).length).toBeLessThan(6000)
  })

  test('taken over by a cluster begin at zero', () => {
    const lane = new Steps<{ ready: number; starting: number; lost: number }>()
    lane.push(10, { ready: 3, starting: 2, lost: 0 })
    lane.push(20, { ready: 5, starting: 0, lost: 0 })
    expect(gained({ clusters: 1, steps: lane, before: 3 }).steps.values.map(({ ready }) => ready)).toEqual([0, 2])
  })
})

describe('the forecast', () => {
  test('is absent without an estimate, and its band holds the estimate', () => {
    expect(forecastOf(empty(), START, undefined)).toBeUndefined()
    const { end, earliest, latest } = forecastOf(empty(), START, 40)!
    expect(end).toBe(START + 40_000)
    expect(earliest).toBeLessThan(end)
    expect(latest).toBeGreaterThan(end)
  })
})
