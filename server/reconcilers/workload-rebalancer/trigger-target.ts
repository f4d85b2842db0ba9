/** When a rebalance that was asked for still has to be triggered, and with which stamp. Pure. */
import { assessTrigger, type ObservedWorkload, type TriggerVerdict } from '@/lib/domain/rebalance'
import { formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../shared/binding-kinds'

/** Stamps have whole seconds. */
const TICK_MS = 1000

/**
 * Like `assessTrigger`, but no trigger is lost. The scheduler serves only stamps strictly later than the last
 * scheduling, so a stamp that is not is moved to the second after it. A stamp that was served already belongs to an
 * earlier request, however late it is: stamps may run ahead of the clock. Should a pass break off before it reports,
 * its targets are rescheduled once more, which does no harm.
 */
export function assessLastingTrigger(
  observed: ObservedWorkload, binding: Pick<Binding, 'spec' | 'status'> | undefined, creationTimestamp: string,
): TriggerVerdict {
  const verdict = assessTrigger(observed, binding, creationTimestamp)
  if (!binding || (verdict.act !== 'accept' && verdict.act !== 'trigger')) return verdict
  const triggered = parseTime(binding.spec.rescheduleTriggeredAt ?? '')
  const scheduled = parseTime(binding.status?.lastScheduledTime ?? '')
  const isServed = triggered <= scheduled
  if (verdict.act === 'accept' && !isServed) return verdict
  const requested = parseTime(creationTimestamp)
  const earliest = Number.isNaN(scheduled) ? requested : scheduled + TICK_MS
  return { act: 'trigger', rescheduleTriggeredAt: formatTime(Math.max(requested, earliest)) }
}
