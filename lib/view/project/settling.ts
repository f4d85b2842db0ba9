/** For how long replicas that are not ready are starting rather than missing. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { AnyBinding } from './binding-facts'

/** Grace after a change of what is asked for, in milliseconds; a replica that takes longer deserves attention. */
export const SETTLING_MS = 30_000

export interface SettlingSnapshot {
  binding: AnyBinding
  /** When a manifest for a member was last seen to change; the API keeps no such time. */
  manifestChangedAt: EpochMs | undefined
  now: EpochMs
}

/**
 * Until when a workload settles; undefined when it does not. A scheduling and a changed manifest each start the grace.
 * A time that lies ahead counts as now: it was written by another clock.
 */
export function settlesUntil({ binding, manifestChangedAt, now }: SettlingSnapshot): EpochMs | undefined {
  const { lastScheduledTime } = binding.status ?? {}
  const scheduledAt = lastScheduledTime === undefined ? -Infinity : parseTime(lastScheduledTime)
  const changedAt = Math.min(Math.max(scheduledAt, manifestChangedAt ?? -Infinity), now)
  const until = changedAt + SETTLING_MS
  return until > now ? until : undefined
}
