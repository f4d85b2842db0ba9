/** Spreads evictions over time, so that a lost cluster does not move everything at once. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock, EpochMs } from '@/lib/std/clock'

export interface Turns {
  /** Until it is the key's turn, in milliseconds; the first question takes a turn, further ones wait for it. */
  waitMs(key: ObjectKey): number
  /** The key had its turn, or needs none any more. */
  release(key: ObjectKey): void
}

/** The pace of a rate of zero, as upstream: one every half hour. */
const SLOWEST_PER_SECOND = 1 / 1800

/**
 * Turns at the rate that `perSecond` says at the time. Where it has become slower since a key asked, the key waits once
 * more, behind those that wait already.
 */
export function createTurns(clock: Clock, perSecond: () => number): Turns {
  const due = new Map<ObjectKey, EpochMs>()
  let free = -Infinity
  let last = -Infinity
  const take = (key: ObjectKey, gapMs: number): EpochMs => {
    const at = Math.max(clock.now(), free, last + gapMs)
    free = at + gapMs
    due.set(key, at)
    return at
  }
  return {
    waitMs(key) {
      const now = clock.now()
      const gapMs = 1000 / Math.max(perSecond(), SLOWEST_PER_SECOND)
      const asked = due.get(key)
      const at = asked === undefined || (asked <= now && now < last + gapMs) ? take(key, gapMs) : asked
      if (at > now) return Math.ceil(at - now)
      last = now
      return 0
    },
    release: (key) => void due.delete(key),
  }
}
