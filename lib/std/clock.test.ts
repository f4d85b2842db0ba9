import { describe, expect, it } from 'vitest'
import { clockOf } from './clock'

const START = 1_000_000

/** A platform whose timers fire when the test says so, however early or late. */
function platform() {
  let time = START
  let setBy = 0
  const pending: { delayMs: number; callback: () => void }[] = []
  const clock = clockOf({
    now: () => time + setBy,
    elapsed: () => time - START,
    timer: (delayMs, callback) => {
      const own = { delayMs, callback }
      pending.push(own)
      return () => void (pending.includes(own) && pending.splice(pending.indexOf(own), 1))
    },
  })
  return {
    clock,
    delays: () => pending.map(({ delayMs }) => delayMs),
    set: (byMs: number) => {
      setBy += byMs
    },
    fireAt: (at: number) => {
      time = at
      pending.shift()?.callback()
    },
  }
}

describe('clockOf', () => {
  it('calls once the time has come', () => {
    const { clock, delays, fireAt } = platform()
    const calls: number[] = []
    clock.after(5_000, () => calls.push(clock.now() - START))
    expect(delays()).toEqual([5_000])
    fireAt(START + 5_003)
    expect(calls).toEqual([5_003])
    expect(delays()).toEqual([])
  })

  it('waits for the rest when the timer of the platform is a millisecond early', () => {
    const { clock, delays, fireAt } = platform()
    const calls: number[] = []
    clock.after(5_000, () => calls.push(clock.now() - START))
    fireAt(START + 4_999)
    expect([calls, delays()]).toEqual([[], [1]])
    fireAt(START + 5_000)
    expect([calls, delays()]).toEqual([[5_000], []])
  })

  it('does not wait for a clock that was set back', () => {
    const { clock, delays, fireAt, set } = platform()
    let calls = 0
    clock.after(5_000, () => {
      calls += 1
    })
    set(-3_600_000)
    fireAt(START + 5_000)
    expect([calls, delays()]).toEqual([1, []])
  })

  it('is not early by elapsed time either when the clock was set', () => {
    const { clock, delays, fireAt, set } = platform()
    const calls: number[] = []
    clock.after(5_000, () => calls.push(clock.elapsed()))
    set(3_600_000)
    fireAt(START + 4_999)
    expect([calls, delays()]).toEqual([[], [1]])
    fireAt(START + 5_000)
    expect(calls).toEqual([5_000])
  })

  it('can be stopped, also while it waits for the rest', () => {
    const { clock, delays, fireAt } = platform()
    const stop = clock.after(5_000, () => expect.unreachable('it was stopped'))
    fireAt(START + 4_999)
    stop()
    stop()
    expect(delays()).toEqual([])
  })

  it('divides what is longer than a timer of the platform can be', () => {
    const { clock, delays, fireAt } = platform()
    let calls = 0
    clock.after(5_000_000_000, () => {
      calls += 1
    })
    const steps: number[] = []
    for (let at = START; delays().length > 0; fireAt(at)) {
      const [step = 0] = delays()
      steps.push(step)
      at += step
    }
    expect(calls).toBe(1)
    expect(steps).toEqual([2_000_000_000, 2_000_000_000, 1_000_000_000])
  })

  it('treats a delay that has passed as none', () => {
    const { clock, delays } = platform()
    clock.after(-5, () => undefined)
    expect(delays()).toEqual([0])
  })
})
