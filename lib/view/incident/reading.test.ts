import { describe, expect, it } from 'vitest'
import type { IncidentRecord } from '../failover-model'
import { continued, isAnother, readAgainAfter } from './reading'
import { replayOf } from './replay'

const START = Date.parse('2026-11-21T09:00:00.000Z')
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

const record = (facts: Partial<IncidentRecord> = {}): IncidentRecord => ({
  cluster: 'm1',
  since: at(0),
  now: at(60),
  readiness: {},
  partial: false,
  truncated: false,
  entries: [],
  ...facts,
})
const next = (facts: Partial<IncidentRecord>, query: { since?: string; plan?: string } = {}) =>
  readAgainAfter(replayOf(record(facts)), query)

describe('the record of an incident is read', () => {
  it('each second until an end was seen', () => {
    expect(readAgainAfter(undefined, {})).toBe(1000)
    expect(next({})).toBe(1000)
  })

  it('less often after an end, which may not last', () => {
    expect(next({ endedAt: at(30) })).toBe(10_000)
    expect(next({ endedAt: at(30) }, { since: at(0) })).toBe(10_000)
  })

  it('ends when no more is recorded, unless the latest incident is requested', () => {
    const over = { endedAt: at(30), now: at(700) }
    expect(next(over, { since: at(0) })).toBe(false)
    expect(next(over, { plan: 'home' })).toBe(false)
    expect(next(over)).toBe(10_000)
  })
})

describe('a record that is read on', () => {
  const gap = (seq: number) =>
    ({ seq, at: at(seq), what: 'gap', from: at(seq - 1) }) as IncidentRecord['entries'][number]

  it('keeps known entries and adds new ones', () => {
    const merged = continued(record({ entries: [gap(1)] }), record({ entries: [gap(2)], endedAt: at(2) }))
    expect(merged.entries.map(({ seq }) => seq)).toEqual([1, 2])
    expect(merged.endedAt).toBe(at(2))
  })

  it('loses an end that did not last', () => {
    expect(continued(record({ entries: [gap(1)], endedAt: at(2) }), record())).not.toHaveProperty('endedAt')
  })

  it('is of another incident when that began at another time', () => {
    expect(isAnother(record(), record())).toBe(false)
    expect(isAnother(record(), record({ since: at(90) }))).toBe(true)
  })
})
