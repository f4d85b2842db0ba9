/** A clock that stands still until it is told to move. */
import type { Clock, EpochMs, Stop } from '@/lib/std/clock'

export interface FakeClock extends Clock {
  /** Moves time on and runs the timers that fall due, in their order, each at its own time. */
  advance(ms: number): void
  /** Timers that wait. */
  readonly timers: number
  /** When the next of them falls due; undefined while none waits. */
  readonly nextDue: EpochMs | undefined
}

interface Timer {
  due: EpochMs
  order: number
  callback: () => void
}

/** Begins on 2026-01-01 at midnight UTC unless told otherwise. */
export function createFakeClock(start: EpochMs = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Timer>()
  let now = start
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
    now: () => now,
    get nextDue() {
      return next(Infinity)?.due
    },
    after(delayMs, callback): Stop {
      const timer = { due: now + Math.max(0, delayMs), order: order++, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.due)
        timer.callback()
      }
      now = until
    },
    get timers() {
      return timers.size
    },
  }
}
