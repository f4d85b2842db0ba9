import type { Stop } from '@/lib/std/clock'

/** Notifies its listeners of changed ids. */
export class Signal {
  readonly #listeners = new Set<(id: string) => void>()

  listen(listener: (id: string) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  emit(id: string): void {
    for (const listener of this.#listeners) listener(id)
  }
}
