/** Work on one request that may take long, cut so that others are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Shorter work is not cut. */
const LONG_MS = 20

/** Counts from its making, or the last pause. */
export class LongWork {
  #began = performance.now()
  /** Reports whether others ran meanwhile: what was looked up before may have changed. */
  hasPaused = false

  /** True when it is time for a pause. Ask before you await: short work is not to leave its turn. */
  get isLong(): boolean {
    return performance.now() - this.#began >= LONG_MS
  }

  /** Lets what waits run. */
  async pause(): Promise<void> {
    await nextTurn()
    this.hasPaused = true
    this.#began = performance.now()
  }
}
