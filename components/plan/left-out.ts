/** Workloads that the reader left out of a preview, in the address: `out=` holds their ids. */
import type { WorkloadRef } from '@/lib/view/model'
import { workloadId } from '@/lib/view/workload-id'

export const readLeftOut = (value: string | undefined): string[] => (value ?? '').split(',').filter((id) => id !== '')

/** Undefined while nothing is left out. */
export const writeLeftOut = (ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : ids.join(',')

/** The targets that remain, and which of those left out were among them. */
export function withoutLeftOut(
  targets: readonly WorkloadRef[],
  leftOut: readonly string[],
): { remaining: readonly WorkloadRef[]; out: string[] } {
  const ids = new Set(leftOut)
  const out = targets.map(workloadId).filter((id) => ids.has(id))
  return out.length === 0
    ? { remaining: targets, out }
    : { remaining: targets.filter((target) => !ids.has(workloadId(target))), out }
}
