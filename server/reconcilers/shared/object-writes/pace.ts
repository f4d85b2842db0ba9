/** How often the same object is reported on, when what it reports changes in bursts. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock, EpochMs } from '@/lib/std/clock'
import type { KeyQueue } from '@/server/runtime/controller'

export interface PaceOptions {
  /** Changes within this time after the first one are reported together. */
  settleMs: number
  /** The shortest time between two reports on the same object. */
  intervalMs: number
}

/** Puts keys into a queue, soon after a quiet time and at a steady pace during a busy one. */
export interface Pace {
  changed(queue: KeyQueue, key: ObjectKey): void
  /** The object is being reported on now. */
  reported(key: ObjectKey): void
  /** The object is gone. */
  forget(key: ObjectKey): void
}

export function createPace(clock: Clock, { settleMs, intervalMs }: PaceOptions): Pace {
  const reportedAt = new Map<ObjectKey, EpochMs>()
  return {
    changed(queue, key) {
      const since = clock.now() - (reportedAt.get(key) ?? -Infinity)
      queue.addAfter(key, Math.max(settleMs, intervalMs - since))
    },
    reported: key => void reportedAt.set(key, clock.now()),
    forget: key => void reportedAt.delete(key),
  }
}
