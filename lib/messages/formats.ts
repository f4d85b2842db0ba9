/** Numbers, spans, times and lists as a locale writes them. */
import { isoTime, type EpochMs, parseTime } from '../std/clock'
import type { Locale } from './locale'

export interface Formats {
  /** Groups thousands: `12,345`. The sign of a negative number is a real minus. */
  count(count: number): string
  /** A difference, always with its sign: `+2`, `−3`, and `0`. */
  delta(delta: number): string
  /** A share of 1: `0%`, `0.4%`, `12%`. Below one per cent with one digit more, so that little is not nothing. */
  share(part: number): string
  /** Whole per cent of `part` in `whole`; `—` when there is no whole. */
  percent(part: number, whole: number): string
  /** `a`, `a and b`, `a, b and c`; what is beyond `most` is counted. */
  list(items: readonly string[], most?: number): string
  /** The two largest units, cut: `4 m 12 s`, `3 d 4 h`, `8 s`. Negative spans count as zero. */
  duration(milliseconds: number): string
  /** How long ago an RFC 3339 time was: `4 m 12 s`; `—` when there is no such time. Clock skew shows as `0 s`. */
  age(time: string | undefined, now: EpochMs): string
  /** `4 m 12 s ago`; `in 5 m` for a time that lies ahead by more than clocks differ; `—` for what is no time. */
  ago(time: string, now: EpochMs): string
  /** The time of day of an RFC 3339 time: `09:14:02`. */
  timeOfDay(time: string): string
  /** Date and time of day: `2026-11-21 09:14:02`. */
  moment(time: string): string
  /** Milli-CPU as cores: `0.25`, `1.5`, `16`. */
  cpu(milli: number): string
  /** Bytes in the largest binary unit that leaves at least 1: `512 MiB`, `1.5 GiB`. */
  bytes(bytes: number): string
}

interface Words {
  units: readonly (readonly [name: string, seconds: number])[]
  /** Between a number and its unit, and between two of those. */
  space: string
  ago: (span: string) => string
  ahead: (span: string) => string
  more: (count: string) => string
}

const WORDS: Record<Locale, Words> = {
  en: {
    units: [
      ['d', 86_400],
      ['h', 3_600],
      ['m', 60],
      ['s', 1],
    ],
    space: ' ',
    ago: (span) => `${span} ago`,
    ahead: (span) => `in ${span}`,
    more: (count) => `${count} more`,
  },
  'zh-CN': {
    units: [
      ['天', 86_400],
      ['小时', 3_600],
      ['分', 60],
      ['秒', 1],
    ],
    space: ' ',
    ago: (span) => `${span}前`,
    ahead: (span) => `${span}后`,
    more: (count) => `另外 ${count} 个`,
  },
}

const NONE = '—'
const MINUS = '\u2212'
const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const
/** Clocks that differ by less than this agree, in milliseconds. */
const SAME_CLOCK_MS = 30_000

/** The formats of a locale; times are given in the time zone. */
export function formatsOf(locale: Locale, timeZone: string): Formats {
  const { units, space, ago, ahead, more } = WORDS[locale]
  const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' })
  // Most items are names in Latin script: 和 would touch them.
  const joined = (items: readonly string[]): string => (locale === 'en' ? lists.format(items) : items.join('、'))
  const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const clock = timeZone === 'UTC' ? undefined : zonedClock(timeZone)
  const iso = (time: string): string | undefined => {
    const at = parseTime(time)
    if (Number.isNaN(at)) return undefined
    return clock ? clock(at) : isoTime(at).slice(0, 19).replace('T', ' ')
  }

  function duration(milliseconds: number): string {
    let seconds = Math.max(0, Math.floor(milliseconds / 1000))
    const first = units.findIndex(([, size]) => seconds >= size)
    if (first < 0) return `0${space}${units.at(-1)![0]}`
    const parts: string[] = []
    for (const [name, size] of units.slice(first, first + 2)) {
      const count = Math.floor(seconds / size)
      seconds -= count * size
      if (count > 0) parts.push(`${count}${space}${name}`)
    }
    return parts.join(' ')
  }
  const count = (amount: number): string => counts.format(amount).replace('-', MINUS)

  return {
    count,
    delta: (delta) => (delta > 0 ? `+${count(delta)}` : count(delta)),
    share: (part) => shareOf(part),
    percent: (part, whole) => (whole > 0 ? `${Math.round((part / whole) * 100)}%` : NONE),
    list: (items, most = Infinity) =>
      joined(items.length > most ? [...items.slice(0, most), more(count(items.length - most))] : items),
    duration,
    age: (time, now) => {
      const at = time === undefined ? Number.NaN : parseTime(time)
      return Number.isNaN(at) ? NONE : duration(now - at)
    },
    ago: (time, now) => {
      const at = parseTime(time)
      if (Number.isNaN(at)) return NONE
      return at - now > SAME_CLOCK_MS ? ahead(duration(at - now)) : ago(duration(now - at))
    },
    timeOfDay: (time) => iso(time)?.slice(11) ?? NONE,
    moment: (time) => iso(time) ?? NONE,
    // Grouped like the counts beside it, and without fractions, which are too small to matter there.
    cpu: (milli) => (milli < 1_000_000 ? shortNumber(milli / 1000) : count(Math.round(milli / 1000))),
    bytes: bytesOf,
  }
}

/** Writes `2026-11-21 09:14:02` in a zone: the same digits in every locale, as logs and kubectl write them. */
function zonedClock(timeZone: string): (at: EpochMs) => string {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => form.format(at)
}

function shareOf(part: number): string {
  const percent = part * 100
  return percent > 0 && percent < 1 ? `${Math.max(0.1, Number(percent.toFixed(1)))}%` : `${Math.round(percent)}%`
}

function bytesOf(bytes: number): string {
  let value = Math.abs(bytes)
  let unit = 0
  while (value >= 1024 && unit < BINARY.length - 1) {
    value /= 1024
    unit++
  }
  return `${shortNumber(bytes < 0 ? -value : value)} ${BINARY[unit]}`
}

/** At most two digits behind the point for small numbers, one up to 100, none above. */
function shortNumber(value: number): string {
  const size = Math.abs(value)
  return String(Number(value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)))
}
