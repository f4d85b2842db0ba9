/** Times in objects, as a typed server reads and writes them: in UTC, truncated to the precision of the field. */
import { formatTime, parseTime } from '@/lib/std/clock'
import type { StructuralSchema } from './schema'

/** Times that are kept to the microsecond; all others to the second. */
const MICROSECONDS = new Set(['acquireTime', 'renewTime', 'eventTime', 'lastObservedTime'])

/** True for the schema of a point in time. */
export function isTime(schema: StructuralSchema): boolean {
  return schema.type === 'string' && schema.format === 'date-time'
}

/** Returns the time in the form of the field `name`. Invalid times stay unchanged. */
export function canonicalTime(value: unknown, name: string): unknown {
  if (typeof value === 'string' && isUsual(value, name)) return value
  const [, seconds, fraction = '', zone] = typeof value === 'string' ? (TIME.exec(value) ?? []) : []
  if (seconds === undefined) return value
  const whole = formatTime(parseTime(`${seconds}${zone}`))
  return MICROSECONDS.has(name) ? whole.replace('Z', `.${fraction.padEnd(6, '0').slice(0, 6)}Z`) : whole
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/

/** The parts of a time in order, as layouts name them. */
const PARTS: readonly [string, RegExp][] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
]
const ZONE: [string, RegExp] = ['Z07:00', /^(Z|[+-]\d\d:\d\d)/]
const ANY_FRACTION: [string, RegExp] = ['', /^([.,]\d+)?/]
const MICRO_FRACTION: [string, RegExp] = ['.000000', /^\.\d{6}/]
const RANGES = [
  ['month', 5, 12, 1],
  ['day', 8, 31, 1],
  ['hour', 11, 23, 0],
  ['minute', 14, 59, 0],
  ['second', 17, 59, 0],
] as const

/** Why a text is no time for the field called `name`, in the words of a typed server; undefined when it is one. */
export function problemOfTime(text: string, name: string): string | undefined {
  if (isUsual(text, name)) return undefined
  const fraction = MICROSECONDS.has(name) ? MICRO_FRACTION : ANY_FRACTION
  const shown = JSON.stringify(text)
  const layout = `2006-01-02T15:04:05${fraction[0]}Z07:00`
  let rest = text
  for (const [part, form] of [...PARTS, fraction, ZONE]) {
    const [found] = form.exec(rest) ?? []
    if (found === undefined) {
      return `parsing time ${shown} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`
    }
    rest = rest.slice(found.length)
  }
  if (rest !== '') return `parsing time ${shown}: extra text: ${JSON.stringify(rest)}`
  const beyond = RANGES.find(
    ([, at, most, least]) => Number(text.slice(at, at + 2)) > most || Number(text.slice(at, at + 2)) < least,
  )
  if (beyond) return `parsing time ${shown}: ${beyond[0]} out of range`
  return exists(text) ? undefined : `parsing time ${shown}: day out of range`
}

/** Nearly all times are written as they are kept, in whole seconds of UTC. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

function isUsual(text: string, name: string): boolean {
  return USUAL.test(text) && !MICROSECONDS.has(name) && (text.slice(8, 10) <= '28' || exists(text))
}

/** The thirtieth of February can be written, but never was. Computed without a `Date`: most writes have several times. */
function exists(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  if (month !== 2) return day <= (SHORT_MONTHS.has(month) ? 30 : 31)
  return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28)
}

const SHORT_MONTHS = new Set([4, 6, 9, 11])
