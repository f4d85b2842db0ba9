/** How far something was scrolled, in pixels. */
export interface Position {
  top: number
  left: number
}

/** As many entries as one goes back to. */
const MOST = 100

/** Scroll positions of this tab's pages, by entry of the browser's history. */
export class ScrollMemory {
  readonly #positions: Map<string, Position>

  /** `kept`: the output of `write` before a reload; other values count as empty. */
  constructor(kept: string | null) {
    this.#positions = new Map(read(kept))
  }

  recall(key: string): Position | undefined {
    return this.#positions.get(key)
  }

  /** The latest note counts; the oldest are forgotten. */
  note(key: string, position: Position): void {
    this.#positions.delete(key)
    this.#positions.set(key, position)
    const [oldest] = this.#positions.keys()
    if (this.#positions.size > MOST && oldest !== undefined) this.#positions.delete(oldest)
  }

  write(): string {
    return JSON.stringify([...this.#positions])
  }
}

function read(kept: string | null): [string, Position][] {
  try {
    const entries: unknown = JSON.parse(kept ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, Position] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false
  const position = entry[1] as Partial<Position> | null | undefined
  return typeof position?.top === 'number' && typeof position.left === 'number'
}
