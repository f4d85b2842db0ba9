/**
 * Time as an argument. Only the composition root and the runtime read the wall clock; all other code gets a Clock, so
 * that tests control time.
 */

/** Milliseconds since the Unix epoch. */
export type EpochMs = number

/** Stops a timer or a subscription. A second call does nothing. */
export type Stop = () => void

/** Reads the time and sets timers. */
export interface Clock {
  /** The wall-clock time. It can be set in both directions and advances while the machine sleeps. */
  now(): EpochMs
  /**
   * Whole milliseconds since an arbitrary moment. It cannot be set, and may stop while the machine sleeps. Measure ages
   * with it, never with two wall-clock times.
   */
  elapsed(): number
  /** Runs `callback` once, not before `delayMs` have passed. A pending timer must not keep the process alive. */
  after(delayMs: number, callback: () => void): Stop
}

const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * RFC 3339 in UTC with milliseconds. Never throws: durations come from users, so sums may be outside the years 0 to
 * 9999; such a time becomes the nearest one in the format, and NaN the epoch.
 */
export function isoTime(at: EpochMs): string {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, at)) || 0).toISOString()
}

/** RFC 3339 in UTC with whole seconds (truncated), the format of `metav1.Time`. Never throws, as `isoTime`. */
export function formatTime(at: EpochMs): string {
  const second = Math.floor(at / 1000) * 1000
  if (second !== latest.second) latest = { second, text: `${isoTime(second).slice(0, 19)}Z` }
  return latest.text
}

/** The second that was formatted last: consecutive calls mostly format the same one. */
let latest = { second: 0, text: '1970-01-01T00:00:00Z' }

/** Milliseconds since the epoch of an RFC 3339 text; NaN for any other text. */
export function parseTime(text: string): EpochMs {
  return Date.parse(text)
}

/** Time functions of a process or a browser. */
export interface Platform {
  now(): EpochMs
  elapsed(): number
  /** As `setTimeout`: it may fire up to a millisecond early, and at once if `delayMs` is above 2^31 - 1. */
  timer(delayMs: number, callback: () => void): Stop
}

const MAX_TIMER_MS = 2_000_000_000
/** How early a timer may fire due to rounding. A larger difference is a clock that was set back. */
const ROUNDING_MS = 2

/**
 * A clock over the platform's timers. When a callback runs, `delayMs` have passed by `elapsed`, and by `now` unless it
 * was set back. Otherwise a decision that is due at that time would be evaluated just before it, and never again.
 */
export function clockOf({ now, elapsed, timer }: Platform): Clock {
  const after = (delayMs: number, callback: () => void): Stop => {
    const [dueAt, dueElapsed] = [now() + delayMs, elapsed() + delayMs]
    let cancel: Stop
    const wait = (remainingMs: number): void => {
      const step = Math.min(Math.max(0, remainingMs), MAX_TIMER_MS)
      cancel = timer(step, () => onTimer(remainingMs - step))
    }
    const onTimer = (remainingMs: number): void => {
      if (remainingMs > 0) return wait(remainingMs)
      const earlyMs = Math.max(...[dueAt - now(), dueElapsed - elapsed()].filter((early) => early <= ROUNDING_MS))
      if (earlyMs > 0) return wait(earlyMs)
      callback()
    }
    wait(delayMs)
    return () => cancel()
  }
  return { now, elapsed, after }
}
