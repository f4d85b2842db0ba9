/** Computes the times of a schedule. */
import type { EpochMs } from '@/lib/std/clock'
import type { CronSchedule, ParsedSchedule } from './cron-schedule'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Limit of the search. Schedules without a time in it, such as 30 February, never run. */
const HORIZON_MS = 5 * 366 * DAY_MS

/** The first moment strictly after `after`, in UTC; undefined when there is none within five years. */
export function nextCronTime(schedule: ParsedSchedule, after: EpochMs): EpochMs | undefined {
  if ('everySeconds' in schedule) return Math.floor(after / 1000) * 1000 + schedule.everySeconds * 1000
  const end = after + HORIZON_MS
  let at = Math.floor(after / MINUTE_MS) * MINUTE_MS + MINUTE_MS
  while (at <= end) {
    const later = skipFrom(schedule, new Date(at))
    if (later === at) return at
    at = later
  }
  return undefined
}

/** The last moment after `after` and not after `until`; undefined when there is none. */
export function lastCronTime(
  schedule: ParsedSchedule,
  { after, until }: { after: EpochMs; until: EpochMs },
): EpochMs | undefined {
  if ('everySeconds' in schedule) {
    const times = Math.floor((until - after) / (schedule.everySeconds * 1000))
    return times > 0 ? after + times * schedule.everySeconds * 1000 : undefined
  }
  for (const span of [HOUR_MS, DAY_MS, 32 * DAY_MS, 366 * DAY_MS, HORIZON_MS]) {
    const from = Math.max(after, until - span)
    const last = lastIn(schedule, from, until)
    if (last !== undefined || from === after) return last
  }
  return undefined
}

function lastIn(schedule: ParsedSchedule, after: EpochMs, until: EpochMs): EpochMs | undefined {
  let last: EpochMs | undefined
  for (let at = nextCronTime(schedule, after); at !== undefined && at <= until; at = nextCronTime(schedule, at))
    last = at
  return last
}

/** The same moment when it is one of the schedule; otherwise the begin of the next month, day, hour or minute to look at. */
function skipFrom(schedule: CronSchedule, date: Date): EpochMs {
  const [year, month, day, hour] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()]
  if (!schedule.months.has(month + 1)) return Date.UTC(year, month + 1, 1)
  if (!matchesDay(schedule, date)) return Date.UTC(year, month, day + 1)
  if (!schedule.hours.has(hour)) return Date.UTC(year, month, day, hour + 1)
  return schedule.minutes.has(date.getUTCMinutes()) ? date.getTime() : date.getTime() + MINUTE_MS
}

function matchesDay({ days, weekdays, anyDay, anyWeekday }: CronSchedule, date: Date): boolean {
  const [day, weekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())]
  return anyDay || anyWeekday ? day && weekday : day || weekday
}
