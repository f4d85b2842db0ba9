/**
 * Adaptive spreads: a subset without capacity is skipped for a while, and its pending pods are recreated in other
 * subsets.
 */
import type { Pod, SubsetStatus, WorkloadSpreadSpec } from '../../kube/kinds'
import type { Condition } from '../../kube/object'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'
import { SCHEDULABLE, UNSCHEDULABLE_RETENTION_MS } from './names'
import { type Deadlines, type SpreadEvent } from './pass'
import { createdAt, isUnschedulable } from './pod-facts'

export interface RescheduleSnapshot {
  strategy: WorkloadSpreadSpec['scheduleStrategy']
  /** The key of the WorkloadSpread. */
  spread: string
  subset: string
  /** Pods of the last subset have no alternative. */
  isLast: boolean
  pods: readonly Pod[]
  old: SubsetStatus | undefined
  now: EpochMs
}

export interface Rescheduling {
  /** Absent if nothing is rescheduled. */
  condition?: Condition
  /** Pods to delete after the status is written. */
  failed: Pod[]
  events: SpreadEvent[]
}

/** Returns how long a pod may wait for a node; undefined: indefinitely. */
export function criticalMs(strategy: WorkloadSpreadSpec['scheduleStrategy']): number | undefined {
  const seconds = strategy?.type === 'Adaptive' ? (strategy.adaptive?.rescheduleCriticalSeconds ?? 0) : 0
  return seconds > 0 ? seconds * 1000 : undefined
}

/**
 * A pod that waited too long marks its subset as unschedulable. The subset becomes schedulable when 300 s have passed
 * since then and no pod fails; pods that fail later do not restart that period.
 */
export function assessRescheduling(snapshot: RescheduleSnapshot, deadlines: Deadlines): Rescheduling {
  const { strategy, isLast, pods, old, spread, subset, now } = snapshot
  const patienceMs = criticalMs(strategy)
  if (patienceMs === undefined) return { failed: [], events: [] }
  const before = old?.conditions?.find(({ type }) => type === SCHEDULABLE)
  const failed = isLast
    ? []
    : pods.filter((pod) => isUnschedulable(pod) && deadlines.isOver(createdAt(pod) + patienceMs))
  if (failed.length > 0) return { condition: closed(before, now), failed, events: [] }
  if (isLast || !before) return { condition: open(before, now), failed, events: [] }
  const reopens =
    before.status === 'False' && deadlines.isOver(parseTime(before.lastTransitionTime) + UNSCHEDULABLE_RETENTION_MS)
  if (!reopens) return { condition: before, failed, events: [] }
  // upstream: OpenKruise pkg/controller/workloadspread/reschedule.go
  const message = `Subset ${subset} of WorkloadSpread ${spread} is recovered from unschedulable to schedulable`
  const event = { type: 'Normal', reason: 'RecoverSchedulable', message } as const
  return { condition: open(before, now), failed, events: [event] }
}

const open = (before: Condition | undefined, now: EpochMs): Condition => changed(before, now, 'True', 'Sufficient')
const closed = (before: Condition | undefined, now: EpochMs): Condition =>
  changed(before, now, 'False', 'PodUnschedulable')

/** The very condition where status and reason hold already; its time stays as long as the status does. */
function changed(before: Condition | undefined, now: EpochMs, status: 'True' | 'False', reason: string): Condition {
  if (before?.status === status && before.reason === reason) return before
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(now)
  return { type: SCHEDULABLE, status, reason, message: '', lastTransitionTime }
}
