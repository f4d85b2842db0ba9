/** In which order, and how fast, workloads leave a cluster that drives them out. */
import type { BindingSpec } from '../../kube/kinds/binding'

/** How fast workloads leave, and how soon clusters report what came to them. */
export interface EvictionTiming {
  evictionsPerSecond: number
  /** From the arrival of copies until their cluster reports less room. */
  reportsAfterMs: number
}

interface Leaving {
  metadata: { namespace?: string; name: string }
  spec: Pick<BindingSpec, 'schedulePriority'>
}

/** Higher scheduling priority first, then by namespace and name. Upstream goes through a map, in random order. */
export function compareEvictions(a: Leaving, b: Leaving): number {
  const priority = (b.spec.schedulePriority?.priority ?? 0) - (a.spec.schedulePriority?.priority ?? 0)
  return (
    priority
    || compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '')
    || compare(a.metadata.name, b.metadata.name)
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
