import type { StoredEntry } from './entry'

/** The current objects of one bucket, by key and in key order. */
export class Shelf {
  readonly #entries = new Map<string, StoredEntry>()
  #keys: string[] = []
  #sorted = true

  get size(): number {
    return this.#entries.size
  }

  get(key: string): StoredEntry | undefined {
    return this.#entries.get(key)
  }

  set(key: string, entry: StoredEntry): void {
    if (!this.#entries.has(key)) this.#insert(key)
    this.#entries.set(key, entry)
  }

  delete(key: string): void {
    if (!this.#entries.delete(key)) return
    this.#sort()
    this.#keys.splice(lowerBound(this.#keys, key), 1)
  }

  /** The entries whose key starts with `prefix`, in key order. */
  range(prefix = ''): StoredEntry[] {
    this.#sort()
    const found: StoredEntry[] = []
    for (let index = prefix ? lowerBound(this.#keys, prefix) : 0; index < this.#keys.length; index++) {
      const key = this.#keys[index] as string
      if (!key.startsWith(prefix)) break
      found.push(this.#entries.get(key) as StoredEntry)
    }
    return found
  }

  /** Appending in order is the common case while a file loads; only then is the order restored later, once. */
  #insert(key: string): void {
    const last = this.#keys.at(-1)
    if (last === undefined || last < key || !this.#sorted) {
      this.#keys.push(key)
      this.#sorted &&= last === undefined || last < key
      return
    }
    this.#keys.splice(lowerBound(this.#keys, key), 0, key)
  }

  #sort(): void {
    if (this.#sorted) return
    this.#keys.sort(compareKeys)
    this.#sorted = true
  }

  /** Takes a key without keeping the order; it is restored at the next read. For loading only. */
  load(key: string, entry: StoredEntry): void {
    if (!this.#entries.has(key)) {
      this.#keys.push(key)
      this.#sorted = false
    }
    this.#entries.set(key, entry)
  }
}

/** Keys in the order of their code units; keys are ASCII, so this is the order of their bytes. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The index of the first element that is not less than `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}
