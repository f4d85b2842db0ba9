/** Maps that remember the latest keys. */

/**
 * Deletes the key that was set first when the map has more than `most`. For maps of which few keys are deleted, see
 * `RecentMap`.
 */
export function forgetOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

/**
 * Remembers at least the `least` keys that were set last, and less than twice as many. Takes the same time for any number of
 * keys: finding the oldest key of a `Map` takes longer the more keys were deleted before it.
 */
export class RecentMap<K, V> {
  readonly #least: number
  #latest = new Map<K, V>()
  #earlier: ReadonlyMap<K, V> = new Map()

  constructor(least: number) {
    this.#least = least
  }

  /** Does not make the key a later one. */
  get(key: K): V | undefined {
    return this.#latest.get(key) ?? this.#earlier.get(key)
  }

  set(key: K, value: V): void {
    this.#latest.set(key, value)
    if (this.#latest.size < this.#least) return
    this.#earlier = this.#latest
    this.#latest = new Map()
  }
}
