/** The system clock; only the composition root and `server/testing` pass it on. */
import { clockOf } from '@/lib/std/clock'

/**
 * Node keeps a list of timers for each duration until that has passed, also when all its timers were stopped. Thousands of
 * timers that are seconds away share some lists.
 */
const FAR_MS = 1000
const STEP_MS = 20

/** Real time. Its timers do not keep the process alive; one that is a second away or more may fire 20 ms late. */
export const systemClock = clockOf({
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  timer: (delayMs, callback) => {
    const wholeMs = delayMs < FAR_MS ? delayMs : Math.ceil(delayMs / STEP_MS) * STEP_MS
    const timer = setTimeout(callback, wholeMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
})
