/** Detects triggers that the scheduler ignores. */
import { type Binding, isTriggered, type SchedulerProfile, upstreamProfile } from '../placement'

export interface IgnoredTrigger {
  /** The trigger: `spec.rescheduleTriggeredAt`. */
  at: string
  /** Time of the last scheduling when the trigger was written. */
  scheduledAt: string
}

type Versions = Pick<Binding, 'metadata' | 'spec' | 'status'>

/**
 * Returns the trigger of `next` if the scheduler ignores it. Karmada honors a trigger only if it is later than the last
 * scheduling, in whole seconds (`util.RescheduleRequired`). The last scheduling before the write of the trigger counts,
 * because a later one has other causes. `known`: the result of this function for the previous version.
 */
export function ignoredTrigger(
  old: Versions | undefined,
  next: Versions,
  { known, profile = upstreamProfile }: { known?: IgnoredTrigger | undefined; profile?: SchedulerProfile } = {},
): IgnoredTrigger | undefined {
  const { rescheduleTriggeredAt: at } = next.spec
  if (at === undefined) return undefined
  if (known?.at === at) return known
  if (!old || at === old.spec.rescheduleTriggeredAt) return undefined
  const { status = {} } = old
  if (status.lastScheduledTime === undefined || isTriggered({ ...next, status }, profile)) return undefined
  return { at, scheduledAt: status.lastScheduledTime }
}
