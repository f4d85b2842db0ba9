/** Memoizes projections by key, so that unchanged input returns the same object without work. */
import { sameItems } from '@/lib/std/same-items'
import { shareStructure } from '@/lib/std/share-structure'

interface Entry<T> {
  inputs: readonly unknown[]
  value: T
}

/**
 * Projections by key. API objects keep their identity until their resourceVersion changes, so inputs are compared by
 * reference. A recomputed value keeps all equal parts of the previous one.
 */
export class ProjectionMemo<T> {
  readonly #entries = new Map<string, Entry<T>>()

  /** Returns the memoized value if every input is unchanged, otherwise the result of `compute`. */
  get(key: string, inputs: readonly unknown[], compute: () => T): T {
    const known = this.#entries.get(key)
    if (known && sameItems(known.inputs, inputs)) return known.value
    const value = known ? shareStructure(known.value, compute()) : compute()
    this.#entries.set(key, { inputs, value })
    return value
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }
}
