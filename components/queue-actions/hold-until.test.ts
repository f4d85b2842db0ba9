import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { message } from '@/lib/messages'
import { chooseUntil, instantOf, localMoment, wallClock } from './hold-until'

const now = Date.parse('2026-11-21T18:30:10.250Z')
const berlin = { now, zone: 'Europe/Berlin' }

describe('the end of a hold', () => {
  it.each([
    ['never', undefined],
    ['1h', '2026-11-21T19:30:10Z'],
    ['4h', '2026-11-21T22:30:10Z'],
    ['tomorrow', '2026-11-22T08:00:00Z'],
  ] as const)('for the choice %s is %s', (choice, until) => {
    expect(chooseUntil(choice, '', berlin)).toEqual(until === undefined ? {} : { until })
  })

  it('tomorrow is the day after the one that the reader’s calendar shows', () => {
    expect(chooseUntil('tomorrow', '', { now, zone: 'Asia/Tokyo' })).toEqual({ until: '2026-11-23T00:00:00Z' })
    expect(chooseUntil('tomorrow', '', { now, zone: 'America/Los_Angeles' })).toEqual({ until: '2026-11-22T17:00:00Z' })
    expect(chooseUntil('tomorrow', '', { now: Date.parse('2026-12-31T12:00:00Z'), zone: 'UTC' })).toEqual({
      until: '2027-01-01T09:00:00Z',
    })
  })

  it('tomorrow at nine is at nine also when the clocks change in the night', () => {
    expect(chooseUntil('tomorrow', '', { now: Date.parse('2026-10-24T12:00:00Z'), zone: 'Europe/Berlin' })).toEqual({
      until: '2026-10-25T08:00:00Z',
    })
    expect(chooseUntil('tomorrow', '', { now: Date.parse('2026-03-28T12:00:00Z'), zone: 'Europe/Berlin' })).toEqual({
      until: '2026-03-29T07:00:00Z',
    })
  })

  it('at a date and time is meant in the reader’s time zone', () => {
    expect(chooseUntil('custom', '2026-11-21T20:00', berlin)).toEqual({ until: '2026-11-21T19:00:00Z' })
  })

  it.each([
    ['2026-11-21T19:30', message('queues.until.past', { ago: { ms: 10_250 } })],
    ['2026-11-20T19:30', message('queues.until.past', { ago: { ms: 86_410_250 } })],
    ['', message('queues.until.missing')],
    ['tomorrow', message('queues.until.noDate')],
    ['2026-13-41T10:00', message('queues.until.noDate')],
  ])('%s is refused: %j', (text, error) => {
    expect(chooseUntil('custom', text, berlin)).toEqual({ error })
  })
})

describe('clocks', () => {
  it('show again what was chosen, in every zone and at every moment that they show', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Kiritimati',
      'Australia/Lord_Howe',
    ]
    const minutes = fc.integer({
      min: Date.parse('2024-01-01T00:00:00Z') / 60_000,
      max: Date.parse('2030-01-01T00:00:00Z') / 60_000,
    })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
        const shown = wallClock(minute * 60_000, zone)
        const at = instantOf(shown, zone)
        expect(at).toBeDefined()
        expect(wallClock(at ?? 0, zone)).toBe(shown)
      }),
      { seed: 20_261_121, numRuns: 300 },
    )
  })

  it('name their zone', () => {
    expect(localMoment('2026-11-21T19:00:00Z', 'Europe/Berlin')).toBe('2026-11-21 20:00 (Europe/Berlin)')
    expect(localMoment('soon', 'UTC')).toBe('—')
  })
})
