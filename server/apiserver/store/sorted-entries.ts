import { countWhile } from '@/lib/std/search'
import type { StoredEntry } from './entry'

/**
 * The current objects of one bucket, by key and in key order. New keys stay unsorted until the next ordered read, so
 * that writes do not pay for sorting.
 */
export class SortedEntries {
  readonly #entries = new Map<string, StoredEntry>()
  readonly #counts = new Map<string, number>()
  #keys: string[] = []
  #added: string[] = []

  get size(): number {
    return this.#entries.size
  }

  get(key: string): StoredEntry | undefined {
    return this.#entries.get(key)
  }

  set(key: string, entry: StoredEntry): void {
    if (!this.#entries.has(key)) {
      this.#added.push(key)
      this.#count(key, 1)
    }
    this.#entries.set(key, entry)
  }

  delete(key: string): void {
    if (!this.#entries.delete(key)) return
    this.#count(key, -1)
    this.#settle()
    this.#keys.splice(lowerBound(this.#keys, key), 1)
  }

  /** How many keys begin with the name of a namespace. */
  count(namespace: string): number {
    return this.#counts.get(namespace) ?? 0
  }

  /** The entries whose key starts with `prefix`, in key order. */
  range(prefix = ''): StoredEntry[] {
    this.#settle()
    const found: StoredEntry[] = []
    for (let index = prefix ? lowerBound(this.#keys, prefix) : 0; index < this.#keys.length; index++) {
      const key = this.#keys[index] as string
      if (!key.startsWith(prefix)) break
      found.push(this.#entries.get(key) as StoredEntry)
    }
    return found
  }

  #count(key: string, by: number): void {
    const slash = key.indexOf('/')
    if (slash < 0) return
    const namespace = key.slice(0, slash)
    const now = this.count(namespace) + by
    if (now > 0) this.#counts.set(namespace, now)
    else this.#counts.delete(namespace)
  }

  /** Sorts the added keys. */
  #settle(): void {
    if (this.#added.length === 0) return
    const added = this.#added.sort(compareKeys)
    this.#added = []
    if (added.length <= FEW) for (const key of added) this.#keys.splice(lowerBound(this.#keys, key), 0, key)
    else this.#keys = merged(this.#keys, added)
  }
}

/** Up to here inserting one by one is cheaper than going through everything. */
const FEW = 8

/** Two sorted lists as one. */
function merged(one: readonly string[], other: readonly string[]): string[] {
  const all: string[] = []
  let at = 0
  for (const key of other) {
    while (at < one.length && (one[at] as string) < key) all.push(one[at++] as string)
    all.push(key)
  }
  while (at < one.length) all.push(one[at++] as string)
  return all
}

/** Keys in the order of their code units; keys are ASCII, so this is the order of their bytes. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The index of the first element that is not less than `key`. */
const lowerBound = (sorted: readonly string[], key: string): number =>
  countWhile(sorted.length, (index) => sorted[index]! < key)
