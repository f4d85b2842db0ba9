/**
 * ICU MessageFormat as used by the catalogue: arguments, `number`, `plural`, `select`, rich text tags and `#`. Browsers
 * load this instead of a library with date formats, skeletons and calendars.
 */

/** One piece of a message. */
type Part =
  | string
  | { readonly kind: 'value' | 'number'; readonly name: string }
  | Pound
  | { readonly kind: 'plural'; readonly name: string; readonly offset: number; readonly cases: Cases }
  | { readonly kind: 'select'; readonly name: string; readonly cases: Cases }
  | { readonly kind: 'mark'; readonly name: string; readonly parts: readonly Part[] }

type Pound = { readonly kind: 'pound' }
type Cases = Readonly<Record<string, readonly Part[]>>

/** Draws the words between `<name>` and `</name>`. */
type Draw<N> = (parts: (string | N)[]) => N

/** A parsed message. */
export interface IcuMessage {
  /** The pieces of the text; neighbouring strings are one. Throws where an argument is missing or has a wrong type. */
  format<N>(values: Readonly<Record<string, unknown>>): (string | N)[]
  /** The literal words, with `…` for each argument. */
  readonly words: string
}

/** Parses a message of a locale. Throws a SyntaxError that names the place. */
export function parseIcu(source: string, locale: string): IcuMessage {
  const parts = new Parser(source).message()
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)

  /** Appends the parts. Runs for every cell of a scrolling matrix, so it allocates nothing else. */
  function write<N>(
    out: (string | N)[],
    from: readonly Part[],
    values: Readonly<Record<string, unknown>>,
    count = Number.NaN,
  ): (string | N)[] {
    for (const part of from) {
      if (typeof part === 'string') add(out, part)
      else if (part.kind === 'pound') add(out, numberText(count))
      else writeArgument(out, part, values, count)
    }
    return out
  }

  function writeArgument<N>(
    out: (string | N)[],
    part: Exclude<Part, string | Pound>,
    values: Readonly<Record<string, unknown>>,
    count: number,
  ): void {
    if (!(part.name in values)) throw new TypeError(`argument ${part.name} is missing`)
    const value = values[part.name]
    switch (part.kind) {
      case 'value':
        return add(out, typeof value === 'string' || typeof value === 'number' ? String(value) : '')
      case 'number':
        return add(out, numberText(numberOf(value, part.name)))
      case 'select':
        return void write(out, caseOf(part.cases, String(value)), values, count)
      case 'plural': {
        const n = numberOf(value, part.name)
        const rest = n - part.offset
        const exact = Object.hasOwn(part.cases, `=${n}`) ? `=${n}` : rules.select(rest)
        return void write(out, caseOf(part.cases, exact), values, rest)
      }
      case 'mark':
        return add(out, (value as Draw<N>)(write([], part.parts, values, count)))
    }
  }

  /** Numbers below 1,000 look the same in the languages of the catalogue. */
  const numberText = (n: number): string => (Number.isInteger(n) && n >= 0 && n < 1000 ? String(n) : numbers.format(n))

  return {
    format: <N>(values: Readonly<Record<string, unknown>>) => write<N>([], parts, values),
    words: parts.map((part) => (typeof part === 'string' ? part : '…')).join(''),
  }
}

function caseOf(cases: Cases, name: string): readonly Part[] {
  return (Object.hasOwn(cases, name) ? cases[name] : cases['other']) ?? []
}

function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number') throw new TypeError(`argument ${name} is no number`)
  return value
}

/** Neighbouring strings become one. */
function add<N>(out: (string | N)[], piece: string | N): void {
  const last = out.at(-1)
  if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece
  else out.push(piece)
}

/** Recursive descent over one message; an apostrophe quotes only before a character that has a meaning, as in ICU. */
class Parser {
  #at = 0

  constructor(private readonly source: string) {}

  message(): readonly Part[] {
    const parts = this.#parts(false)
    if (this.#at < this.source.length) this.#fail()
    return parts
  }

  /** Up to the end, a `}` or a closing mark. */
  #parts(inPlural: boolean): Part[] {
    const parts: Part[] = []
    let words = ''
    const end = () => {
      if (words !== '') parts.push(words)
      words = ''
    }
    while (this.#at < this.source.length && !this.#sees(/\}|<\//y)) {
      const quoted = this.#quoted(inPlural)
      if (quoted !== undefined) {
        words += quoted
        continue
      }
      const part = this.#argument() ?? this.#mark(inPlural) ?? (inPlural && this.#take(/#/y) ? POUND : undefined)
      if (part === undefined) {
        words += this.source[this.#at++]
        continue
      }
      end()
      parts.push(part)
    }
    end()
    return parts
  }

  #quoted(inPlural: boolean): string | undefined {
    if (this.#take(/''/y)) return "'"
    const found = this.#take(inPlural ? /'(?=[{}<>#])((?:''|[^'])*)'?/y : /'(?=[{}<>])((?:''|[^'])*)'?/y)
    return found?.[1]?.replaceAll("''", "'")
  }

  #argument(): Part | undefined {
    if (!this.#take(/\{\s*/y)) return undefined
    const name = this.#need(/[\w.-]+\s*/y).trim()
    if (this.#take(/\}/y)) return { kind: 'value', name }
    const type = this.#need(/,\s*(?:number|plural|select)\s*/y)
      .slice(1)
      .trim()
    const part: Part =
      type === 'number' ? { kind: 'number', name } : type === 'plural' ? this.#plural(name) : this.#select(name)
    this.#need(/\}/y)
    return part
  }

  #plural(name: string): Part {
    this.#need(/,\s*/y)
    const offset = Number(this.#take(/offset:\s*(\d+)\s*/y)?.[1] ?? 0)
    return { kind: 'plural', name, offset, cases: this.#cases(true) }
  }

  #select(name: string): Part {
    this.#need(/,\s*/y)
    return { kind: 'select', name, cases: this.#cases(false) }
  }

  #cases(inPlural: boolean): Cases {
    const cases: Record<string, readonly Part[]> = {}
    for (let name = this.#take(/=?[\w-]+\s*/y); name; name = this.#take(/=?[\w-]+\s*/y)) {
      this.#need(/\{/y)
      cases[name[0].trim()] = this.#parts(inPlural)
      this.#need(/\}\s*/y)
    }
    if (!Object.hasOwn(cases, 'other')) this.#fail()
    return cases
  }

  #mark(inPlural: boolean): Part | undefined {
    const name = this.#take(/<([a-z][\w-]*)>/iy)?.[1]
    if (name === undefined) return undefined
    const parts = this.#parts(inPlural)
    if (this.#take(/<\/([a-z][\w-]*)>/iy)?.[1] !== name) this.#fail()
    return { kind: 'mark', name, parts }
  }

  #sees(what: RegExp): boolean {
    what.lastIndex = this.#at
    return what.test(this.source)
  }

  #take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at
    const found = what.exec(this.source) ?? undefined
    if (found) this.#at += found[0].length
    return found
  }

  #need(what: RegExp): string {
    return this.#take(what)?.[0] ?? this.#fail()
  }

  #fail(): never {
    throw new SyntaxError(`no message at ${this.#at}: ${this.source}`)
  }
}

const POUND: Pound = { kind: 'pound' }
