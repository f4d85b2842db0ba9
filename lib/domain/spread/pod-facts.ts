/** Classifies pods by their state. */
import { findCondition } from '../../kube/conditions'
import type { Pod } from '../../kube/kinds'
import { parseTime, type EpochMs } from '../../std/clock'

/** Reports whether the pod is neither finished nor being deleted. */
export function isActive({ metadata, status }: Pod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed' && !metadata.deletionTimestamp
}

/** Reports whether the scheduler found no node for the pod. */
export function isUnschedulable({ spec, status, metadata }: Pod): boolean {
  if (metadata.deletionTimestamp || spec.nodeName || status?.phase !== 'Pending') return false
  const scheduled = findCondition(status.conditions, 'PodScheduled')
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable'
}

/** Returns the creation time; -Infinity if unknown. */
export function createdAt({ metadata }: Pod): EpochMs {
  return metadata.creationTimestamp ? parseTime(metadata.creationTimestamp) : -Infinity
}
