/**
 * Records which work is currently computing: where work begins, and where it continues after an awaited answer. The
 * record is global, like the event loop.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Names as in log lines. `by` is a label of metrics with few values: the name of a controller, `api` or `console`. */
export interface Work {
  by: string
  controller?: string
  key?: string
  requestId?: string
  method?: string
  path?: string
  user?: string
}

/** The value between two turns of the event loop, when no known work computes. */
export const UNKNOWN: Work = { by: 'unknown' }

/** Enough for one turn of the event loop; beyond it the earliest records are dropped. */
const KEPT = 512

/** Notes in the order of time. */
export class WorkNotes {
  readonly #works: Work[] = Array.from({ length: KEPT }, () => UNKNOWN)
  readonly #times = new Float64Array(KEPT)
  #next = 0
  #isEndScheduled = false

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly afterEventLoop: (callback: () => void) => void = (callback) => void setImmediate(callback),
  ) {}

  note(work: Work): void {
    this.#add(work)
    if (this.#isEndScheduled) return
    this.#isEndScheduled = true
    // Unrecorded work after this turn must not be attributed to this work.
    this.afterEventLoop(() => {
      this.#isEndScheduled = false
      this.#add(UNKNOWN)
    })
  }

  #add(work: Work): void {
    this.#works[this.#next] = work
    this.#times[this.#next] = this.now()
    this.#next = (this.#next + 1) % KEPT
  }

  /** The work with the longest time until the next record, between `from` and `until`. */
  longest(from: number, until: number): { work: Work; ms: number } {
    let found = { work: UNKNOWN, ms: 0 }
    let end = until
    for (let back = 1; back <= KEPT; back++) {
      const at = (this.#next - back + KEPT) % KEPT
      const time = this.#times[at] as number
      const began = Math.max(time, from)
      if (end - began > found.ms) found = { work: this.#works[at] as Work, ms: end - began }
      if (time <= from) break
      end = time
    }
    return found
  }
}

export const workNotes = new WorkNotes()

const storage = new AsyncLocalStorage<Work>()

/** Runs `act`, and everything that it starts, as this work. */
export function asWork<T>(work: Work, act: () => T): T {
  workNotes.note(work)
  return storage.run(work, act)
}

/** Records that the current work continues after waiting. */
export function workGoesOn(): void {
  const work = storage.getStore()
  if (work) workNotes.note(work)
}
