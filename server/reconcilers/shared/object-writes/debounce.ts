/** Reports on objects whose state changes in bursts: less often than they change. */
import type { ObjectKey } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { KeyQueue } from '@/server/runtime/controller'

export interface DebounceOptions {
  /** Changes within this time after the first one are reported together. */
  settleMs: number
  /** The same for changes that are not urgent. Default `settleMs`. */
  patientMs?: number
  /** The shortest time between two reports on the same object. */
  intervalMs: number
  /**
   * While many objects wait for their report, each of them makes the others settle this much longer, up to
   * `longestSettleMs`: a rollout of a thousand workloads causes fewer writes for each. Default 0.
   */
  crowdMs?: number
  longestSettleMs?: number
}

/** Puts keys into a queue, soon after a quiet time and at a steady rate during a busy one. */
export interface Debounce {
  /** `patient`: the change is not urgent. */
  changed(queue: KeyQueue, key: ObjectKey, options?: { patient?: boolean }): void
  /** The object is being looked at now. */
  taken(key: ObjectKey): void
  /** A report on the object was written. */
  reported(key: ObjectKey): void
  /** The object is gone. */
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
