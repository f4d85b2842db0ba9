/** The system clock; only the composition root and `server/testing` pass it on. */
import { clockOf } from '@/lib/std/clock'

/** Real time. Its timers do not keep the process alive. */
export const systemClock = clockOf({
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  timer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
})
