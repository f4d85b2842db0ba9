/** Whether and how one target of a WorkloadRebalancer is triggered. */
import { bindingNameOf } from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import type { ObservedWorkload, WorkloadRef } from './sync-status'

/** The binding of a target, by kind and key. */
export interface BindingRef {
  kind: 'ResourceBinding' | 'ClusterResourceBinding'
  namespace?: string
  name: string
}

/** What a pass does with one target. */
export type TriggerVerdict =
  /** Successful and Failed are final. */
  | { act: 'skip' }
  | { act: 'fail'; reason: 'ReferencedBindingNotFound' }
  /** The binding was already triggered since the rebalancer was created: Successful without a write. */
  | { act: 'accept' }
  | { act: 'trigger'; rescheduleTriggeredAt: string }

interface TriggerableBinding {
  spec: { rescheduleTriggeredAt?: string }
}

/** Where the binding of a resource template lives. Cluster-scoped templates have a ClusterResourceBinding. */
export function bindingRefOf({ kind, namespace, name }: Pick<WorkloadRef, 'kind' | 'namespace' | 'name'>): BindingRef {
  const bindingName = bindingNameOf(kind, name)
  return namespace
    ? { kind: 'ResourceBinding', namespace, name: bindingName }
    : { kind: 'ClusterResourceBinding', name: bindingName }
}

/** True while a pass still has to look at the target. */
export function isPending(observed: ObservedWorkload): boolean {
  return observed.result !== 'Successful' && observed.result !== 'Failed'
}

/**
 * Decides what happens to one target. `binding` is undefined when it does not exist. The stamp is the rebalancer's own
 * creation time, never the present, so that a second pass writes nothing.
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

/** How the attempt on a target went. `retry`: the API server refused for a reason that may pass. */
export type TriggerOutcome = 'triggered' | 'bindingNotFound' | 'retry'

/** The target's line of the status after the attempt; a retry leaves it as it was. */
export function recordOutcome(observed: ObservedWorkload, outcome: TriggerOutcome): ObservedWorkload {
  if (outcome === 'retry') return observed
  if (outcome === 'triggered') return { ...observed, result: 'Successful' }
  return { ...observed, result: 'Failed', reason: 'ReferencedBindingNotFound' }
}
