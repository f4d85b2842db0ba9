/**
 * Which piece of work computes at the moment: noted where work begins and where it goes on after an answer that it
 * waited for. The event loop belongs to the whole process, and so do these notes.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Named as log lines name it. `by` is one of few words, a label of metrics: the name of a loop, `api` or `console`. */
export interface Work {
  by: string
  controller?: string
  key?: string
  requestId?: string
  method?: string
  path?: string
  user?: string
}

/** What the notes hold between two turns of the event loop, when nothing that is known computes. */
export const UNKNOWN: Work = { by: 'unknown' }

/** Enough for a turn of the event loop; where a turn has more, the earliest are forgotten. */
const KEPT = 512

/** Notes in the order of time. */
export class WorkNotes {
  readonly #works: Work[] = Array.from({ length: KEPT }, () => UNKNOWN)
  readonly #times = new Float64Array(KEPT)
  #next = 0
  #turnEnds = false

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly atTurnEnd: (callback: () => void) => void = (callback) => void setImmediate(callback),
  ) {}

  note(work: Work): void {
    this.#add(work)
    if (this.#turnEnds) return
    this.#turnEnds = true
    // What computes after this turn and says nothing must not be taken for this work.
    this.atTurnEnd(() => {
      this.#turnEnds = false
      this.#add(UNKNOWN)
    })
  }

  #add(work: Work): void {
    this.#works[this.#next] = work
    this.#times[this.#next] = this.now()
    this.#next = (this.#next + 1) % KEPT
  }

  /** The work behind whose note the longest time without another one passed, within `from` and `until`. */
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

/** Says that the work at hand goes on after it waited for something. */
export function workGoesOn(): void {
  const work = storage.getStore()
  if (work) workNotes.note(work)
}
