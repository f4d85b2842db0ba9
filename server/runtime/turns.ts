/**
 * Keeps turns of the event loop short while many controllers work. In one process the answer to a write is known
 * within the turn, so hundreds of reconciles would follow each other without a pause, and timers, sockets and requests
 * would wait for half a second. While the garbage collector marks on every core, a turn takes two to three times as long.
 */

import type { Clock } from '@/lib/std/clock'

/** Others have to wait this long at most, if no single step takes longer. */
const LONG_MS = 5
/** Number of waiting callers that continue before one caller behind. */
const MOST_AHEAD = 9

export interface Turns {
  /** Returns undefined if the caller may continue at once; otherwise a promise to await. Callers continue in the order of their calls. */
  next(): Promise<void> | undefined
}

/** Time and the event loop, which tests replace. */
export interface EventLoop {
  /** Monotonic, in milliseconds. */
  now: () => number
  /** Calls back after timers and sockets had their turn. */
  afterOthers: (callback: () => void) => void
}

const nodeEventLoop: EventLoop = {
  now: () => performance.now(),
  afterOthers: (callback) => void setImmediate(callback),
}

export class EventLoopTurns implements Turns {
  readonly #loop: EventLoop
  readonly #waiting: (() => void)[] = []
  readonly #behind: (() => void)[] = []
  /** Callers that continued in a row while callers behind waited. */
  #ahead = 0
  /** When the present turn began; undefined before anybody asked in it. */
  #began: number | undefined

  constructor(loop: EventLoop = nodeEventLoop) {
    this.#loop = loop
  }

  next(): Promise<void> | undefined {
    return this.#nextIn(this.#waiting)
  }

  /** For callers that let all others continue first; while others wait they get every tenth place, so that they do not starve. */
  readonly behind: Turns = { next: () => this.#nextIn(this.#behind) }

  #nextIn(queue: (() => void)[]): Promise<void> | undefined {
    this.#begin()
    if (queue.length === 0 && this.#waiting.length === 0 && !this.#isLong()) return undefined
    return new Promise((resolve) => queue.push(resolve))
  }

  #begin(): void {
    if (this.#began !== undefined) return
    this.#began = this.#loop.now()
    this.#loop.afterOthers(() => {
      this.#began = undefined
      if (this.#waiting.length + this.#behind.length > 0) this.#begin()
      this.#serve()
    })
  }

  #take(): (() => void) | undefined {
    if (this.#behind.length > 0 && (this.#waiting.length === 0 || this.#ahead === MOST_AHEAD)) {
      this.#ahead = 0
      return this.#behind.shift()
    }
    this.#ahead = this.#behind.length > 0 ? this.#ahead + 1 : 0
    return this.#waiting.shift()
  }

  #isLong(): boolean {
    return this.#began !== undefined && this.#loop.now() - this.#began >= LONG_MS
  }

  /** Lets one go on, and the next when that one has computed. */
  #serve(): void {
    if (this.#isLong()) return
    const goOn = this.#take()
    if (!goOn) return
    goOn()
    // What goes on may compute only some promises later: ticks run when no promise is left to settle.
    queueMicrotask(() => process.nextTick(() => this.#serve()))
  }
}

/** Work on many rows lets others run after this time. With 40 ms, rows on screen followed a lost cluster twice as late. */
const ROWS_MS = 20

/** Tells whether work on rows that begins now has computed long enough for one turn of the event loop. */
export function turnLimit(clock: Pick<Clock, 'elapsed'>): () => boolean {
  const until = clock.elapsed() + ROWS_MS
  return () => clock.elapsed() >= until
}
