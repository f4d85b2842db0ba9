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
  now(): EpochMs
  /** Runs `callback` once, not before `delayMs` have passed. A pending timer must not keep the process alive. */
  after(delayMs: number, callback: () => void): Stop
}

/** RFC 3339 in UTC with whole seconds (cut, not rounded), the form of `metav1.Time`. */
export function formatTime(at: EpochMs): string {
  return new Date(Math.floor(at / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

/** Milliseconds since the epoch of an RFC 3339 text; NaN when it is none. */
export function parseTime(text: string): EpochMs {
  return Date.parse(text)
}
