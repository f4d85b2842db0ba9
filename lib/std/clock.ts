/**
 * Time as an argument. Nothing below the composition root and the runtime reads the wall clock; it is handed a
 * Clock instead, so that tests move time by hand.
 */

/** Milliseconds since the Unix epoch. */
export type EpochMs = number

/** Stops something that was set up: a timer, a subscription. Calling it twice does nothing. */
export type Stop = () => void

/** Reads the time and sets timers. */
export interface Clock {
  /** What time it is. Somebody may set it, back or forth, and it goes on while the machine sleeps. */
  now(): EpochMs
  /**
   * Milliseconds since some moment, whole ones. Nobody can set it, and it may stand still while the machine sleeps: how long
   * ago something was is measured with it, never with two times of day.
   */
  elapsed(): number
  /** Runs `callback` once, not before `delayMs` have passed. A pending timer must not keep the process alive. */
  after(delayMs: number, callback: () => void): Stop
}

const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * RFC 3339 in UTC with milliseconds. Never throws: durations come from users, so sums of them leave the years 0 to 9999
 * that the form has; such a moment is the nearest one that can be written, and NaN the epoch.
 */
export function isoTime(at: EpochMs): string {
  return new Date(Math.min(LATEST, Math.max(EARLIEST, at)) || 0).toISOString()
}

/** RFC 3339 in UTC with whole seconds (cut, not rounded), the form of `metav1.Time`. Never throws, as `isoTime`. */
export function formatTime(at: EpochMs): string {
  return `${isoTime(Math.floor(at / 1000) * 1000).slice(0, 19)}Z`
}

/** Milliseconds since the epoch of an RFC 3339 text; NaN when it is none. */
export function parseTime(text: string): EpochMs {
  return Date.parse(text)
}

/** Time as a process or a browser has it. */
export interface Platform {
  now(): EpochMs
  elapsed(): number
  /** As `setTimeout`: it may fire up to a millisecond early by both, and at once when `delayMs` is above 2^31 - 1. */
  timer(delayMs: number, callback: () => void): Stop
}

const LONGEST_TIMER_MS = 2_000_000_000
/** What a timer may be early, by counting in other milliseconds. More than that is a clock that was set back. */
const ROUNDING_MS = 2

/**
 * A clock over the platform's timers. Whoever is called finds that `delayMs` have passed by `elapsed`, and by `now`, unless
 * that was set back meanwhile: a decision that is due at a time would otherwise be looked at just before it, and then never.
 */
export function clockOf({ now, elapsed, timer }: Platform): Clock {
  const after = (delayMs: number, callback: () => void): Stop => {
    const [dueAt, dueElapsed] = [now() + delayMs, elapsed() + delayMs]
    let cancel: Stop
    const wait = (remainingMs: number): void => {
      const step = Math.min(Math.max(0, remainingMs), LONGEST_TIMER_MS)
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
