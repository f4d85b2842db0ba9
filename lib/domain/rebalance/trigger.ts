/** Decides whether and how one target of a WorkloadRebalancer is triggered. */
import { bindingNameOf } from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import type { ObservedWorkload, WorkloadRef } from './sync-status'

/** Reference to the binding of a target. */
export interface BindingRef {
  kind: 'ResourceBinding' | 'ClusterResourceBinding'
  namespace?: string
  name: string
}

/** Action for one target. */
export type TriggerVerdict =
  /** Successful and Failed are final. */
  | { act: 'skip' }
  | { act: 'fail'; reason: 'ReferencedBindingNotFound' }
  /** The binding was already triggered after the rebalancer was created: Successful without a write. */
  | { act: 'accept' }
  | { act: 'trigger'; rescheduleTriggeredAt: string }

interface TriggerableBinding {
  spec: { rescheduleTriggeredAt?: string }
}

/** Returns the binding of a resource template. Cluster-scoped templates have a ClusterResourceBinding. */
export function bindingRefOf({ kind, namespace, name }: Pick<WorkloadRef, 'kind' | 'namespace' | 'name'>): BindingRef {
  const bindingName = bindingNameOf(kind, name)
  return namespace
    ? { kind: 'ResourceBinding', namespace, name: bindingName }
    : { kind: 'ClusterResourceBinding', name: bindingName }
}

/** Reports whether the target still has to be processed. */
export function isPending(observed: ObservedWorkload): boolean {
  return observed.result !== 'Successful' && observed.result !== 'Failed'
}

/**
 * Decides on one target. `binding` is undefined if it does not exist. The time stamp is the rebalancer's creation time,
 * never the current time, so that a second reconcile writes nothing.
 */
export function assessTrigger(
  observed: ObservedWorkload,
  binding: TriggerableBinding | undefined,
  creationTimestamp: string,
): TriggerVerdict {
  if (!isPending(observed)) return { act: 'skip' }
  if (!binding) return { act: 'fail', reason: 'ReferencedBindingNotFound' }
  const triggeredAt = binding.spec.rescheduleTriggeredAt
  if (triggeredAt !== undefined && parseTime(triggeredAt) >= parseTime(creationTimestamp)) return { act: 'accept' }
  return { act: 'trigger', rescheduleTriggeredAt: creationTimestamp }
}

/** Result of the attempt on a target. `retry`: the API server rejected the write for a temporary reason. */
export type TriggerOutcome = 'triggered' | 'bindingNotFound' | 'retry'

/** Returns the target's entry in the status after the attempt; a retry leaves it unchanged. */
export function recordOutcome(observed: ObservedWorkload, outcome: TriggerOutcome): ObservedWorkload {
  if (outcome === 'retry') return observed
  if (outcome === 'triggered') return { ...observed, result: 'Successful' }
  return { ...observed, result: 'Failed', reason: 'ReferencedBindingNotFound' }
}
