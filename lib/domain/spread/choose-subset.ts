/** Chooses the subset for the next pod. */
import type { SpreadSubset, SubsetStatus, WorkloadSpread } from '../../kube/kinds'
import { SCHEDULABLE, UNLIMITED } from './names'

/** Reports whether the nodes of a subset have capacity for the pod; called in the order of the subsets. */
export type HasCapacity = (subset: string) => boolean

/**
 * Returns the first row, in the order of the status, that accepts pods and is below its limit or has none. With
 * `hasRoom`, the first of those with capacity; if none has any, the same row as without `hasRoom`.
 */
export function chooseSubset(rows: readonly SubsetStatus[], hasCapacity?: HasCapacity): SubsetStatus | undefined {
  const suitable = rows.filter(
    (row) => isSchedulable(row) && (row.missingReplicas > 0 || row.missingReplicas === UNLIMITED),
  )
  return (hasCapacity && suitable.find(({ name }) => hasCapacity(name))) ?? suitable[0]
}

/** Returns false for a subset that recently had no capacity. */
export function isSchedulable({ conditions }: Pick<SubsetStatus, 'conditions'>): boolean {
  return !conditions?.some(({ type, status }) => type === SCHEDULABLE && status === 'False')
}

const NO_LIMIT = 2_147_483_647

/**
 * Returns the subset of a StatefulSet's pod by its ordinal alone: subsets that accept pods are filled in the order of
 * the spec. A name without an ordinal counts as -1.
 */
export function chooseByOrdinal(
  { spec, status }: Pick<WorkloadSpread, 'spec' | 'status'>,
  podName: string,
): SpreadSubset | undefined {
  const closed = new Set(status?.subsetStatuses?.filter((row) => !isSchedulable(row)).map(({ name }) => name))
  const ordinal = ordinalOf(podName)
  let room = 0
  for (const subset of spec?.subsets ?? []) {
    if (closed.has(subset.name)) continue
    room += typeof subset.maxReplicas === 'number' ? subset.maxReplicas : NO_LIMIT
    if (room > ordinal) return subset
  }
  return undefined
}

function ordinalOf(podName: string): number {
  const digits = /^.*-(\d+)$/.exec(podName)?.[1]
  return digits === undefined ? -1 : Number(digits)
}

/** Returns the subset if there is only one and it has no limit, so that no pods need to be counted. */
export function onlySubset(subsets: readonly SpreadSubset[]): SpreadSubset | undefined {
  const [only, ...others] = subsets
  return only && others.length === 0 && only.maxReplicas === undefined ? only : undefined
}
