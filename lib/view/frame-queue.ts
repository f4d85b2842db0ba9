/** Keeps the frames of a socket in order, although some take time to decompress. */
import type { FrameData, FrameMessage } from './live'

/** Returns the text of a frame; a promise if it must be decompressed. */
export type ReadFrame = (frame: Uint8Array) => string | Promise<string>

export interface FrameQueueOptions {
  read: ReadFrame
  onMessage: (message: FrameMessage) => void
  /** Called when a frame cannot be read; later frames are not delivered until `clear`. */
  onDamage: (error: unknown) => void
}

/** Delivers frames immediately while none is pending. */
export class FrameQueue {
  readonly #options: FrameQueueOptions
  #waiting: (FrameData | (() => void))[] = []
  #isReading = false
  /** Counts lost connections; frames decompressed for an earlier one are discarded. */
  #life = 0

  constructor(options: FrameQueueOptions) {
    this.#options = options
  }

  /** Adds frames, in order. */
  push(frames: readonly FrameData[]): void {
    this.#waiting.push(...frames)
    this.#work()
  }

  /** Adds a callback that must not overtake earlier frames. */
  pushAct(act: () => void): void {
    this.#waiting.push(act)
    this.#work()
  }

  /** Discards pending frames. */
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
