/** Decides how often each socket is written to: by the number of sockets, and less often while writes come late. */

/** Minimum times between two messages to one socket, and up to how many sockets they apply while writes are in time. */
const STEPS = [
  { intervalMs: 50, sockets: 20 },
  { intervalMs: 125, sockets: 1_000 },
  { intervalMs: 250, sockets: 2_500 },
  { intervalMs: 300, sockets: Infinity },
  { intervalMs: 400, sockets: Infinity },
  { intervalMs: 600, sockets: Infinity },
] as const
/** For how long writes are observed before the interval changes by a step. */
const OBSERVED_MS = 1_000
/** Writes that are later than this share of the interval are late. */
const LATE = 1
/**
 * The server cannot keep up when most writes are late, together by this share of the observed time: a single late write
 * after a quiet time is no sign of it, and when each follows its interval and is late by more, it is half of the time.
 */
const BUSY = 1 / 4
/** The interval becomes shorter again when most writes are in time by this share. */
const IN_TIME = 1 / 3
/** After this many observations in time, so that the interval does not alternate. */
const CALM = 5

const stepFor = (sockets: number): number => STEPS.findIndex((step) => sockets <= step.sockets)

/** Returns the interval for this many sockets while writes are in time. */
export const flushIntervalFor = (sockets: number): number => STEPS[stepFor(sockets)]!.intervalMs

export class FlushPace {
  #slowedBy = 0
  #since: number | undefined
  #turns = 0
  #late = 0
  #lateMs = 0
  #inTime = 0
  #calm = 0

  /** Reports whether writes came late recently. */
  get isSlowed(): boolean {
    return this.#slowedBy > 0
  }

  /** Returns the minimum time between two messages to one of this many sockets. */
  intervalFor(sockets: number): number {
    return STEPS[this.#stepFor(sockets)]!.intervalMs
  }

  /** Notes how late a write was, at an elapsed time. */
  note(lateMs: number, now: number, sockets: number): void {
    const intervalMs = this.intervalFor(sockets)
    this.#turns += 1
    if (lateMs > intervalMs * LATE) {
      this.#late += 1
      this.#lateMs += lateMs
    }
    if (lateMs < intervalMs * IN_TIME) this.#inTime += 1
    this.#since ??= now
    const observedMs = now - this.#since
    if (observedMs < OBSERVED_MS) return
    this.#calm = 2 * this.#inTime > this.#turns ? this.#calm + 1 : 0
    const isBehind = 2 * this.#late > this.#turns && this.#lateMs > observedMs * BUSY
    if (isBehind && this.#stepFor(sockets) < STEPS.length - 1) this.#slowedBy += 1
    if (this.#slowedBy > 0 && this.#calm >= CALM) {
      this.#slowedBy -= 1
      this.#calm = 0
    }
    this.#since = now
    this.#turns = 0
    this.#late = 0
    this.#lateMs = 0
    this.#inTime = 0
  }

  #stepFor(sockets: number): number {
    return Math.min(STEPS.length - 1, stepFor(sockets) + this.#slowedBy)
  }
}
