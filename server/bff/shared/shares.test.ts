import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { Shares } from './shares'

const HOUR = 3_600_000

function start() {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 1))
  return { clock, shares: new Shares({ clock, mostCharacters: 100 }) }
}

describe('the share of a user', () => {
  test('is full when so much was kept, and nobody else feels it', () => {
    const { shares } = start()
    shares.add('jane', 99, HOUR)
    expect(shares.fullUntil('jane')).toBeUndefined()
    shares.add('jane', 1, HOUR)
    expect(shares.fullUntil('jane')).toBeDefined()
    expect(shares.fullUntil('joe')).toBeUndefined()
  })

  test('has room again when it says, and not before what was kept is gone', () => {
    const { shares, clock } = start()
    shares.add('jane', 40, HOUR)
    clock.advance(HOUR / 2)
    shares.add('jane', 80, HOUR)
    const until = shares.fullUntil('jane')!
    expect(until).toBeGreaterThanOrEqual(clock.now() + HOUR / 2)
    clock.advance(until - clock.now() - 1)
    expect(shares.fullUntil('jane')).toBe(until)
    clock.advance(1)
    expect(shares.fullUntil('jane')).toBeUndefined()
    shares.add('jane', 20, HOUR)
    expect(shares.fullUntil('jane')).toBeDefined()
  })
})
