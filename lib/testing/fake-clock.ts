/** A clock that advances only when a test moves it. */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'

export interface FakeClock extends Clock {
  /** Moves time on and runs the timers that fall due, in their order, each at its own time. */
  advance(ms: number): void
  /** Sets the time of day alone, back or forth by so much, as a person or a time server does. */
  set(byMs: number): void
  /** Timers that wait. */
  readonly timers: number
  /** When the next of them falls due, in the time of day; undefined while none waits. */
  readonly nextDue: EpochMs | undefined
}

interface Timer {
  due: number
  order: number
  callback: () => void
}

/** Begins on 2026-01-01 at midnight UTC unless told otherwise. */
export function createFakeClock(start: EpochMs = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Timer>()
  let elapsed = 0
  let base = start
  let order = 0
  const next = (until: EpochMs): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers) {
      if (timer.due > until) continue
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer
    }
    return first
  }
  return {
    now: () => base + elapsed,
    elapsed: () => elapsed,
    set(byMs) {
      base += byMs
    },
    get nextDue() {
      const due = next(Infinity)?.due
      return due === undefined ? undefined : base + due
    },
    after(delayMs, callback): Stop {
      // Whole milliseconds, as timers have them: a fraction is lost in a time of day, which then never reaches it.
      const timer = { due: elapsed + Math.ceil(Math.max(0, delayMs)), order: order++, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const until = elapsed + ms
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer)
        elapsed = Math.max(elapsed, timer.due)
        timer.callback()
      }
      elapsed = until
    },
    get timers() {
      return timers.size
    },
  }
}
