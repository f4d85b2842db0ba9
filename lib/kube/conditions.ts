/** Lists of conditions, kept as `meta.SetStatusCondition` keeps them. */
import type { Condition } from './object'

/** The condition of that type. */
export function findCondition<C extends { type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** True when the condition is there and has the status `True`. */
export function isConditionTrue(
  conditions: readonly { type: string; status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True'
}

/** A condition without the time of its last transition. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>

/**
 * Returns the list with `update` in it, at its old index or at the end. `lastTransitionTime` becomes `now` (RFC 3339)
 * only when `status` changes. Returns the same list when nothing changes.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: NewCondition,
  now: string,
): Condition[] {
  const list = (conditions ?? []) as Condition[]
  const index = list.findIndex((condition) => condition.type === update.type)
  const old = list[index]
  if (!old) return [...list, { ...update, lastTransitionTime: now }]
  const next = { ...update, lastTransitionTime: old.status === update.status ? old.lastTransitionTime : now }
  return sameCondition(old, next) ? list : list.with(index, next)
}

/** The list without the condition of that type; the same list when there is none. */
export function removeCondition(conditions: readonly Condition[] | undefined, type: string): Condition[] {
  const list = (conditions ?? []) as Condition[]
  return findCondition(list, type) ? list.filter((condition) => condition.type !== type) : list
}

function sameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status
    && a.reason === b.reason
    && a.message === b.message
    && a.observedGeneration === b.observedGeneration
  )
}
