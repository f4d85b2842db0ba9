import { expect, test } from 'vitest'
import { createLoopLoad } from './loop-load'

/** A loop whose time passes as the test says. */
function loop() {
  let [now, active, idle] = [0, 0, 0]
  const load = createLoopLoad({ now: () => now, read: () => ({ active, idle }) })
  const pass = (worked: number, rested: number): void => {
    now += worked + rested
    active += worked
    idle += rested
  }
  return { load, pass }
}

test('answers the share of the time since the answer before', () => {
  const { load, pass } = loop()
  pass(300, 100)
  expect(load()).toBe(0.75)
  pass(0, 1000)
  expect(load()).toBe(0)
  pass(400, 0)
  expect(load()).toBe(1)
})

test('keeps its answer for a quarter of a second, so that one slow step is no load', () => {
  const { load, pass } = loop()
  pass(50, 350)
  expect(load()).toBe(0.125)
  pass(200, 0)
  expect(load()).toBe(0.125)
  pass(60, 0)
  expect(load()).toBe(1)
})

test('is 0 before any time has passed, and follows the loop of this thread', async () => {
  const load = createLoopLoad()
  expect(load()).toBe(0)
  const until = performance.now() + 300
  while (performance.now() < until);
  await new Promise(setImmediate)
  expect(load()).toBeGreaterThan(0.5)
})
