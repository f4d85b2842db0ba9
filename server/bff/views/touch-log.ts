/** Numbered touches of ids, in order: what was touched later is found without a look at everything else. */
import { countWhile } from '@/lib/std/search'

interface Touch {
  id: string
  /** Its number. */
  at: number
}

/** Remembers the last touch of each id. Memory: at most twice as many notes as ids. */
export class TouchLog {
  readonly #last = new Map<string, number>()
  #notes: Touch[] = []
  #count = 0

  /** The number of the last touch; 0 before the first. */
  get count(): number {
    return this.#count
  }

  touch(id: string): void {
    this.#count += 1
    this.#last.set(id, this.#count)
    this.#notes.push({ id, at: this.#count })
    if (this.#notes.length > 64 + 2 * this.#last.size) this.#notes = this.#notes.filter((note) => this.#isLast(note))
  }

  forget(id: string): void {
    this.#last.delete(id)
  }

  /** Returns the last touch of each id that was touched after that number, in order. */
  after(at: number): readonly Touch[] {
    const first = countWhile(this.#notes.length, (index) => this.#notes[index]!.at <= at)
    return this.#notes.slice(first).filter((note) => this.#isLast(note))
  }

  #isLast({ id, at }: Touch): boolean {
    return this.#last.get(id) === at
  }
}
