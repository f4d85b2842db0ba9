/** Builds the status after a reconcile. Pure. */
import type { RescheduleDecision, ScheduleVerdict } from '@/lib/domain/placement'
import { findCondition } from '@/lib/kube/conditions'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { parseTime } from '@/lib/std/clock'
import type { Binding } from '../shared/binding-kinds'

/**
 * Returns the concluded status with a `lastScheduledTime` that covers its trigger and never decreases: the latest of
 * now, the processed trigger, and the previous value. An earlier time would make a processed trigger pending again.
 */
export function withServedTrigger({ spec, status: before }: Binding, concluded: BindingStatus): BindingStatus {
  const times = [concluded.lastScheduledTime, before?.lastScheduledTime, spec.rescheduleTriggeredAt]
  const latest = times.filter((time) => time !== undefined).toSorted((a, b) => parseTime(b) - parseTime(a))[0]
  return isSuccess(concluded) && latest !== undefined ? { ...concluded, lastScheduledTime: latest } : concluded
}

/** Reports whether an earlier reconcile wrote its result but stopped before it reported success. */
export function isReportMissing({ spec, status }: Binding, decision: RescheduleDecision): boolean {
  if (decision.act !== 'leave' || decision.observe === undefined || !spec.clusters?.length) return false
  return !isSuccess(status)
}

/** Reports whether nothing needs to be written: the result is unchanged, and the status reports this generation. */
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
