/**
 * Which time stands for "reschedule now". The scheduler compares it with its own last success, in whole seconds, and
 * serves only what is later. The second after that success is therefore always understood, whatever our own clock
 * says; and as long as it is not past yet we wait, so that the times do not run ahead of the clock when plans rebalance
 * the same workload often.
 */
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../placement'

const TICK_MS = 1000
/** A last success that is further ahead was written by another clock; waiting for ours would not help. */
const MOST_AHEAD_MS = 5 * TICK_MS

type Timed = Pick<Binding, 'spec' | 'status'>

/** The stamp that the scheduler will serve. Of a binding that was never scheduled, the epoch: it needs none. */
export function stampFor({ spec, status }: Timed): string {
  const times = [spec.rescheduleTriggeredAt, status?.lastScheduledTime]
    .map((text) => parseTime(text ?? ''))
    .filter((at) => !Number.isNaN(at))
  return formatTime(Math.max(0, ...times) + TICK_MS)
}

/** How long to wait until the stamp after the last success is not in the future; 0 to go ahead. */
export function pauseBeforeTrigger({ status }: Pick<Binding, 'status'>, now: EpochMs): number {
  const scheduled = parseTime(status?.lastScheduledTime ?? '')
  const aheadMs = scheduled + TICK_MS - now
  return aheadMs > 0 && aheadMs <= MOST_AHEAD_MS ? aheadMs : 0
}
