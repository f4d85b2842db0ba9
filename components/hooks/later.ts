/** Loads code that the first paint does not need, after the page is rendered; failed loads are repeated. */
import type { Clock } from '@/lib/std/clock'

/** After this time it is asked for again. */
const RETRY_MS = 2000

/**
 * A lazily loaded module. It is fetched at the first `want`; failed attempts are repeated, for example while the server
 * restarts. `onFailure` is called after each of them.
 */
export class Later<T> {
  #value: T | undefined
  #wanted = false
  readonly #listeners = new Set<() => void>()

  constructor(
    private readonly load: () => Promise<T>,
    private readonly clock: Pick<Clock, 'after'>,
    private readonly onFailure: () => void = () => undefined,
  ) {}

  /** What was fetched; undefined as long as it is not there. */
  readonly get = (): T | undefined => this.#value

  /** Subscribes to the load. Returns a function that unsubscribes. */
  readonly subscribe = (notify: () => void): (() => void) => {
    this.#listeners.add(notify)
    return () => this.#listeners.delete(notify)
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
        for (const notify of this.#listeners) notify()
      },
      () => {
        this.clock.after(RETRY_MS, () => this.#fetch())
        this.onFailure()
      },
    )
  }
}
