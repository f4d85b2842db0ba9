/** Keeps what a socket brings in its order although some of it takes a moment to unpack. */
import type { FrameData, FrameMessage } from './live'

/** The text of a frame that is not one already; a promise where that takes a moment. */
export type ReadFrame = (frame: Uint8Array) => string | Promise<string>

export interface FrameQueueOptions {
  read: ReadFrame
  onMessage: (message: FrameMessage) => void
  /** Told when a frame cannot be read; nothing after it is delivered until `clear`. */
  onDamage: (error: unknown) => void
}

/** Delivers at once while nothing waits. */
export class FrameQueue {
  readonly #options: FrameQueueOptions
  #waiting: (FrameData | (() => void))[] = []
  #isReading = false
  /** Counts lost connections: what was unpacked for an earlier one is of no use. */
  #life = 0

  constructor(options: FrameQueueOptions) {
    this.#options = options
  }

  /** Frames, in order. */
  push(frames: readonly FrameData[]): void {
    this.#waiting.push(...frames)
    this.#work()
  }

  /** Something that must not overtake the frames before it. */
  pushAct(act: () => void): void {
    this.#waiting.push(act)
    this.#work()
  }

  /** Forgets what waits. */
  clear(): void {
    this.#life += 1
    this.#waiting = []
    this.#isReading = false
  }

  #work(): void {
    while (!this.#isReading) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      if (typeof next === 'function') next()
      else this.#take(next)
    }
  }

  #take(frame: FrameData): void {
    try {
      const text = typeof frame === 'string' ? frame : this.#options.read(frame)
      if (typeof text === 'string') this.#deliver(text)
      else this.#await(text)
    } catch (error) {
      this.#fail(error)
    }
  }

  #await(text: Promise<string>): void {
    const life = this.#life
    this.#isReading = true
    const isCurrent = (): boolean => life === this.#life
    text
      .then((read) => {
        if (!isCurrent()) return
        this.#isReading = false
        this.#deliver(read)
        this.#work()
      })
      .catch((error: unknown) => isCurrent() && this.#fail(error))
  }

  #deliver(text: string): void {
    this.#options.onMessage(JSON.parse(text) as FrameMessage)
  }

  #fail(error: unknown): void {
    this.#isReading = true
    this.#options.onDamage(error)
  }
}
