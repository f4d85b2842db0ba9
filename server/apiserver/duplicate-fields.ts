/**
 * Duplicate fields of a JSON text. `JSON.parse` keeps the last one silently; an API server reports them, and merges
 * duplicate objects of typed kinds.
 */

/** A text that names fields twice, read again. */
export interface Repeated {
  /** The value with every object that is given twice merged, as a typed server reads it. */
  merged: unknown
  /** Position of the second occurrence of each repeated field (`data.a`), in this order. */
  again: ReadonlyMap<string, number>
  /** Position of the first occurrence of each field. */
  first: ReadonlyMap<string, number>
}

/**
 * Duplicate fields of a text that `JSON.parse` has read as `value`; undefined without any. The usual case costs one
 * pass over the text and one over the value.
 */
export function repeatedFields(text: string, value: unknown): Repeated | undefined {
  return membersInText(text) === membersOf(value) ? undefined : new RepeatedFieldReader(text).read()
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** How many `name: value` pairs the text holds: one for each colon outside of texts. */
function membersInText(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) members++
    else if (code === QUOTE) at = closingQuote(text, at)
  }
  return members
}

function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1)
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + membersOf(item), 0)
  const children = Object.values(value)
  return children.reduce<number>((sum, child) => sum + membersOf(child), children.length)
}

/** Longer paths are restarted: a thousand nested long names would fill the memory. */
const MAX_PATH_LENGTH = 4096

type Fields = Record<string, unknown>

/** Reads a text that is known to be JSON. */
class RepeatedFieldReader {
  private at = 0
  private readonly again = new Map<string, number>()
  private readonly first = new Map<string, number>()

  constructor(private readonly text: string) {}

  read(): Repeated {
    return { merged: this.value(''), again: this.again, first: this.first }
  }

  private value(path: string, before?: unknown): unknown {
    this.skipSpace()
    const letter = this.text[this.at]
    if (letter === '{') return this.object(path, isFields(before) ? before : {})
    if (letter === '[') return this.list(path)
    return JSON.parse(this.token()) as unknown
  }

  private object(path: string, fields: Fields): Fields {
    const seen = new Set<string>()
    this.items('}', () => {
      const name = JSON.parse(this.token()) as string
      const child = path === '' || path.length > MAX_PATH_LENGTH ? name : `${path}.${name}`
      const places = seen.has(name) ? this.again : this.first
      if (!places.has(child)) places.set(child, this.at)
      const before = seen.has(name) || Object.hasOwn(fields, name) ? fields[name] : undefined
      seen.add(name)
      this.skipSpace()
      this.at += 1
      const value = this.value(child, before)
      Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true })
    })
    return fields
  }

  private list(path: string): unknown[] {
    const items: unknown[] = []
    this.items(']', () => items.push(this.value(`${path}[${items.length}]`)))
    return items
  }

  /** Calls `read` at the beginning of each item up to the closing bracket. */
  private items(close: string, read: () => void): void {
    this.at += 1
    for (;;) {
      this.skipSpace()
      const letter = this.text[this.at]
      if (letter === ',') this.at += 1
      else if (letter === close) break
      else read()
      this.skipSpace()
    }
    this.at += 1
  }

  /** A text, a number or a word. */
  private token(): string {
    this.skipSpace()
    const pattern = this.text[this.at] === '"' ? /"(?:[^"\\]|\\.)*"/sy : /[^\s,\]}:]+/y
    pattern.lastIndex = this.at
    const [token = ''] = pattern.exec(this.text) ?? []
    this.at += token.length
    return token
  }

  private skipSpace(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? '-')) this.at += 1
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
