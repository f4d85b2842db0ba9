/**
 * The queue between changes and workers. Same guarantees as client-go's work queue:
 * - Fair: keys are handed out in the order in which they were added (within one priority).
 * - Stingy: a key is never processed concurrently. Added several times before processing, it is processed once; added
 * during processing, it is processed once more afterwards.
 * - Any number of producers and consumers.
 * - Shutdown: queued keys are dropped, consumers are notified, and running keys may finish.
 */
import type { Clock, Stop } from '@/lib/std/clock'

export interface WorkQueue<K> {
  /** Queues `key` for the next free worker. Higher priority first; the default is 0. */
  add(key: K, priority?: number): void
  /** Queues `key` after a delay. The shortest of several delays applies. */
  addAfter(key: K, delayMs: number): void
  /** Returns the next key; undefined after shutdown. Every returned key must be passed to `done`. */
  next(): Promise<K | undefined>
  done(key: K): void
  /** Number of keys waiting for a worker, without delayed ones. */
  readonly depth: number
  /** Number of keys handed out and not yet passed to `done`. */
  readonly active: number
  shutDown(): void
}

interface Waiting<K> {
  key: K
  priority: number
  sequence: number
}

/** A binary heap of waiting keys, ordered by priority, then by arrival. */
class WaitingHeap<K> {
  readonly #heap: Waiting<K>[] = []

  push(item: Waiting<K>): void {
    this.#heap.push(item)
    let at = this.#heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): Waiting<K> | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (first === undefined || last === undefined || this.#heap.length === 0) return first
    this.#heap[0] = last
    this.#sink()
    return first
  }

  #sink(): void {
    for (let at = 0; ;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#before(child, least)) least = child
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #before(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a] as Waiting<K>, this.#heap[b] as Waiting<K>]
    return left.priority === right.priority ? left.sequence < right.sequence : left.priority > right.priority
  }

  #swap(a: number, b: number): void {
    const item = this.#heap[a] as Waiting<K>
    this.#heap[a] = this.#heap[b] as Waiting<K>
    this.#heap[b] = item
  }
}

/** Returns an empty queue whose delays follow `clock`. */
export function createWorkQueue<K>(clock: Clock): WorkQueue<K> {
  return new DirtySetQueue<K>(clock)
}

class DirtySetQueue<K> implements WorkQueue<K> {
  readonly #heap = new WaitingHeap<K>()
  /** Keys to be reconciled, with their heap entry (none while the key is being reconciled). */
  readonly #dirty = new Map<K, { priority: number; entry: Waiting<K> | undefined }>()
  readonly #processing = new Set<K>()
  readonly #delayed = new Map<K, { due: number; cancel: Stop }>()
  #consumers: ((key: K | undefined) => void)[] = []
  #sequence = 0
  #depth = 0
  #shutDown = false

  constructor(private readonly clock: Clock) {}

  get depth(): number {
    return this.#depth
  }
  get active(): number {
    return this.#processing.size
  }

  add(key: K, priority = 0): void {
    if (this.#shutDown) return
    const known = this.#dirty.get(key)
    if (known && known.priority >= priority) return
    if (this.#processing.has(key)) {
      this.#dirty.set(key, { priority, entry: undefined })
      return
    }
    if (!known) this.#depth += 1
    this.#enqueue(key, priority)
    this.#serve()
  }

  addAfter(key: K, delayMs: number): void {
    if (this.#shutDown) return
    if (delayMs <= 0) return this.add(key)
    const due = this.clock.now() + delayMs
    const known = this.#delayed.get(key)
    if (known && known.due <= due) return
    known?.cancel()
    const cancel = this.clock.after(delayMs, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { due, cancel })
  }

  next(): Promise<K | undefined> {
    if (this.#shutDown) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#consumers.push(resolve)
      this.#serve()
    })
  }

  done(key: K): void {
    if (!this.#processing.delete(key)) return
    const again = this.#dirty.get(key)
    if (!again || this.#shutDown) return
    this.#depth += 1
    this.#enqueue(key, again.priority)
    this.#serve()
  }

  shutDown(): void {
    this.#shutDown = true
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#dirty.clear()
    this.#depth = 0
    const waiting = this.#consumers
    this.#consumers = []
    for (const consumer of waiting) consumer(undefined)
  }

  #enqueue(key: K, priority: number): void {
    const entry = { key, priority, sequence: this.#sequence++ }
    this.#dirty.set(key, { priority, entry })
    this.#heap.push(entry)
  }

  #serve(): void {
    while (this.#consumers.length > 0 && this.#depth > 0) {
      const entry = this.#heap.pop()
      if (!entry) return
      // The entry was replaced by one of higher priority.
      if (this.#dirty.get(entry.key)?.entry !== entry) continue
      this.#dirty.delete(entry.key)
      this.#processing.add(entry.key)
      this.#depth -= 1
      this.#consumers.shift()?.(entry.key)
    }
  }
}
