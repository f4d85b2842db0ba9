/** Which policy may take a template away from which. */
import type { Policy } from './select-policy'

/**
 * True when `policy` may take over a template that `holder` claimed: a namespaced policy takes from any cluster policy,
 * and from another of its sort only with a strictly higher explicit priority; a cluster policy never takes from a
 * namespaced one. Whether it preempts at all, and selects the template by name, is not asked here.
 */
export function mayPreempt(policy: Policy, holder: Policy): boolean {
  const isNamespaced = ({ metadata }: Policy): boolean => metadata.namespace !== undefined
  if (isNamespaced(policy) && !isNamespaced(holder)) return true
  if (!isNamespaced(policy) && isNamespaced(holder)) return false
  return priorityOf(policy) > priorityOf(holder)
}

/** The explicit priority of a policy. */
function priorityOf({ spec }: Policy): number {
  return spec.priority ?? 0
}

/**
 * The policies that may have become the better ones because `next` has a lower priority than `old` had, best first:
 * those of its sort and place that preempt, with a priority strictly between the two.
 */
export function policiesToPreempt(old: Policy, next: Policy, others: readonly Policy[]): Policy[] {
  return others
    .filter((other) => other.spec.preemption === 'Always' && other.metadata.namespace === next.metadata.namespace)
    .filter((other) => priorityOf(next) < priorityOf(other) && priorityOf(other) < priorityOf(old))
    .toSorted((left, right) => priorityOf(right) - priorityOf(left))
}
