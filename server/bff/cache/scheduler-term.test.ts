import { expect, test } from 'vitest'
import type { Lease } from '@/lib/kube/kinds/lease'
import { formatTime } from '@/lib/std/clock'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { SchedulerTerm } from './scheduler-term'

/** A Lease that the test changes, and the times before which the scheduler forgot what it placed. */
function follow(acquiredBeforeMs: number) {
  const clock = createFakeClock()
  const start = clock.now()
  const state = { holderIdentity: 'a', acquireTime: formatTime(start - acquiredBeforeMs), leaseTransitions: 1 }
  const fails = { now: false }
  const restarts: number[] = []
  const read = async (): Promise<Lease> => {
    if (fails.now) throw new Error('forbidden')
    return { spec: { ...state } } as Lease
  }
  const term = new SchedulerTerm(read, clock, (before) => restarts.push(before - start))
  term.start()
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5000) {
      await Promise.resolve()
      await new Promise(setImmediate)
      clock.advance(5000)
    }
    await new Promise(setImmediate)
  }
  return { term, state, fails, restarts, pass }
}

test('a scheduler that leads for long is known at once', async () => {
  const { term, pass, restarts } = follow(600_000)
  expect(term.isKnown).toBe(false)
  await pass(0)
  expect([term.isKnown, restarts]).toEqual([true, []])
})

test('one that leads for less is known after the time in which it counts what it placed', async () => {
  const { term, pass } = follow(60_000)
  await pass(200_000)
  expect(term.isKnown).toBe(false)
  await pass(60_000)
  expect(term.isKnown).toBe(true)
})

test.each([
  ['another holder', { holderIdentity: 'b', leaseTransitions: 2 }],
  ['another time', { acquireTime: '2030-01-01T00:00:00Z' }],
  ['one more transition', { leaseTransitions: 2 }],
])('%s is a restart, which is told once', async (_name, change) => {
  const { state, pass, restarts } = follow(600_000)
  await pass(20_000)
  Object.assign(state, change)
  await pass(20_000)
  expect(restarts).toEqual([20_000])
})

test('a Lease without a holder is no restart yet', async () => {
  const { state, pass, restarts } = follow(600_000)
  await pass(10_000)
  state.holderIdentity = ''
  await pass(10_000)
  expect(restarts).toEqual([])
  Object.assign(state, { holderIdentity: 'a', leaseTransitions: 2 })
  await pass(10_000)
  expect(restarts).toEqual([10_000])
})

test('a Lease that cannot be read any more is no knowledge', async () => {
  const { term, fails, pass } = follow(600_000)
  await pass(10_000)
  fails.now = true
  await pass(25_000)
  expect(term.isKnown).toBe(false)
})
