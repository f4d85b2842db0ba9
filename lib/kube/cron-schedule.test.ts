import { describe, expect, it } from 'vitest'
import { type CronSchedule, parseCronSchedule } from './cron-schedule'

function parsed(text: string): CronSchedule {
  const result = parseCronSchedule(text)
  if (!result.ok) throw new Error(result.error)
  return result.value as CronSchedule
}

describe('a schedule', () => {
  it.each<[string, keyof CronSchedule, number[]]>([
    ['*/15 * * * *', 'minutes', [0, 15, 30, 45]],
    ['5/20 * * * *', 'minutes', [5, 25, 45]],
    ['10-14/2 * * * *', 'minutes', [10, 12, 14]],
    ['1,3,3 * * * *', 'minutes', [1, 3]],
    ['0 22-23 * * *', 'hours', [22, 23]],
    ['0 0 ? * *', 'days', Array.from({ length: 31 }, (_, day) => day + 1)],
    ['0 0 * JAN-Mar *', 'months', [1, 2, 3]],
    ['0 0 * * sun,Sat', 'weekdays', [0, 6]],
    ['@weekly', 'weekdays', [0]],
    ['@yearly', 'months', [1]],
  ])('%s has the %s %j', (text, field, values) => {
    expect([...(parsed(text)[field] as ReadonlySet<number>)].toSorted((a, b) => a - b)).toEqual(values)
  })

  it.each([
    ['0 0 * * 1', true, false],
    ['0 0 1 * *', false, true],
    ['0 0 1 * 1', false, false],
  ])('%s leaves the day open: %s, the weekday open: %s', (text, anyDay, anyWeekday) => {
    expect(parsed(text)).toMatchObject({ anyDay, anyWeekday })
  })

  it.each([
    ['@every 1h30m', 5400],
    ['@every 90s', 90],
    ['@every 1ms', 1],
  ])('%s repeats after %i seconds', (text, everySeconds) => {
    expect(parseCronSchedule(text)).toEqual({ ok: true, value: { everySeconds } })
  })
})

describe('what is no schedule', () => {
  it.each([
    ['', 'expected exactly 5 fields, found 0: []'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['@daly', 'unrecognized descriptor: @daly'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['* * __proto__ * *', 'failed to parse int from __proto__'],
  ])('%j', (text, problem) => {
    const result = parseCronSchedule(text)
    expect(result.ok ? '' : result.error).toContain(problem)
  })
})
