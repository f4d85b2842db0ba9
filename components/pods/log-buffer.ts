/** The lines of a log that the page keeps: the latest ones, up to a number and a size, however long the log is. */

export interface LogEntry {
  /** Counts from the first line that came; also the key of its row. */
  index: number
  /** RFC 3339, as the cluster wrote it; absent where a line has no time. */
  at?: string
  text: string
}

export const MAX_LINES = 20_000
const MAX_CHARACTERS = 8 * 1024 * 1024
/** A longer line is cut. */
const MAX_IN_LINE = 16 * 1024

const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/

/** Takes pieces of text as they come, with the time before each line. */
export class LogBuffer {
  #lines: LogEntry[] = []
  /** Dropped from the front of `#lines`, and cut off from time to time. */
  #start = 0
  #characters = 0
  #next = 0
  #rest = ''
  #cutRest = false
  #lastAt = ''

  /** How many lines there are and how many came. */
  get total(): number {
    return this.#next
  }

  /** The time of the last line: following resumes there. */
  get lastAt(): string {
    return this.#lastAt
  }

  /** The lines that are kept, oldest first; a copy. */
  lines(): LogEntry[] {
    return this.#lines.slice(this.#start)
  }

  push(piece: string): void {
    const parts = piece.split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      this.#add(this.#rest + (this.#cutRest ? '' : part))
      this.#rest = ''
      this.#cutRest = false
    }
    if (!this.#cutRest) this.#rest += last
    if (this.#rest.length <= MAX_IN_LINE) return
    this.#rest = this.#rest.slice(0, MAX_IN_LINE)
    this.#cutRest = true
  }

  /** The log ended; what has no end of line is a line, too. */
  end(): void {
    if (this.#rest !== '') this.#add(this.#rest)
    this.#rest = ''
  }

  #add(whole: string): void {
    const found = TIMED.exec(whole)
    const at = found?.[1]
    const text = whole.slice(found?.[0].length ?? 0, MAX_IN_LINE)
    if (at !== undefined) this.#lastAt = at
    this.#lines.push({ index: this.#next, text, ...(at !== undefined && { at }) })
    this.#next += 1
    this.#characters += text.length
    this.#drop()
  }

  #drop(): void {
    while (this.#lines.length - this.#start > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      const oldest = this.#lines[this.#start]
      if (!oldest || this.#lines.length - this.#start === 1) return
      this.#characters -= oldest.text.length
      this.#start += 1
    }
    if (this.#start < MAX_LINES) return
    this.#lines = this.#lines.slice(this.#start)
    this.#start = 0
  }
}

/** The part of a list of equal rows that is on screen, with some rows around it. */
export function rowsOnScreen(scrollTop: number, height: number, rowHeight: number, count: number): [number, number] {
  const around = 20
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - around)
  return [first, Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + around)]
}
