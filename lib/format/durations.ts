/** Spans of time. */
import { isoTime, type EpochMs, parseTime } from '@/lib/std/clock'

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** The two largest units, cut: `4 m 12 s`, `3 d 4 h`, `8 s`. Negative spans count as zero. */
export function formatDuration(milliseconds: number): string {
  let seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  if (first < 0) return '0 s'
  const parts: string[] = []
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.join(' ')
}

/** How long ago an RFC 3339 time was: `4 m 12 s`; `—` when there is no such time. Clock skew shows as `0 s`. */
export function formatAge(time: string | undefined, now: EpochMs): string {
  const at = time === undefined ? Number.NaN : parseTime(time)
  return Number.isNaN(at) ? '—' : formatDuration(now - at)
}

/** Clocks that differ by less than this agree, in milliseconds. */
const SAME_CLOCK_MS = 30_000

/** `4 m 12 s ago`; `in 5 m` for a time that lies ahead by more than clocks differ; `—` for what is no time. */
export function formatAgo(time: string, now: EpochMs): string {
  const at = parseTime(time)
  if (Number.isNaN(at)) return '—'
  return at - now > SAME_CLOCK_MS ? `in ${formatDuration(at - now)}` : `${formatDuration(now - at)} ago`
}

/** The time of day of an RFC 3339 time, in UTC: `09:14:02`. */
export function formatTimeOfDay(time: string): string {
  const at = parseTime(time)
  return Number.isNaN(at) ? '—' : isoTime(at).slice(11, 19)
}

/** Date and time of day, in UTC: `2026-11-21 09:14:02`. */
export function formatMoment(time: string): string {
  const at = parseTime(time)
  return Number.isNaN(at) ? '—' : isoTime(at).slice(0, 19).replace('T', ' ')
}
