/** The status that a pass leaves behind. Pure. */
import type { RescheduleDecision, ScheduleVerdict } from '@/lib/domain/placement'
import { findCondition } from '@/lib/kube/conditions'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { parseTime } from '@/lib/std/clock'
import type { Binding } from '../shared/binding-kinds'

/**
 * The concluded status with a `lastScheduledTime` that serves its trigger and never goes back: the latest of now, the
 * trigger that was decided on, and the former value. An earlier one would make a served trigger count again.
 */
export function withServedTrigger({ spec, status: before }: Binding, concluded: BindingStatus): BindingStatus {
  const times = [concluded.lastScheduledTime, before?.lastScheduledTime, spec.rescheduleTriggeredAt]
  const latest = times.filter((time) => time !== undefined).toSorted((a, b) => parseTime(b) - parseTime(a))[0]
  return isSuccess(concluded) && latest !== undefined ? { ...concluded, lastScheduledTime: latest } : concluded
}

/** A former pass wrote its result and broke off before it could report success. */
export function isReportMissing({ spec, status }: Binding, decision: RescheduleDecision): boolean {
  if (decision.act !== 'leave' || decision.observe === undefined || !spec.clusters?.length) return false
  return !isSuccess(status)
}

/** Nothing to write and nothing to tell: the result stands, and the status says so of this very generation. */
export function isSettled({ metadata, status }: Binding, verdict: ScheduleVerdict): boolean {
  return (
    verdict.mode === 'Steady'
    && !verdict.patch
    && !verdict.failure
    && isSuccess(status)
    && status?.schedulerObservedGeneration === metadata.generation
    && (verdict.affinityName ?? '') === (status?.schedulerObservingAffinityName ?? '')
  )
}

function isSuccess(status: BindingStatus | undefined): boolean {
  return findCondition(status?.conditions, 'Scheduled')?.status === 'True'
}
