import { expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import { afterAttempt, attemptOf } from './retry'

const NOW = Date.UTC(2026, 10, 22)

test.each<[status: number, retryAfter: string | undefined, expected: object]>([
  [200, undefined, { ok: true }],
  [204, undefined, { ok: true }],
  [301, undefined, { final: true }],
  [400, undefined, { final: true }],
  [401, undefined, { final: true }],
  [408, undefined, { final: false }],
  [425, undefined, { final: false }],
  [429, '7', { final: false, retryAfterMs: 7_000 }],
  [503, new Date(NOW + 9_000).toUTCString(), { final: false, retryAfterMs: 9_000 }],
  [503, new Date(NOW - 9_000).toUTCString(), { final: false }],
  [500, 'later', { final: false }],
])('%d with Retry-After %s', (status, retryAfter, expected) => {
  expect(attemptOf(status, retryAfter, NOW)).toMatchObject(expected)
  if (!('retryAfterMs' in expected)) expect(attemptOf(status, retryAfter, NOW)).not.toHaveProperty('retryAfterMs')
})

const failed = { ok: false as const, error: 'ECONNRESET', final: false }

test.each([
  [1, 0, 500],
  [1, 1, 1_000],
  [2, 1, 2_000],
  [9, 1, 256_000],
  [10, 1, 300_000],
  [1_000, 1, 300_000],
])('attempt %d with randomness %d is followed by a pause of %d ms', (attempts, random, afterMs) => {
  const facts = { attempt: failed, attempts, firstAt: NOW, now: NOW, giveUpAfterMs: 3_600_000, random: () => random }
  expect(afterAttempt(facts)).toEqual({ step: 'retry', afterMs })
})

test('a receiver that asks for more time gets it, at most a quarter of an hour', () => {
  const after = (retryAfterMs: number) =>
    afterAttempt({
      attempt: { ...failed, retryAfterMs },
      attempts: 1,
      firstAt: NOW,
      now: NOW,
      giveUpAfterMs: 3_600_000,
      random: () => 0.5,
    })
  expect(after(60_000)).toEqual({ step: 'retry', afterMs: 60_000 })
  expect(after(86_400_000)).toEqual({ step: 'retry', afterMs: 900_000 })
})

test('no notice is tried beyond its limit, whatever the answers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (giveUpAfterMs, asked, random) => {
        let now = NOW
        for (let attempts = 1; ; attempts += 1) {
          const attempt = { ...failed, retryAfterMs: asked[attempts % asked.length]! }
          const next = afterAttempt({ attempt, attempts, firstAt: NOW, now, giveUpAfterMs, random: () => random })
          if (next.step !== 'retry') return next.step === 'giveUp'
          now += next.afterMs
          if (now > NOW + giveUpAfterMs || next.afterMs < 500) return false
        }
      },
    ),
  )
})
