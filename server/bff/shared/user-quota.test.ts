import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { UserQuota } from './user-quota'

const HOUR = 3_600_000

function start() {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 1))
  return { clock, quota: new UserQuota({ clock, mostCharacters: 100 }) }
}

describe('the share of a user', () => {
  test('is full at its limit, which does not affect other users', () => {
    const { quota } = start()
    quota.add('jane', 99, HOUR)
    expect(quota.fullUntil('jane')).toBeUndefined()
    quota.add('jane', 1, HOUR)
    expect(quota.fullUntil('jane')).toBeDefined()
    expect(quota.fullUntil('joe')).toBeUndefined()
  })

  test('has capacity again at the announced time, after stored answers expire', () => {
    const { quota, clock } = start()
    quota.add('jane', 40, HOUR)
    clock.advance(HOUR / 2)
    quota.add('jane', 80, HOUR)
    const until = quota.fullUntil('jane')!
    expect(until).toBeGreaterThanOrEqual(clock.now() + HOUR / 2)
    clock.advance(until - clock.now() - 1)
    expect(quota.fullUntil('jane')).toBe(until)
    clock.advance(1)
    expect(quota.fullUntil('jane')).toBeUndefined()
    quota.add('jane', 20, HOUR)
    expect(quota.fullUntil('jane')).toBeDefined()
  })
})
