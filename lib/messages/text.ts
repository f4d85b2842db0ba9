/** From messages to text: one function for each locale, with the formats of that locale. */
import { formatsOf, type Formats } from './formats'
import { type IcuMessage, parseIcu } from './icu'
import type { Locale } from './locale'
import { type ArgsParameter, isMessage, type Message, type MessageCode, type Quantity, type Value } from './message'

/** What is wrong with a message: reported and counted, while the reader still gets a text. */
export interface MessageProblem {
  kind: 'missing' | 'argument'
  code: string
  locale: Locale
}

export interface TextOptions {
  locale: Locale
  /** Texts by code; a code that is missing here is looked up in `fallback`. */
  catalogue: Readonly<Record<string, string>>
  /** The English catalogue where it is at hand. */
  fallback?: Readonly<Record<string, string>>
  /** Asked about a code that is missing: whether its text may still come. Until then it is an ellipsis. */
  isAwaited?: (code: string) => boolean
  /** Called for each message that is missing or has arguments of a wrong type. */
  onProblem?: (problem: MessageProblem) => void
  /** IANA time zone of times in sentences; UTC where it is not known. */
  timeZone?: string
}

/** Renders messages of one locale. */
export interface Text {
  /** The text of a code. Never empty, never throws: without a text it is the name of the code in words. */
  <K extends MessageCode>(code: K, ...args: ArgsParameter<K>): string
  /** The text of a message that came as data; a plain string is given back as it is. */
  of(message: Message | string): string
  /** The text of a code that is known at run time only, or undefined where the catalogue has none. */
  find(code: string, args?: Readonly<Record<string, Value>>): string | undefined
  /** A text with marked parts (`<link>…</link>`), each drawn by the function of its name. */
  rich<N, K extends MessageCode>(
    code: K,
    args: Readonly<Record<string, Value | ((parts: (string | N)[]) => N)>>,
  ): (string | N)[]
  readonly locale: Locale
  /** Numbers, spans, times and lists on their own. */
  readonly format: Formats
}

/** Stands where a text is not known yet. */
const AWAITED = '…'

/** Makes the text function of a locale. Compiled messages are kept, so that each is parsed once. */
export function createText(options: TextOptions): Text {
  const { locale, catalogue, fallback = {}, isAwaited, onProblem, timeZone = 'UTC' } = options
  const compiled = new Map<string, IcuMessage>()
  const format = formatsOf(locale, timeZone)

  function formatOf(code: string): IcuMessage | undefined {
    const known = compiled.get(code)
    if (known) return known
    const own = Object.hasOwn(catalogue, code) ? catalogue[code] : undefined
    const source = own ?? (Object.hasOwn(fallback, code) ? fallback[code] : undefined)
    if (own === undefined) onProblem?.({ kind: 'missing', code, locale })
    if (source === undefined) return undefined
    const made = parseIcu(source, own === undefined ? 'en' : locale)
    compiled.set(code, made)
    return made
  }

  const render = <N>(code: string, args: Readonly<Record<string, unknown>>): (string | N)[] => {
    if (isAwaited !== undefined && !Object.hasOwn(catalogue, code) && isAwaited(code)) return [AWAITED]
    const form = formatOf(code)
    if (!form) return [wordsOf(code)]
    const isPlain = Object.values(args).every((value) => typeof value !== 'object')
    const values = isPlain
      ? args
      : Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueOf(value)]))
    try {
      return form.format<N>(values)
    } catch {
      onProblem?.({ kind: 'argument', code, locale })
      // The words stay readable, the argument that does not fit shows as its name.
      return [form.words.trim() || AWAITED]
    }
  }

  function valueOf(value: unknown): unknown {
    if (Array.isArray(value)) return format.list(value.map((item) => String(valueOf(item))))
    if (isMessage(value)) return of(value)
    if (typeof value === 'object' && value !== null && !(value instanceof Date)) return quantity(value as Quantity)
    return value
  }

  function quantity(value: Quantity): string {
    if ('ms' in value) return format.duration(value.ms)
    if ('time' in value) return format.timeOfDay(value.time)
    if ('moment' in value) return format.moment(value.moment)
    if ('bytes' in value) return format.bytes(value.bytes)
    if ('cpu' in value) return format.cpu(value.cpu)
    if ('delta' in value) return format.delta(value.delta)
    if ('share' in value) return format.share(value.share)
    return String(value)
  }

  const of = (sentence: Message | string): string =>
    typeof sentence === 'string' ? sentence : render(sentence.code, sentence.args ?? {}).join('')
  const find = (code: string, args: Readonly<Record<string, Value>> = {}): string | undefined =>
    Object.hasOwn(catalogue, code) || Object.hasOwn(fallback, code) ? render(code, args).join('') : undefined
  const text = (code: string, args: object = {}): string => render(code, args as Record<string, unknown>).join('')
  return Object.assign(text as never, { of, find, rich: render, locale, format }) as Text
}

/**
 * "queues.reason.OverQuota" as "Over quota": the fallback for a code without text, for example after an update
 * of the server.
 */
function wordsOf(code: string): string {
  const words = code
    .slice(code.lastIndexOf('.') + 1)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .trim()
    .toLowerCase()
  return words === '' ? AWAITED : words.charAt(0).toUpperCase() + words.slice(1)
}
