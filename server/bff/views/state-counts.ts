/** How many rows of a collection are in each state, for each scope. */
import type { State, StateView } from '@/lib/view/model'
import type { Scope } from '../access/access'

interface Rows {
  ids(): readonly string[]
  row(id: string, scope: Scope): { state: StateView } | undefined
}

/** The states of the rows in one scope, as of a position in the record of touched ids. */
interface Seen {
  states: Map<string, State>
  position: number
  /** Ids that were touched before the position, and not read since. */
  unread: Set<string>
}

/** A scope that missed more touched ids than this is counted as a whole again. */
const REMEMBERED = 10_000

/**
 * Counts the rows of a scope. A repeated count reads only the rows that were touched since the last one: with 10,000
 * workloads, reading all of them at each change takes all the time of a processor.
 */
export class StateCounts {
  readonly #rows: Rows
  readonly #byScope = new WeakMap<Scope, Seen>()
  /** Touched ids, oldest first, from position `#from` on. */
  #touched: string[] = []
  #from = 0

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** Notes that the row may have changed, appeared or disappeared. */
  touch(id: string): void {
    this.#touched.push(id)
    if (this.#touched.length < 2 * REMEMBERED) return
    this.#touched = this.#touched.slice(REMEMBERED)
    this.#from += REMEMBERED
  }

  /** Reads rows that were touched, until `isLong`; returns whether all are read. */
  read(scope: Scope, isLong: () => boolean): boolean {
    const { states, unread } = this.#seenIn(scope)
    for (const id of unread) {
      unread.delete(id)
      const row = this.#rows.row(id, scope)
      if (row) states.set(id, row.state.state)
      else states.delete(id)
      if (isLong()) break
    }
    return unread.size === 0
  }

  in(scope: Scope): Record<State, number> {
    this.read(scope, () => false)
    const { states } = this.#seenIn(scope)
    const counts = { ok: 0, active: 0, warn: 0, fail: 0, held: 0, unknown: 0 }
    for (const state of states.values()) counts[state] += 1
    return counts
  }

  /** What was read in the scope, with what was touched until now. */
  #seenIn(scope: Scope): Seen {
    const position = this.#from + this.#touched.length
    let seen = this.#byScope.get(scope)
    if (!seen || seen.position < this.#from) {
      seen = { states: new Map(), position, unread: new Set(this.#rows.ids()) }
      this.#byScope.set(scope, seen)
      return seen
    }
    for (let at = seen.position - this.#from; at < this.#touched.length; at++) seen.unread.add(this.#touched[at]!)
    seen.position = position
    return seen
  }
}
