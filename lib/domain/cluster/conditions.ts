/** Lists of conditions. */
import type { Condition } from '../../kube/object'
import { formatTime, type EpochMs } from '../../std/clock'
import type { Observation } from './readiness'

/** The condition of that type. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** The list with one condition set; `lastTransitionTime` moves only when the status changes. New ones are appended. */
export function setCondition(conditions: readonly Condition[], observation: Observation, now: EpochMs): Condition[] {
  const old = findCondition(conditions, observation.type)
  const lastTransitionTime = old?.status === observation.status ? old.lastTransitionTime : formatTime(now)
  const next = { ...old, ...observation, lastTransitionTime }
  return old ? conditions.map((condition) => (condition === old ? next : condition)) : [...conditions, next]
}
