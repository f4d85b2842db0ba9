/** Ages in the format of kubectl: two units if the larger one is small, otherwise one. */
import type { EpochMs } from '@/lib/std/clock'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** `45s`, `5m12s`, `90m`, `5h3m`, `30h`, `3d4h`, `50d`, `2y30d`; `<invalid>` for a time in the future. */
export function ageOf(since: EpochMs, now: EpochMs): string {
  if (Number.isNaN(since)) return '<unknown>'
  return durationText(Math.floor((now - since) / 1000))
}

/** A duration of whole seconds. */
export function durationText(seconds: number): string {
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 2 * MINUTE) return `${seconds}s`
  if (seconds < 10 * MINUTE) return two(seconds, MINUTE, 'm', 1, 's')
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`
  if (seconds < 8 * HOUR) return two(seconds, HOUR, 'h', MINUTE, 'm')
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`
  if (seconds < 8 * DAY) return two(seconds, DAY, 'd', HOUR, 'h')
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`
  if (seconds < 8 * YEAR) return two(seconds, YEAR, 'y', DAY, 'd')
  return `${Math.floor(seconds / YEAR)}y`
}

function two(...[seconds, large, largeName, small, smallName]: [number, number, string, number, string]): string {
  const rest = Math.floor((seconds % large) / small)
  return `${Math.floor(seconds / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`
}
