import { clockOf } from '@/lib/std/clock'

/** The browser's own time. */
export const browserClock = clockOf({
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  timer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
})
