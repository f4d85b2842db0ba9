/** Decides which policy may preempt another one's claim on a template. */
import type { Policy } from './select-policy'

/**
 * Reports whether `policy` may take over a template claimed by `holder`. A PropagationPolicy may preempt any
 * ClusterPropagationPolicy, and another PropagationPolicy only with a strictly higher explicit priority; a
 * ClusterPropagationPolicy never preempts a PropagationPolicy. Does not check whether preemption is enabled and the
 * template is selected.
 */
export function mayPreempt(policy: Policy, holder: Policy): boolean {
  const isNamespaced = ({ metadata }: Policy): boolean => metadata.namespace !== undefined
  if (isNamespaced(policy) && !isNamespaced(holder)) return true
  if (!isNamespaced(policy) && isNamespaced(holder)) return false
  return priorityOf(policy) > priorityOf(holder)
}

/** Returns the explicit priority of a policy. */
function priorityOf({ spec }: Policy): number {
  return spec.priority ?? 0
}

/**
 * Returns the policies that may now preempt because the priority dropped from `old` to `next`, best first: those of the
 * same kind and namespace with preemption enabled and a priority strictly between the two.
 */
export function policiesToPreempt(old: Policy, next: Policy, others: readonly Policy[]): Policy[] {
  return others
    .filter((other) => other.spec.preemption === 'Always' && other.metadata.namespace === next.metadata.namespace)
    .filter((other) => priorityOf(next) < priorityOf(other) && priorityOf(other) < priorityOf(old))
    .toSorted((left, right) => priorityOf(right) - priorityOf(left))
}
