import { describe, expect, test } from 'vitest'
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatCount,
  formatCpu,
  formatDelta,
  formatDuration,
  formatMoment,
  formatNumberOf,
  formatPercent,
  formatReplicas,
  formatTimeOfDay,
  joinWords,
} from '.'

describe('durations', () => {
  test.each([
    [-5_000, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [1_000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 m'],
    [252_000, '4 m 12 s'],
    [3_600_000, '1 h'],
    [3_605_000, '1 h'],
    [7_380_000, '2 h 3 m'],
    [273_600_000, '3 d 4 h'],
  ])('%d ms reads %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))

  test.each([
    ['2026-11-21T09:14:02Z', '4 m 12 s ago'],
    ['2026-11-21T09:18:40Z', '0 s ago'],
    ['2026-11-21T10:00:00Z', 'in 41 m 46 s'],
    ['yesterday', '—'],
  ])('%s is %s', (time, text) => expect(formatAgo(time, Date.parse('2026-11-21T09:18:14Z'))).toBe(text))

  test.each([
    ['2026-11-21T09:14:02Z', '4 m 12 s'],
    ['2026-11-21T10:00:00Z', '0 s'],
    [undefined, '—'],
    ['yesterday', '—'],
  ])('the age of %s is %s', (time, text) => expect(formatAge(time, Date.parse('2026-11-21T09:18:14Z'))).toBe(text))

  test('a moment reads in UTC', () => {
    expect(formatTimeOfDay('2026-11-21T09:14:02+01:00')).toBe('08:14:02')
    expect(formatMoment('2026-11-21T09:14:02Z')).toBe('2026-11-21 09:14:02')
  })
})

describe('figures', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1234, '1,234'],
    [1234567, '1,234,567'],
    [-1234, '−1,234'],
  ])('the count %d reads %s', (count, text) => expect(formatCount(count)).toBe(text))
  test.each([
    [2, '+2'],
    [-3, '−3'],
    [0, '0'],
  ])('the difference %d reads %s', (delta, text) => expect(formatDelta(delta)).toBe(text))
  test.each([
    [1, '1 cluster'],
    [0, '0 clusters'],
    [1200, '1,200 clusters'],
  ])('%d clusters read %s', (count, text) => expect(formatNumberOf(count, 'cluster')).toBe(text))
  test.each([
    [250, '0.25'],
    [1500, '1.5'],
    [16_000, '16'],
    [123_400, '123'],
    [0, '0'],
  ])('%d milli-CPU are %s cores', (milli, text) => expect(formatCpu(milli)).toBe(text))
  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1610612736, '1.5 GiB'],
    [68719476736, '64 GiB'],
    [2 ** 60, '1 EiB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
  test.each([
    [1, 4, '25%'],
    [0, 0, '—'],
    [2, 3, '67%'],
  ])('%d of %d is %s', (part, whole, text) => expect(formatPercent(part, whole)).toBe(text))
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j joins to "%s"', (words, text) => expect(joinWords(words)).toBe(text))
  test('a long list is cut and counted', () => expect(joinWords(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more'))
})

describe('a distribution', () => {
  test('replicas per cluster', () => {
    expect(
      formatReplicas([
        { cluster: 'member1', replicas: 2 },
        { cluster: 'member2', replicas: 1 },
      ]),
    ).toBe('member1 2 · member2 1')
    expect(formatReplicas([])).toBe('nowhere')
  })
})
