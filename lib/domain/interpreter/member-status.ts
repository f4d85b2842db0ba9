/** What an aggregation reads: one entry for each member cluster. */
import type { UnknownObject } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import type { InterpreterOptions } from './options'
import { conform, type Fields, type Shape, tellingEmptyFromAbsent } from './shape'

export type { Fields } from './shape'

/** One member's contribution; `status` is absent until something was collected. */
export interface MemberStatus {
  clusterName: string
  status?: Fields
}

export interface AggregationInput extends InterpreterOptions {
  template: UnknownObject
  items: readonly MemberStatus[]
  /** Nothing was ever collected, as opposed to nothing being left. */
  nothingCollected?: boolean
  /** RFC 3339. */
  now: string
}

/** A collected status with the cluster it came from. */
export interface Collected {
  clusterName: string
  status: Fields
}

/** The statuses that were collected, read as `shape`. Throws an InterpretError for a wrong type. */
export function collected(items: readonly MemberStatus[], shape: Shape): Collected[] {
  return items.flatMap(({ clusterName, status }) =>
    status ? [{ clusterName, status: conform(shape, status, `status of ${clusterName}`) as Fields }] : [],
  )
}

/**
 * `wanted` as `shape`, or undefined when the template has it already. An absent list differs from an empty one, and
 * fields that `shape` does not know are replaced, too.
 */
export function replacedStatus(template: UnknownObject, shape: Shape, wanted: Fields): Fields | undefined {
  const comparing = tellingEmptyFromAbsent(shape)
  const before = conform(comparing, template.status, 'status')
  const after = conform(comparing, wanted, 'status')
  const unchanged = deepEqual(before, after) && !hasOtherFields(shape, (template.status ?? {}) as Fields)
  return unchanged ? undefined : (conform(shape, wanted, 'status') as Fields)
}

function hasOtherFields(shape: Shape, status: Fields): boolean {
  return shape.type === 'struct' && Object.keys(status).some((name) => !Object.hasOwn(shape.fields, name))
}

/** An empty list as absent, for lists that come into being with their first entry. */
export function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

/** The total of one number over all statuses; absent counts as 0. */
export function total(statuses: readonly Collected[], field: string): number {
  return statuses.reduce((sum, { status }) => sum + Number(status[field] ?? 0), 0)
}
