/** A clock that advances only when its owner moves it: for tests, and for control planes in accelerated time. */
import type { Clock, EpochMs, Stop } from './clock'

export interface SimulatedClock extends Clock {
  /** Moves time on and runs the timers that fall due, in their order, each at its own time. */
  advance(ms: number): void
  /** Sets the time of day alone, back or forth by so much, as a person or a time server does. */
  set(byMs: number): void
  /** Timers that wait. */
  readonly timers: number
  /** When the next of them falls due, in the time of day; undefined while none waits. */
  readonly nextDue: EpochMs | undefined
}

interface Timer {
  due: number
  order: number
  /** Undefined once it ran or was stopped. */
  callback: (() => void) | undefined
}

/** Begins on 2026-01-01 at midnight UTC unless told otherwise. */
export function createSimulatedClock(start: EpochMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  return new Simulated(start)
}

class Simulated implements SimulatedClock {
  readonly #heap: Timer[] = []
  #live = 0
  #elapsed = 0
  #order = 0

  constructor(private base: EpochMs) {}

  now = (): EpochMs => this.base + this.#elapsed
  elapsed = (): number => this.#elapsed
  set = (byMs: number): void => {
    this.base += byMs
  }

  get timers(): number {
    return this.#live
  }

  get nextDue(): EpochMs | undefined {
    const first = this.#first()
    return first && this.base + first.due
  }

  after = (delayMs: number, callback: () => void): Stop => {
    // Whole milliseconds, as timers have them: a fraction is lost in a time of day, which then never reaches it.
    const due = this.#elapsed + Math.ceil(Math.max(0, delayMs))
    const timer: Timer = { due, order: this.#order++, callback }
    this.#push(timer)
    this.#live += 1
    return () => {
      if (timer.callback) this.#end(timer)
    }
  }

  advance = (ms: number): void => {
    const until = this.#elapsed + ms
    for (let timer = this.#first(); timer && timer.due <= until; timer = this.#first()) {
      const { callback, due } = timer
      this.#elapsed = Math.max(this.#elapsed, due)
      this.#end(timer)
      callback?.()
    }
    this.#elapsed = until
  }

  /** The timer that falls due next; stopped ones before it are dropped. */
  #first(): Timer | undefined {
    while (this.#heap[0] && !this.#heap[0].callback) this.#pop()
    return this.#heap[0]
  }

  #end(timer: Timer): void {
    timer.callback = undefined
    this.#live -= 1
    // Timers that are stopped long before they are due would fill the memory otherwise.
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#live) this.#rebuild()
  }

  #rebuild(): void {
    const live = this.#heap.filter(({ callback }) => callback)
    this.#heap.length = 0
    for (const timer of live) this.#push(timer)
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBefore(heap[parent]!, timer)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const least = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left
      if (isBefore(last, heap[least]!)) break
      heap[at] = heap[least]!
      at = least
    }
    heap[at] = last
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)
