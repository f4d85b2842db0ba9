import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTime, parseTime } from '@/lib/std/clock'
import { type ParsedSchedule, parseCronSchedule } from './cron-schedule'
import { lastCronTime, nextCronTime } from './cron-times'

function schedule(text: string): ParsedSchedule {
  const parsed = parseCronSchedule(text)
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}
const next = (text: string, after: string): string | undefined => {
  const at = nextCronTime(schedule(text), parseTime(after))
  return at === undefined ? undefined : formatTime(at)
}

test.each([
  ['every minute', '* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
  ['seconds are cut', '* * * * *', '2026-01-01T00:00:59Z', '2026-01-01T00:01:00Z'],
  ['a moment itself has passed', '30 4 * * *', '2026-01-01T04:30:00Z', '2026-01-02T04:30:00Z'],
  ['the next hour', '15 * * * *', '2026-01-01T03:20:00Z', '2026-01-01T04:15:00Z'],
  ['the next month', '0 0 1 * *', '2026-01-15T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['the next year', '0 0 1 1 *', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['a weekday', '0 9 * * 1', '2026-01-01T00:00:00Z', '2026-01-05T09:00:00Z'],
  ['either of day and weekday', '0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ['a leap day', '0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['a word', '@hourly', '2026-01-01T00:10:00Z', '2026-01-01T01:00:00Z'],
  ['a duration', '@every 90s', '2026-01-01T00:00:10Z', '2026-01-01T00:01:40Z'],
])('%s', (_what, text, after, expected) => {
  expect(next(text, after)).toBe(expected)
})

test('a day that never comes has no moment', () => {
  expect(next('0 0 30 2 *', '2026-01-01T00:00:00Z')).toBeUndefined()
})

test('the last moment is found without walking through all of them', () => {
  const [after, until] = [parseTime('2006-01-01T00:00:00Z'), parseTime('2026-06-15T12:30:30Z')]
  const last = (text: string) => lastCronTime(schedule(text), { after, until })
  expect(last('* * * * *')).toBe(parseTime('2026-06-15T12:30:00Z'))
  expect(last('0 0 1 1 *')).toBe(parseTime('2026-01-01T00:00:00Z'))
  expect(last('@every 1h')).toBe(parseTime('2026-06-15T12:00:00Z'))
  expect(lastCronTime(schedule('0 0 1 1 *'), { after: parseTime('2026-01-01T00:00:00Z'), until })).toBeUndefined()
})

test('the last moment before one is the one whose next is after it', () => {
  const texts = ['*/7 * * * *', '5 3 * * *', '0 12 1,15 * *', '30 6 * * 2', '0 0 1 */3 *']
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.integer({ min: 0, max: 400 * 86_400 }), (text, seconds) => {
      const after = parseTime('2025-01-01T00:00:00Z')
      const until = after + seconds * 1000
      const last = lastCronTime(schedule(text), { after, until })
      const following = nextCronTime(schedule(text), last ?? after)
      return (last === undefined || (last > after && last <= until)) && following !== undefined && following > until
    }),
    { seed: 1, numRuns: 100 },
  )
})
