/** Adaptive spreads: a subset without room is passed over for a while, and its waiting pods are made anew elsewhere. */
import type { Pod, SubsetStatus, WorkloadSpreadSpec } from '../../kube/kinds'
import type { Condition } from '../../kube/object'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'
import { SCHEDULABLE, UNSCHEDULABLE_RETENTION_MS } from './names'
import { type Deadlines, type SpreadEvent } from './pass'
import { createdAt, isUnschedulable } from './pod-facts'

export interface RescheduleSnapshot {
  strategy: WorkloadSpreadSpec['scheduleStrategy']
  subset: string
  /** Pods of the last subset have nowhere else to go. */
  isLast: boolean
  pods: readonly Pod[]
  old: SubsetStatus | undefined
  now: EpochMs
}

export interface Rescheduling {
  /** Absent where nothing is rescheduled. */
  condition?: Condition
  /** To be deleted, once the status says so. */
  failed: Pod[]
  events: SpreadEvent[]
}

/** How long a pod may wait for a node; undefined when pods wait for ever. */
export function criticalMs(strategy: WorkloadSpreadSpec['scheduleStrategy']): number | undefined {
  const seconds = strategy?.type === 'Adaptive' ? (strategy.adaptive?.rescheduleCriticalSeconds ?? 0) : 0
  return seconds > 0 ? seconds * 1000 : undefined
}

/**
 * A pod that has waited too long closes its subset. It opens again when 300 s have passed since it was closed and no pod
 * fails; that time is not begun anew by pods that fail later.
 */
export function assessRescheduling(snapshot: RescheduleSnapshot, deadlines: Deadlines): Rescheduling {
  const { strategy, isLast, pods, old, subset, now } = snapshot
  const patienceMs = criticalMs(strategy)
  if (patienceMs === undefined) return { failed: [], events: [] }
  const before = old?.conditions?.find(({ type }) => type === SCHEDULABLE)
  const failed = isLast
    ? []
    : pods.filter((pod) => isUnschedulable(pod) && deadlines.isOver(createdAt(pod) + patienceMs))
  if (failed.length > 0) return { condition: conditionOf('False', before, now), failed, events: [] }
  if (isLast || before?.status !== 'False') return { condition: conditionOf('True', before, now), failed, events: [] }
  if (!deadlines.isOver(parseTime(before.lastTransitionTime) + UNSCHEDULABLE_RETENTION_MS)) {
    return { condition: conditionOf('False', before, now), failed, events: [] }
  }
  // upstream: OpenKruise pkg/controller/workloadspread/reschedule.go
  const message = `Subset ${subset} of WorkloadSpread has been recovered from unschedulable to schedulable`
  const event = { type: 'Normal', reason: 'RecoverSchedulable', message } as const
  return { condition: conditionOf('True', before, now), failed, events: [event] }
}

function conditionOf(status: 'True' | 'False', before: Condition | undefined, now: EpochMs): Condition {
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(now)
  const reason = status === 'True' ? 'Sufficient' : 'PodUnschedulable'
  return { type: SCHEDULABLE, status, reason, message: '', lastTransitionTime }
}
