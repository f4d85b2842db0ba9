/** When a rebalance that was asked for still has to be triggered, and with which stamp. Pure. */
import { assessTrigger, type ObservedWorkload, pauseBeforeTrigger, type TriggerVerdict } from '@/lib/domain/rebalance'
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import type { Binding } from '../shared/binding-kinds'

/** Annotation of a binding: uid of the rebalancer that triggered it last, so that none does so twice. */
export const TRIGGERED_BY_ANNOTATION = 'rebalance.evenkeel.io/triggered-by'

/** Stamps have whole seconds. */
const TICK_MS = 1000

/** `wait`: the stamp would lie in the future; time is let pass instead of times being made to run ahead of it. */
export type LastingVerdict = TriggerVerdict | { act: 'wait'; waitMs: number }

export interface TriggerSnapshot {
  observed: ObservedWorkload
  binding: Pick<Binding, 'metadata' | 'spec' | 'status'> | undefined
  rebalancer: { creationTimestamp: string; uid: string }
  now: EpochMs
}

/**
 * Like `assessTrigger`, but no trigger is lost and none comes twice. The scheduler serves only stamps strictly later
 * than the last scheduling, so a stamp that is not is moved to the second after it. A stamp that was served already
 * belongs to an earlier request, however late it is, unless the binding says that it was ours and only the report is
 * missing.
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
