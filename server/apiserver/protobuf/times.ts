/** Times and durations as Go writes them in JSON. */
import { isoTime, parseTime } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'

/** RFC 3339 with microseconds: the form of `metav1.MicroTime`. */
export function microTime(seconds: number, nanos: number): string {
  const micros = String(Math.floor(nanos / 1000)).padStart(6, '0')
  return `${isoTime(seconds * 1000).slice(0, 19)}.${micros}Z`
}

/** Seconds and nanoseconds of an RFC 3339 time; undefined when it is none. */
export function secondsOf(time: string): { seconds: number; nanos: number } | undefined {
  const at = parseTime(time)
  if (Number.isNaN(at)) return undefined
  const [, fraction = ''] = /\.(\d{1,9})/.exec(time) ?? []
  return { seconds: Math.floor(at / 1000), nanos: Number(fraction.padEnd(9, '0')) }
}

const UNITS = [
  ['h', 3_600_000_000_000],
  ['m', 60_000_000_000],
  ['s', 1_000_000_000],
] as const

/** `1h0m0s`, `1.5s`, `0s` from nanoseconds: the form of `metav1.Duration`. */
export function goDuration(nanos: number): string {
  if (nanos === 0) return '0s'
  const size = Math.abs(nanos)
  const sign = nanos < 0 ? '-' : ''
  if (size < 1_000_000_000)
    return `${sign}${size >= 1_000_000 ? `${size / 1_000_000}ms` : size >= 1_000 ? `${size / 1_000}µs` : `${size}ns`}`
  const hours = Math.floor(size / UNITS[0][1])
  const minutes = Math.floor((size % UNITS[0][1]) / UNITS[1][1])
  const seconds = (size % UNITS[1][1]) / UNITS[2][1]
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`
}

const SCALES: Readonly<Record<string, number>> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 }

/** Nanoseconds of a Go duration; 0 for any other text. */
export function nanosOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g)]
  const sum = parts.reduce((total, [, amount, unit]) => total + Number(amount) * (ownField(SCALES, unit!) ?? 0), 0)
  return duration.startsWith('-') ? -sum : sum
}
