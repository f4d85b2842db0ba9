/** The order in which the scheduler processes the workloads of one rebalance. */
import type { Binding } from '../placement'
import { type WorkloadRef, workloadKey } from './sync-status'

/**
 * Sorts by priority, then by key: the rebalancer triggers its workloads by API version, kind, namespace and name, and the
 * scheduler takes pending bindings of a higher priority first.
 */
export function inSchedulingOrder<T>(
  items: readonly T[],
  { workloadOf, bindingOf }: { workloadOf: (item: T) => WorkloadRef; bindingOf: (item: T) => Binding | undefined },
): T[] {
  return items
    .map((item) => ({
      item,
      priority: bindingOf(item)?.spec.schedulePriority?.priority ?? 0,
      key: workloadKey(workloadOf(item)),
    }))
    .sort((a, b) => b.priority - a.priority || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)
}
