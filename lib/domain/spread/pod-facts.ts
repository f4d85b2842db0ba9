/** What the state of a pod means to a spread. */
import { findCondition } from '../../kube/conditions'
import type { Pod } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'

/** Neither ended nor on its way out. */
export function isActive({ metadata, status }: Pod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed' && !metadata.deletionTimestamp
}

/** No node took the pod, and the scheduler said so. */
export function isUnschedulable({ spec, status, metadata }: Pod): boolean {
  if (metadata.deletionTimestamp || spec.nodeName || status?.phase !== 'Pending') return false
  const scheduled = findCondition(status.conditions, 'PodScheduled')
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable'
}

/** When the pod was made; before everything else when that is not known. */
export function createdAt({ metadata }: Pod): EpochMs {
  return metadata.creationTimestamp ? parseTime(metadata.creationTimestamp) : -Infinity
}
