import { expect, test } from 'vitest'
import { seededRng } from './rng'
import { createSimulatedClock } from './simulated-clock'

test('timers run in the order of their time, each at its own time, and equal ones in the order they were set', () => {
  const clock = createSimulatedClock(0)
  const seen: string[] = []
  clock.after(20, () => seen.push(`b@${clock.now()}`))
  clock.after(10, () => seen.push(`a@${clock.now()}`))
  clock.after(20, () => seen.push(`c@${clock.now()}`))
  clock.advance(25)
  expect(seen).toEqual(['a@10', 'b@20', 'c@20'])
  expect(clock.now()).toBe(25)
})

test('a timer set by a timer runs in the same advance when it falls due', () => {
  const clock = createSimulatedClock(0)
  const seen: number[] = []
  clock.after(10, () => clock.after(5, () => seen.push(clock.now())))
  clock.advance(14)
  expect(seen).toEqual([])
  clock.advance(1)
  expect(seen).toEqual([15])
})

test('a stopped timer does not run', () => {
  const clock = createSimulatedClock()
  const stop = clock.after(1, () => expect.unreachable())
  stop()
  clock.advance(10)
  expect(clock.timers).toBe(0)
})

test('a timer with a fractional delay fires when the clock is advanced to `nextDue`', () => {
  const clock = createSimulatedClock()
  let calls = 0
  clock.after(0.1, () => {
    calls += 1
  })
  clock.after(150.000_01, () => {
    calls += 1
  })
  for (let steps = 0; steps < 2; steps += 1) clock.advance((clock.nextDue ?? NaN) - clock.now())
  expect(calls).toBe(2)
})

test('timers that are set and stopped in any order run by their time', () => {
  const { below } = seededRng(7)
  const clock = createSimulatedClock(0)
  const expected: [due: number, order: number][] = []
  const seen: [due: number, order: number][] = []
  for (let order = 0; order < 500; order += 1) {
    const due = below(100)
    const stop = clock.after(due, () => seen.push([clock.elapsed(), order]))
    if (below(3) === 0) stop()
    else expected.push([due, order])
  }
  expect(clock.timers).toBe(expected.length)
  clock.advance(100)
  expect(seen).toEqual(expected.toSorted(([a, first], [b, second]) => a - b || first - second))
  expect(clock.nextDue).toBeUndefined()
})
