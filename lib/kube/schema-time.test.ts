import { describe, expect, it } from 'vitest'
import { canonicalTime, problemOfTime } from './schema-time'

const SECONDS = 'startTime'
const MICRO = 'renewTime'
const AS = 'as "2006-01-02T15:04:05Z07:00"'
const AS_MICRO = 'as "2006-01-02T15:04:05.000000Z07:00"'

describe('a time is refused in the words of its decoder', () => {
  it.each<[string, string, string | undefined]>([
    ['2020-01-01T00:00:00Z', SECONDS, undefined],
    ['2020-01-01T00:00:00.5+02:00', SECONDS, undefined],
    ['2020-01-01T00:00:00.000001Z', MICRO, undefined],
    ['soon', SECONDS, `parsing time "soon" ${AS}: cannot parse "soon" as "2006"`],
    ['2020-01-01', SECONDS, `parsing time "2020-01-01" ${AS}: cannot parse "" as "T"`],
    ['2020-01-01T00:00:00', SECONDS, `parsing time "2020-01-01T00:00:00" ${AS}: cannot parse "" as "Z07:00"`],
    ['2020-01-01T00:00:00Z', MICRO, `parsing time "2020-01-01T00:00:00Z" ${AS_MICRO}: cannot parse "Z" as ".000000"`],
    ['2020-13-01T00:00:00Z', SECONDS, 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2021-02-29T00:00:00Z', SECONDS, 'parsing time "2021-02-29T00:00:00Z": day out of range'],
    ['2020-01-01T24:00:00Z', SECONDS, 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
    ['2020-01-01T00:00:00Zulu', SECONDS, 'parsing time "2020-01-01T00:00:00Zulu": extra text: "ulu"'],
  ])('%s in %s', (text, name, problem) => {
    expect(problemOfTime(text, name)).toBe(problem)
  })
})

it('a day exists if and only if the calendar has it', () => {
  for (const year of ['0000', '1900', '2000', '2023', '2024', '2100'])
    for (let month = 1; month <= 12; month++)
      for (let day = 28; day <= 31; day++) {
        const date = `${year}-${String(month).padStart(2, '0')}-${day}`
        const isThere = new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
        expect([date, problemOfTime(`${date}T00:00:00Z`, SECONDS) === undefined]).toEqual([date, isThere])
      }
})

describe('a time is kept in UTC, as exactly as its field holds it', () => {
  it.each<[unknown, string, unknown]>([
    ['2020-01-01T00:00:00.9Z', SECONDS, '2020-01-01T00:00:00Z'],
    ['2020-01-01T01:00:00+02:00', SECONDS, '2019-12-31T23:00:00Z'],
    ['2020-01-01T01:00:00.123456+01:00', MICRO, '2020-01-01T00:00:00.123456Z'],
    [null, MICRO, null],
  ])('%s in %s', (value, name, kept) => {
    expect(canonicalTime(value, name)).toBe(kept)
  })
})
