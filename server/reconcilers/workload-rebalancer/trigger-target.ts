/** Decides when a requested rebalance is triggered, and with which time stamp. Pure. */
import { assessTrigger, type ObservedWorkload, pauseBeforeTrigger, type TriggerVerdict } from '@/lib/domain/rebalance'
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../shared/binding-kinds'

/** Annotation of a binding: UID of the rebalancer that triggered it last, so that none triggers it twice. */
export const TRIGGERED_BY_ANNOTATION = 'rebalance.evenkeel.io/triggered-by'

/** Time stamps have whole seconds. */
const TICK_MS = 1000

/** `wait`: the time stamp would be in the future, so the write is delayed. */
export type LastingVerdict = TriggerVerdict | { act: 'wait'; waitMs: number }

export interface TriggerSnapshot {
  observed: ObservedWorkload
  binding: Pick<Binding, 'metadata' | 'spec' | 'status'> | undefined
  rebalancer: { creationTimestamp: string; uid: string }
  now: EpochMs
}

/**
 * Like `assessTrigger`, but no trigger is lost or repeated. The scheduler honors only time stamps strictly later than
 * the last scheduling, so an earlier one is moved to the second after it. A time stamp that was already processed
 * belongs to an earlier request, unless the binding records that it was written for this rebalancer and only the status
 * is missing.
 */
export function assessLastingTrigger({ observed, binding, rebalancer, now }: TriggerSnapshot): LastingVerdict {
  const { creationTimestamp, uid } = rebalancer
  const verdict = assessTrigger(observed, binding, creationTimestamp)
  if (!binding || (verdict.act !== 'accept' && verdict.act !== 'trigger')) return verdict
  if (verdict.act === 'accept' && binding.metadata.annotations?.[TRIGGERED_BY_ANNOTATION] === uid) return verdict
  const scheduled = parseTime(binding.status?.lastScheduledTime ?? '')
  const isServed = parseTime(binding.spec.rescheduleTriggeredAt ?? '') <= scheduled
  if (verdict.act === 'accept' && !isServed) return verdict
  const waitMs = pauseBeforeTrigger(binding, now)
  if (waitMs > 0) return { act: 'wait', waitMs }
  const requested = parseTime(creationTimestamp)
  const earliest = Number.isNaN(scheduled) ? requested : scheduled + TICK_MS
  return { act: 'trigger', rescheduleTriggeredAt: formatTime(Math.max(requested, earliest)) }
}
