/** Debounces reports about objects that change in bursts. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { KeyQueue } from './controller'

/** How long changes settle before they are reported together. */
export interface Settling {
  /** Changes within this time after the first one are reported together. */
  settleMs: number
  /**
   * Additional settling time per object that waits for such a report, up to `longestSettleMs`, so that a rollout of a
   * thousand workloads causes fewer writes for each. Default 0.
   */
  perPendingMs?: number
  longestSettleMs?: number
}

export interface DebounceOptions extends Settling {
  /** Same for changes that are not urgent, which are skipped if an urgent one follows. Default: as all changes. */
  deferrable?: Settling
  /** Minimum interval between reports about one object. */
  intervalMs: number
}

/** Enqueues keys soon after a quiet period and at a steady rate during a busy one. */
export interface Debounce {
  /** `patient`: the change is not urgent. */
  changed(queue: KeyQueue, key: ObjectKey, options?: { deferrable?: boolean }): void
  /** Call when the object is being reconciled. */
  taken(key: ObjectKey): void
  /** Call when a report about the object was written. */
  reported(key: ObjectKey): void
  /** Call when the object was deleted. */
  forget(key: ObjectKey): void
}

export function createDebounce(clock: Clock, { deferrable: calm, intervalMs, ...urgently }: DebounceOptions): Debounce {
  const reportedAt = new Map<ObjectKey, number>()
  const urgent = new PendingReports(urgently)
  // Objects that can wait do not slow down those that cannot.
  const deferrable = calm ? new PendingReports(calm) : urgent
  return {
    changed(queue, key, options = {}) {
      const since = clock.elapsed() - (reportedAt.get(key) ?? -Infinity)
      const crowd = options.deferrable ? deferrable : urgent
      const settleMs = crowd.settleMs
      queue.addAfter(key, Math.max(settleMs, Math.max(intervalMs, settleMs) - since))
      crowd.waiting.add(key)
    },
    taken(key) {
      urgent.waiting.delete(key)
      deferrable.waiting.delete(key)
    },
    reported: (key) => void reportedAt.set(key, clock.elapsed()),
    forget(key) {
      reportedAt.delete(key)
      urgent.waiting.delete(key)
      deferrable.waiting.delete(key)
    },
  }
}

/** Objects that wait for a report of the same urgency. */
class PendingReports {
  readonly waiting = new Set<ObjectKey>()

  constructor(private readonly settling: Settling) {}

  get settleMs(): number {
    const { settleMs, perPendingMs = 0, longestSettleMs = settleMs } = this.settling
    return Math.min(Math.max(settleMs, longestSettleMs), settleMs + perPendingMs * this.waiting.size)
  }
}
