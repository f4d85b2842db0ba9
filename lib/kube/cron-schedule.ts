/** Reads the schedule of a CronJob: five fields, or a word such as `@daily`. */
import { ownField } from '@/lib/std/fields'
import { err, ok, type Result } from '@/lib/std/result'

/** The moments of a schedule. Days match when both the day of the month and the weekday do, or either if none is `*`. */
export interface CronSchedule {
  minutes: ReadonlySet<number>
  hours: ReadonlySet<number>
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  weekdays: ReadonlySet<number>
  /** True when the field was written with `*` or `?`. */
  anyDay: boolean
  anyWeekday: boolean
}

/** A schedule by moments, or one that repeats after a duration (`@every 1h30m`). */
export type ParsedSchedule = CronSchedule | { everySeconds: number }

interface Bounds {
  min: number
  max: number
  names?: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: WEEKDAYS },
]
const WORDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** The schedule, or the error in the words of the API server. */
export function parseCronSchedule(text: string): Result<ParsedSchedule, string> {
  if (text.startsWith('@every ')) return parseEvery(text.slice('@every '.length))
  if (text.startsWith('@') && !Object.hasOwn(WORDS, text)) return err(`unrecognized descriptor: ${text}`)
  const fields = (ownField(WORDS, text) ?? text).split(/\s+/).filter((field) => field !== '')
  if (fields.length !== BOUNDS.length) {
    return err(`expected exactly ${BOUNDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`)
  }
  const sets: Set<number>[] = []
  for (const [index, field] of fields.entries()) {
    const values = parseField(field, BOUNDS[index]!)
    if (!values.ok) return values
    sets.push(values.value)
  }
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ]
  const isAny = (field: string): boolean => /(^|,)[*?]/.test(field)
  return ok({ minutes, hours, days, months, weekdays, anyDay: isAny(fields[2]!), anyWeekday: isAny(fields[4]!) })
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, us: 1e-6, µs: 1e-6, ns: 1e-9 }

function parseEvery(text: string): Result<ParsedSchedule, string> {
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ms|us|µs|ns|h|m|s)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    return err(`failed to parse duration @every ${text}: time: invalid duration ${JSON.stringify(text)}`)
  }
  const seconds = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNIT_SECONDS[unit!]!, 0)
  return ok({ everySeconds: Math.max(1, Math.floor(seconds)) })
}

function parseField(field: string, bounds: Bounds): Result<Set<number>, string> {
  const values = new Set<number>()
  for (const part of field.split(',').filter((piece) => piece !== '')) {
    const range = parseRange(part, bounds)
    if (!range.ok) return range
    const { start, end, step } = range.value
    for (let value = start; value <= end; value += step) values.add(value)
  }
  return ok(values)
}

interface Range {
  start: number
  end: number
  step: number
}

function parseRange(part: string, bounds: Bounds): Result<Range, string> {
  const [span = '', stepText, ...moreSlashes] = part.split('/')
  const [low = '', high, ...moreHyphens] = span.split('-')
  const any = low === '*' || low === '?'
  if (!any && moreHyphens.length > 0) return err(`too many hyphens: ${part}`)
  const start = any ? ok(bounds.min) : parseNumber(low, bounds.names)
  if (!start.ok) return start
  const stated = any ? ok(bounds.max) : high === undefined ? start : parseNumber(high, bounds.names)
  if (!stated.ok) return stated
  if (moreSlashes.length > 0) return err(`too many slashes: ${part}`)
  const step = stepText === undefined ? ok(1) : parseNumber(stepText)
  if (!step.ok) return step
  const end = stepText !== undefined && high === undefined ? bounds.max : stated.value
  return checkRange({ start: start.value, end, step: step.value }, bounds, part)
}

function checkRange(range: Range, { min, max }: Bounds, part: string): Result<Range, string> {
  const { start, end, step } = range
  if (start < min) return err(`beginning of range (${start}) below minimum (${min}): ${part}`)
  if (end > max) return err(`end of range (${end}) above maximum (${max}): ${part}`)
  if (start > end) return err(`beginning of range (${start}) beyond end of range (${end}): ${part}`)
  return step === 0 ? err(`step of range should be a positive number: ${part}`) : ok(range)
}

function parseNumber(text: string, names: readonly string[] = []): Result<number, string> {
  const named = names.indexOf(text.toLowerCase())
  if (named >= 0) return ok(names === MONTHS ? named + 1 : named)
  if (/^\+?\d+$/.test(text)) return ok(Number(text))
  if (/^-\d+$/.test(text)) return err(`negative number (${text}) not allowed: ${text}`)
  return err(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`)
}
