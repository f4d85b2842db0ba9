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

  in(scope: Scope): Record<State, number> {
    const { states, position } = this.#lastSeen(scope)
    const end = this.#from + this.#touched.length
    const ids = position === undefined ? this.#rows.ids() : new Set(this.#touched.slice(position - this.#from))
    for (const id of ids) {
      const row = this.#rows.row(id, scope)
      if (row) states.set(id, row.state.state)
      else states.delete(id)
    }
    this.#byScope.set(scope, { states, position: end })
    const counts = { ok: 0, active: 0, warn: 0, fail: 0, held: 0, unknown: 0 }
    for (const state of states.values()) counts[state] += 1
    return counts
  }

  #lastSeen(scope: Scope): Pick<Seen, 'states'> & Partial<Seen> {
    const known = this.#byScope.get(scope)
    return known && known.position >= this.#from ? known : { states: new Map() }
  }
}
