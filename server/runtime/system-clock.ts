/** The wall clock; only the composition root and `server/testing` hand it out. */
import type { Clock } from '@/lib/std/clock'

/** Timers wait at most this long at a time: the platform's limit is 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2_000_000_000

/** Real time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    let timer: NodeJS.Timeout
    const wait = (remaining: number): void => {
      const step = Math.min(Math.max(0, remaining), LONGEST_TIMER_MS)
      timer = setTimeout(() => (remaining > step ? wait(remaining - step) : callback()), step)
      timer.unref()
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}
