/** Computes the delay before a retry of a key. */
import type { Clock } from '@/lib/std/clock'

/** Delay per key. Every call of `delayMs` counts as a failure. */
export interface RetryLimiter<K> {
  delayMs(key: K): number
  /** Failures since the last `forget`. */
  failures(key: K): number
  /** Resets the failures of a key that succeeded. */
  forget(key: K): void
}

/** Doubles from `baseMs` with every failure of the same key, up to `maxMs`. Defaults: 5 ms and 1000 s. */
export function exponentialBackoff<K>({ baseMs = 5, maxMs = 1_000_000 } = {}): RetryLimiter<K> {
  const failures = new Map<K, number>()
  return {
    delayMs(key) {
      const before = failures.get(key) ?? 0
      failures.set(key, before + 1)
      return Math.min(maxMs, baseMs * 2 ** Math.min(before, 50))
    },
    failures: (key) => failures.get(key) ?? 0,
    forget: (key) => void failures.delete(key),
  }
}

/** Limits a rate; allows bursts. */
export interface TokenBucket {
  /** Reserves a token; returns the milliseconds until it is available. */
  reserveMs(): number
}

/** Returns a bucket with `perSecond` tokens per second on average, and at most `burst` at once. */
export function tokenBucket({
  perSecond,
  burst,
  clock,
}: {
  perSecond: number
  burst: number
  clock: Clock
}): TokenBucket {
  let tokens = burst
  let at = clock.now()
  return {
    reserveMs() {
      const now = clock.now()
      tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
      at = now
      tokens -= 1
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000
    },
  }
}

/** Returns the longer delay of a per-key back-off and an overall rate, as client-go combines them by default. */
export function limitedBy<K>(backoff: RetryLimiter<K>, bucket: TokenBucket): RetryLimiter<K> {
  return { ...backoff, delayMs: (key) => Math.max(backoff.delayMs(key), bucket.reserveMs()) }
}
