/** The handlers of each channel in this process. */
import type { Stop } from '@/lib/std/clock'

export type MessageHandler = (message: string) => void

export class Channels {
  readonly #handlers = new Map<string, Set<MessageHandler>>()
  readonly #onError: (error: unknown) => void

  /** `onError` gets the errors of handlers; the other handlers still get the message. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  get names(): readonly string[] {
    return [...this.#handlers.keys()]
  }

  /** Adds a handler. A function that is added twice is called twice. */
  listen(channel: string, handler: MessageHandler): Stop {
    const own: MessageHandler = (message) => handler(message)
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(own))
    return () => {
      handlers.delete(own)
      if (handlers.size === 0 && this.#handlers.get(channel) === handlers) this.#handlers.delete(channel)
    }
  }

  /** Calls the current handlers. */
  deliver(channel: string, message: string): void {
    for (const handler of new Set(this.#handlers.get(channel))) {
      try {
        handler(message)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  clear(): void {
    this.#handlers.clear()
  }
}
