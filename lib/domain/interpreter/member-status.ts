/** Input of an aggregation: one entry per member cluster. */
import type { UnknownObject } from '../../kube/object'
import { deepEqual } from '../../std/equal'
import type { InterpreterOptions } from './options'
import { conform, type Fields, type Shape, distinguishingEmpty } from './shape'

export type { Fields } from './shape'

/** Status of one member; `status` is absent until something was collected. */
export interface MemberStatus {
  clusterName: string
  status?: Fields
}

export interface AggregationInput extends InterpreterOptions {
  template: UnknownObject
  items: readonly MemberStatus[]
  /** Whether nothing was ever collected, in contrast to an empty list of items. */
  nothingCollected?: boolean
  /** RFC 3339. */
  now: string
}

/** A collected status with its cluster. */
export interface Collected {
  clusterName: string
  status: Fields
}

/** Returns the collected statuses, read as `shape`. Throws an InterpretError for a wrong type. */
export function collected(items: readonly MemberStatus[], shape: Shape): Collected[] {
  return items.flatMap(({ clusterName, status }) =>
    status ? [{ clusterName, status: conform(shape, status, `status of ${clusterName}`, 'report') as Fields }] : [],
  )
}

/** Returns `wanted` as `shape`, or undefined if the template already has it. An absent list differs from an empty one. */
export function replacedStatus(template: UnknownObject, shape: Shape, wanted: Fields): Fields | undefined {
  const comparing = distinguishingEmpty(shape)
  const before = conform(comparing, template.status, 'status')
  const after = conform(comparing, wanted, 'status')
  return deepEqual(before, after) ? undefined : (conform(shape, wanted, 'status') as Fields)
}

/** Returns undefined for an empty list, for fields that exist only with entries. */
export function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

/** Sums one number over all statuses; absent counts as 0. */
export function total(statuses: readonly Collected[], field: string): number {
  return statuses.reduce((sum, { status }) => sum + Number(status[field] ?? 0), 0)
}
