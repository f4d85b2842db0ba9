import type { Clock } from '@/lib/std/clock'

/** The least time between two announcements. */
export const QUIET_MS = 5000

/**
 * Announces sentences through `say`, the first immediately. Sentences within five seconds of the last announcement are
 * announced together afterwards, each once.
 */
export class Announcements {
  readonly #clock: Clock
  readonly #say: (text: string) => void
  #waiting: string[] = []
  #quiet = false

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock
    this.#say = say
  }

  readonly announce = (sentence: string): void => {
    this.#waiting = [...this.#waiting.filter((each) => each !== sentence), sentence]
    if (!this.#quiet) this.#flush()
  }

  #flush(): void {
    this.#quiet = this.#waiting.length > 0
    if (!this.#quiet) return
    this.#say(this.#waiting.join(' '))
    this.#waiting = []
    this.#clock.after(QUIET_MS, () => this.#flush())
  }
}
