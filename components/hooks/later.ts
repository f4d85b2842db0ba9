/** Code that the first paint does without: fetched once the page stands, asked for again when that failed. */
import type { Clock } from '@/lib/std/clock'

/** After this time it is asked for again. */
const RETRY_MS = 2000

/**
 * One piece of code. It is fetched at the first `want`, and from then on until it is there: an attempt that fails, say
 * because the server is away, is followed by another.
 */
export class Later<T> {
  #value: T | undefined
  #wanted = false
  readonly #told = new Set<() => void>()

  constructor(
    private readonly load: () => Promise<T>,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  /** What was fetched; undefined as long as it is not there. */
  readonly get = (): T | undefined => this.#value

  /** Tells when it is there. Returns how not to be told. */
  readonly subscribe = (tell: () => void): (() => void) => {
    this.#told.add(tell)
    return () => this.#told.delete(tell)
  }

  readonly want = (): void => {
    if (this.#wanted) return
    this.#wanted = true
    this.#fetch()
  }

  #fetch(): void {
    this.load().then(
      (value) => {
        this.#value = value
        for (const tell of this.#told) tell()
      },
      () => {
        this.clock.after(RETRY_MS, () => this.#fetch())
      },
    )
  }
}
