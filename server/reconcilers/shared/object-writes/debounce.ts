/** Debounces reports about objects that change in bursts. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { KeyQueue } from '@/server/runtime/controller'

export interface DebounceOptions {
  /** Changes within this time after the first one are reported together. */
  settleMs: number
  /** Same for changes that are not urgent. Default `settleMs`. */
  patientMs?: number
  /** Minimum interval between reports about one object. */
  intervalMs: number
  /**
   * Additional settling time per object that waits for its report, up to `longestSettleMs`, so that a rollout of a
   * thousand workloads causes fewer writes for each. Default 0.
   */
  crowdMs?: number
  longestSettleMs?: number
}

/** Enqueues keys soon after a quiet period and at a steady rate during a busy one. */
export interface Debounce {
  /** `patient`: the change is not urgent. */
  changed(queue: KeyQueue, key: ObjectKey, options?: { patient?: boolean }): void
  /** Call when the object is being reconciled. */
  taken(key: ObjectKey): void
  /** Call when a report about the object was written. */
  reported(key: ObjectKey): void
  /** Call when the object was deleted. */
  forget(key: ObjectKey): void
}

export function createDebounce(clock: Clock, options: DebounceOptions): Debounce {
  const { settleMs, patientMs = settleMs, intervalMs, crowdMs = 0, longestSettleMs = settleMs } = options
  const reportedAt = new Map<ObjectKey, number>()
  const waiting = new Set<ObjectKey>()
  const settling = (leastMs: number): number =>
    Math.min(Math.max(leastMs, longestSettleMs), leastMs + crowdMs * waiting.size)
  return {
    changed(queue, key, { patient = false } = {}) {
      const since = clock.elapsed() - (reportedAt.get(key) ?? -Infinity)
      const settle = settling(patient ? patientMs : settleMs)
      queue.addAfter(key, Math.max(settle, Math.max(intervalMs, settle) - since))
      waiting.add(key)
    },
    taken: (key) => void waiting.delete(key),
    reported: (key) => void reportedAt.set(key, clock.elapsed()),
    forget(key) {
      reportedAt.delete(key)
      waiting.delete(key)
    },
  }
}
