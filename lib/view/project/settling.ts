/** Decides how long replicas that are not ready count as starting rather than missing. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { AnyBinding } from './binding-facts'

/** Time after a change of the spec, in milliseconds; a slower replica needs attention. */
export const SETTLING_MS = 30_000

export interface SettlingSnapshot {
  binding: AnyBinding
  /** When a change of a member's manifest was last observed; the API does not record it. */
  manifestChangedAt: EpochMs | undefined
  now: EpochMs
}

/**
 * Returns until when a workload settles; undefined if it does not. A scheduling and a changed manifest each start the
 * time. A future time counts as now, because another clock wrote it.
 */
export function settlesUntil({ binding, manifestChangedAt, now }: SettlingSnapshot): EpochMs | undefined {
  const { lastScheduledTime } = binding.status ?? {}
  const scheduledAt = lastScheduledTime === undefined ? -Infinity : parseTime(lastScheduledTime)
  const changedAt = Math.min(Math.max(scheduledAt, manifestChangedAt ?? -Infinity), now)
  const until = changedAt + SETTLING_MS
  return until > now ? until : undefined
}
