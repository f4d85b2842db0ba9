/** Limits the rate of evictions, so that not all workloads of a lost cluster move at once. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock, EpochMs } from '@/lib/std/clock'

export interface EvictionLimiter {
  /**
   * Returns how long the key must wait, in milliseconds. The first call reserves a slot; further calls return its
   * remaining time.
   */
  waitMs(key: ObjectKey): number
  /** Frees the slot of a key that was evicted or needs no eviction any more. */
  release(key: ObjectKey): void
}

/** As upstream, a rate of zero means one eviction every half hour. */
const SLOWEST_PER_SECOND = 1 / 1800

/**
 * Limits to the rate that `perSecond` returns at the time. If the rate decreased since a key reserved its slot, the key
 * gets a new slot behind the reserved ones.
 */
export function createEvictionLimiter(clock: Clock, perSecond: () => number): EvictionLimiter {
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
