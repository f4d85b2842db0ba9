import type { Clock } from '@/lib/std/clock'

/** The browser's own time. */
export const browserClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
