/** Spreads evictions over time, so that a lost cluster does not move everything at once. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { tokenBucket } from '@/server/runtime/rate-limit'

export interface Turns {
  /** Until it is the key's turn, in milliseconds; the first question takes a turn, further ones wait for it. */
  waitMs(key: ObjectKey): number
  /** The key had its turn, or needs none any more. */
  release(key: ObjectKey): void
}

/** The pace of a rate of zero, as upstream: one every half hour. */
const SLOWEST_PER_SECOND = 1 / 1800

/** Turns at a steady rate. */
export function createTurns(clock: Clock, perSecond: number): Turns {
  const bucket = tokenBucket({ perSecond: Math.max(perSecond, SLOWEST_PER_SECOND), burst: 1, clock })
  const due = new Map<ObjectKey, EpochMs>()
  return {
    waitMs(key) {
      const at = due.get(key) ?? clock.now() + bucket.reserveMs()
      due.set(key, at)
      return Math.ceil(at - clock.now())
    },
    release: (key) => void due.delete(key),
  }
}
