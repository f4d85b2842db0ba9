/** Work on one large object, cut so that others are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from './call'

/** Bytes of a body or an object from which on each part of the work on it is a turn of the event loop of its own. */
const LARGE = 128 * 1024
/** Shorter parts are not cut. */
const LONG_MS = 20

/** Reports whether a request has a large body; one of this process comes without. */
export const hasLargeBody = ({ value, headers }: Pick<Call, 'value' | 'headers'>): boolean =>
  value === undefined && Number(headers['content-length'] ?? LARGE) >= LARGE

export const isLarge = (size: number): boolean => size >= LARGE

/** Counts from its making, or the last pause. */
export class LongWork {
  #began: number
  /** Reports whether others ran meanwhile: what was looked up before may have changed. */
  hasPaused = false

  /** Work on small objects stays in its turn however slow the machine is: a pause lets concurrent writes fail it. */
  constructor(private readonly large: boolean) {
    this.#began = large ? performance.now() : 0
  }

  /** Reports whether a pause is due. Check before each await. */
  get isLong(): boolean {
    return this.large && performance.now() - this.#began >= LONG_MS
  }

  /** Yields to waiting work. */
  async pause(): Promise<void> {
    await nextTurn()
    this.hasPaused = true
    this.#began = performance.now()
  }
}
