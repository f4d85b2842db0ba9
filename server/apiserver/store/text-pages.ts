/**
 * Memory outside V8's heap for the texts of recent versions. In the heap they would live for the seconds that a version
 * is in the window: long enough to be moved to the old generation, which would be collected twice as often.
 */

const PAGE_BYTES = 1 << 20
/** Longer texts stay strings: few objects have them, and a page is to hold many. */
const MAX_UNITS = 1 << 15
const MAX_BYTES_PER_UNIT = 3
/** Enough for the window of an ordinary fleet. What a flood of larger objects needed beyond is given back. */
const FREE_PAGES = 32

export class TextPages {
  #page: Page | undefined
  readonly #free: Page[] = []

  /** Keeps a text without lone surrogates, as JSON is; undefined for one that is too long. */
  keep(text: string): PagedText | undefined {
    if (text.length > MAX_UNITS) return undefined
    let page = this.#page
    if (!page?.hasRoom(text.length * MAX_BYTES_PER_UNIT)) {
      page?.close()
      this.#page = page = this.#free.pop() ?? new Page((empty) => void this.#take(empty))
    }
    return page.add(text)
  }

  #take(empty: Page): void {
    if (this.#free.length < FREE_PAGES) this.#free.push(empty)
  }
}

/** A text in a page. */
export class PagedText {
  constructor(
    private readonly page: Page,
    private readonly start: number,
    private readonly end: number,
  ) {}

  read(): string {
    return this.page.read(this.start, this.end)
  }

  /** Call once, and read no more: the memory is used again. */
  free(): void {
    this.page.leave()
  }
}

class Page {
  readonly #bytes = Buffer.allocUnsafeSlow(PAGE_BYTES)
  readonly #onEmpty: (page: Page) => void
  #used = 0
  #texts = 0
  #isClosed = false

  constructor(onEmpty: (page: Page) => void) {
    this.#onEmpty = onEmpty
  }

  hasRoom(bytes: number): boolean {
    return this.#used + bytes <= PAGE_BYTES
  }

  add(text: string): PagedText {
    const start = this.#used
    this.#used += this.#bytes.write(text, start)
    this.#texts++
    return new PagedText(this, start, this.#used)
  }

  read(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  /** One text less. */
  leave(): void {
    this.#texts--
    this.#reuse()
  }

  /** No text is added any more. */
  close(): void {
    this.#isClosed = true
    this.#reuse()
  }

  #reuse(): void {
    if (!this.#isClosed || this.#texts > 0) return
    this.#isClosed = false
    this.#used = 0
    this.#onEmpty(this)
  }
}
