/** Concludes a scheduling run: status, events, and whether the key is requeued. */
import type { BindingStatus, TargetCluster } from '@/lib/kube/kinds/binding'
import { setCondition } from '@/lib/kube/conditions'
import { type EpochMs, formatTime, parseTime } from '@/lib/std/clock'
import type { InEnglish } from '../plan'
import { type Binding, isClusterScoped } from './binding'
import { type SchedulerProfile, defaultProfile } from './profile'
import type { ScheduleVerdict } from './schedule-binding'

/** Why the API server rejected the patch of the spec. */
export interface Refusal {
  message: string
  /** 403 with reason QuotaExceeded. */
  quotaExceeded: boolean
}

/** An event to record for the binding and for its resource. */
export interface ScheduleEvent {
  type: 'Normal' | 'Warning'
  reason: 'ScheduleBindingSucceed' | 'ScheduleBindingFailed'
  message: string
}

export type ScheduledReason = 'Success' | 'Unschedulable' | 'NoClusterFit' | 'QuotaExceeded' | 'SchedulerError'

export interface Conclusion {
  /** The complete new status; absent when it is unchanged. */
  status?: BindingStatus
  events: readonly ScheduleEvent[]
  /**
   * Absent when the run is finished. This includes the case that no cluster fits, because only a change of clusters or
   * of the binding helps then.
   */
  error?: string
  queue: 'forget' | 'unschedulable' | 'backoff'
}

export interface ConcludeSnapshot {
  /** The binding as read at the start of the run. */
  binding: Binding
  verdict: ScheduleVerdict
  now: EpochMs
  /** Present if the patch was rejected. */
  refusal?: Refusal
  profile?: SchedulerProfile
  english: InEnglish
}

/** Concludes a run after its patch was written, rejected, or not needed. */
export function concludeScheduling(snapshot: ConcludeSnapshot): Conclusion {
  const { verdict } = snapshot
  const ending = endingOf(snapshot)
  const status = statusAfter(snapshot, ending)
  return {
    ...(status && { status }),
    events: [...verdict.warnings.map(warning), ...(isAnnounced(snapshot) ? [announcement(snapshot, ending)] : [])],
    ...(ending.error !== undefined && { error: ending.error }),
    queue: ending.queue,
  }
}

interface Ending {
  reason: ScheduledReason
  message: string
  error?: string
  queue: Conclusion['queue']
}

// upstream: karmada-scheduler
const successMessage = 'Binding has been scheduled successfully.'

function endingOf({ verdict: { failure }, refusal, english }: ConcludeSnapshot): Ending {
  if (!failure) {
    if (!refusal) return { reason: 'Success', message: successMessage, queue: 'forget' }
    return retried(refusal.quotaExceeded ? 'QuotaExceeded' : 'SchedulerError', refusal.message)
  }
  const message = english(failure.message)
  if (refusal) return retried('NoClusterFit', `[${message}, ${refusal.message}]`)
  if (failure.type === 'FitError') return { reason: 'NoClusterFit', message, queue: 'forget' }
  if (failure.type === 'Error') return retried('SchedulerError', message)
  return { reason: 'Unschedulable', message, error: message, queue: 'unschedulable' }
}

function retried(reason: ScheduledReason, message: string): Ending {
  return { reason, message, error: message, queue: 'backoff' }
}

function statusAfter(snapshot: ConcludeSnapshot, { reason, message }: Ending): BindingStatus | undefined {
  const { binding, verdict, now } = snapshot
  const before = binding.status ?? {}
  const status = reason === 'Success' ? 'True' : 'False'
  const conditions = setCondition(before.conditions, { type: 'Scheduled', status, reason, message }, formatTime(now))
  const after: BindingStatus = {
    ...before,
    conditions,
    ...(verdict.affinityName !== undefined && { schedulerObservingAffinityName: verdict.affinityName }),
    ...(reason === 'Success' && {
      schedulerObservedGeneration: binding.metadata.generation ?? 0,
      lastScheduledTime: scheduledTime(snapshot),
    }),
  }
  return isSame(before, after) ? undefined : after
}

/**
 * With `sameSecondTriggers`, a success is dated later than the trigger that it processed, so that the trigger is not
 * pending any more.
 */
function scheduledTime({ binding, now, profile = defaultProfile }: ConcludeSnapshot): string {
  const { rescheduleTriggeredAt } = binding.spec
  if (!profile.sameSecondTriggers || !rescheduleTriggeredAt) return formatTime(now)
  return formatTime(Math.max(now, parseTime(rescheduleTriggeredAt) + 1000))
}

function isSame(before: BindingStatus, after: BindingStatus): boolean {
  return (Object.keys(after) as (keyof BindingStatus)[]).every((field) => before[field] === after[field])
}

/** Without success, the final event repeats only a failure to fit or a rejection. */
function isAnnounced({ verdict, refusal }: ConcludeSnapshot): boolean {
  return verdict.announced || refusal !== undefined
}

function announcement({ binding, verdict }: ConcludeSnapshot, { reason, message }: Ending): ScheduleEvent {
  if (reason !== 'Success') return warning(message)
  const colon = isClusterScoped(binding) ? '' : ':'
  const result = describeTargets(verdict.clusters ?? [])
  return { type: 'Normal', reason: 'ScheduleBindingSucceed', message: `${message} Result${colon} ${result}` }
}

/** Returns a warning event of the scheduler. */
export function warning(message: string): ScheduleEvent {
  return { type: 'Warning', reason: 'ScheduleBindingFailed', message }
}

/** Returns the targets as `{member1:3, member2:1}`. */
export function describeTargets(clusters: readonly TargetCluster[]): string {
  return `{${clusters.map(({ name, replicas = 0 }) => `${name}:${replicas}`).join(', ')}}`
}
