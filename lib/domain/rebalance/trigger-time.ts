/**
 * Chooses the time stamp that triggers a reschedule. The scheduler compares it with its last success in whole seconds
 * and honors only later ones. The second after that success is therefore always valid, whatever the local clock is.
 * While that second is in the future the write is delayed, so that time stamps do not run ahead of the clock when plans
 * rebalance the same workload often.
 */
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../placement'

const TICK_MS = 1000
/** A last success further in the future was written by another clock; waiting for the local one would not help. */
const MAX_AHEAD_MS = 5 * TICK_MS

type Timed = Pick<Binding, 'spec' | 'status'>

/**
 * Returns a time stamp that the scheduler honors. For a binding that was never scheduled, a time near the epoch,
 * because it needs no trigger.
 */
export function stampFor({ spec, status }: Timed): string {
  const times = [spec.rescheduleTriggeredAt, status?.lastScheduledTime]
    .map((text) => parseTime(text ?? ''))
    .filter((at) => !Number.isNaN(at))
  return formatTime(Math.max(0, ...times) + TICK_MS)
}

/** Returns how long to wait until the time stamp after the last success is not in the future; 0 to continue. */
export function pauseBeforeTrigger({ status }: Pick<Binding, 'status'>, now: EpochMs): number {
  const scheduled = parseTime(status?.lastScheduledTime ?? '')
  const aheadMs = scheduled + TICK_MS - now
  return aheadMs > 0 && aheadMs <= MAX_AHEAD_MS ? aheadMs : 0
}
