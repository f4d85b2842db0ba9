import { describe, expect, test } from 'vitest'
import { decideExpiry } from './ttl'

const now = Date.parse('2026-01-01T00:00:10Z')

describe('time to live', () => {
  const noFinishTime = 'finish time should not be nil'
  test.each([
    ['none keeps it', undefined, '2026-01-01T00:00:00Z', { act: 'keep' }],
    ['one that has not passed waits', 30, '2026-01-01T00:00:00Z', { act: 'wait', remainingMs: 20_000 }],
    ['one that ends now deletes', 10, '2026-01-01T00:00:00Z', { act: 'delete' }],
    ['zero deletes at once', 0, '2026-01-01T00:00:10Z', { act: 'delete' }],
    ['without a finish time it is an error', 10, undefined, { act: 'refuse', message: noFinishTime }],
  ])('%s', (_name, ttl, finishTime, verdict) => {
    expect(decideExpiry(ttl, finishTime, now)).toEqual(verdict)
  })
})
