import { describe, expect, test } from 'vitest'
import { parseTime } from '@/lib/std/clock'
import { SETTLING_MS, settlesUntil } from './settling'
import { sampleBinding, T0 } from './testing/samples'

const scheduledAt = parseTime(T0)
const binding = sampleBinding({ status: { lastScheduledTime: T0 } })
const never = sampleBinding({ status: { lastScheduledTime: undefined } })

describe('a workload settles', () => {
  test.each<[string, Parameters<typeof settlesUntil>[0], number | undefined]>([
    [
      'right after it was scheduled',
      { binding, manifestChangedAt: undefined, now: scheduledAt + 1000 },
      scheduledAt + SETTLING_MS,
    ],
    [
      'no longer once the grace is over',
      { binding, manifestChangedAt: undefined, now: scheduledAt + SETTLING_MS },
      undefined,
    ],
    [
      'after a manifest changed without a scheduling',
      { binding, manifestChangedAt: scheduledAt + 90_000, now: scheduledAt + 100_000 },
      scheduledAt + 120_000,
    ],
    [
      'not when nothing is known to have changed',
      { binding: never, manifestChangedAt: undefined, now: scheduledAt },
      undefined,
    ],
    [
      'for one grace when another clock is ahead',
      { binding, manifestChangedAt: undefined, now: scheduledAt - 3_600_000 },
      scheduledAt - 3_600_000 + SETTLING_MS,
    ],
  ])('%s', (_, snapshot, until) => expect(settlesUntil(snapshot)).toBe(until))
})
