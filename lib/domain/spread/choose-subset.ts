/** Which subset takes the next pod. */
import type { SpreadSubset, SubsetStatus, WorkloadSpread } from '../../kube/kinds'
import { SCHEDULABLE, UNLIMITED } from './names'

/** Whether the nodes of a subset have room for the pod; asked in the order of the subsets. */
export type HasRoom = (subset: string) => boolean

/**
 * The first row, in the order of the status, that takes pods and wants more or has no limit. With `hasRoom` the first of
 * those that have room; when none has, the pod waits where it would have gone anyway.
 */
export function chooseSubset(rows: readonly SubsetStatus[], hasRoom?: HasRoom): SubsetStatus | undefined {
  const suitable = rows.filter(
    (row) => isSchedulable(row) && (row.missingReplicas > 0 || row.missingReplicas === UNLIMITED),
  )
  return (hasRoom && suitable.find(({ name }) => hasRoom(name))) ?? suitable[0]
}

/** False for a subset that had no room a while ago. */
export function isSchedulable({ conditions }: Pick<SubsetStatus, 'conditions'>): boolean {
  return !conditions?.some(({ type, status }) => type === SCHEDULABLE && status === 'False')
}

const NO_LIMIT = 2_147_483_647

/**
 * The subset of a pod of a StatefulSet, by its ordinal alone: subsets that take pods are filled up in the order of the
 * spec. A name without ordinal counts as -1.
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

/** Where nothing has to be counted: one subset without a limit takes every pod. */
export function onlySubset(subsets: readonly SpreadSubset[]): SpreadSubset | undefined {
  const [only, ...others] = subsets
  return only && others.length === 0 && only.maxReplicas === undefined ? only : undefined
}
