/** Defines the order and the rate of evictions from a cluster. */
import type { BindingSpec } from '../../kube/kinds/binding'

/** The rate of evictions, and the delay of cluster reports. */
export interface EvictionTiming {
  evictionsPerSecond: number
  /** Time from the arrival of replicas until their cluster reports less free capacity. */
  reportsAfterMs: number
}

interface Leaving {
  metadata: { namespace?: string; name: string }
  spec: Pick<BindingSpec, 'schedulePriority'>
}

/**
 * Orders by scheduling priority (highest first), then by namespace and name. Upstream iterates over a map, in random
 * order.
 */
export function compareEvictions(a: Leaving, b: Leaving): number {
  const priority = (b.spec.schedulePriority?.priority ?? 0) - (a.spec.schedulePriority?.priority ?? 0)
  return (
    priority
    || compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '')
    || compare(a.metadata.name, b.metadata.name)
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
