/** When a rebalance that was asked for still has to be triggered, and with which stamp. Pure. */
import { assessTrigger, type ObservedWorkload, type TriggerVerdict } from '@/lib/domain/rebalance'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../binding-kinds'

/** Stamps have whole seconds. */
const TICK_MS = 1000

/**
 * Since when a target without result is waiting. Targets without result were added after the last finish, because a
 * pass finishes only when every target has one.
 */
export function requestedAt({ metadata, status }: WorkloadRebalancer): string {
  return status?.finishTime ?? metadata.creationTimestamp
}

/**
 * Like `assessTrigger`, but no trigger is lost: the scheduler serves only stamps strictly later than the last
 * scheduling, so a stamp that is not is moved to the second after it; and an equal stamp that was served already
 * belongs to an earlier request.
 */
export function assessLastingTrigger(observed: ObservedWorkload, binding: Pick<Binding, 'spec' | 'status'> | undefined, since: string): TriggerVerdict {
  const verdict = assessTrigger(observed, binding, since)
  if (!binding || (verdict.act !== 'accept' && verdict.act !== 'trigger')) return verdict
  const triggered = parseTime(binding.spec.rescheduleTriggeredAt ?? '')
  const scheduled = parseTime(binding.status?.lastScheduledTime ?? '')
  const requested = parseTime(since)
  const servedBefore = triggered <= scheduled
  if (verdict.act === 'accept' && !(triggered === requested && servedBefore)) return verdict
  const earliest = Number.isNaN(scheduled) ? requested : scheduled + TICK_MS
  return { act: 'trigger', rescheduleTriggeredAt: formatTime(Math.max(requested, earliest)) }
}
