import { clockOf } from '@/lib/std/clock'

/** The browser's own time. */
export const browserClock = clockOf({
  now: () => Date.now(),
  timer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
})
