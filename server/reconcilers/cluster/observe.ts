import { cluster as clusterKind, type Cluster, namespace as namespaceKind, type Namespace } from '@/lib/kube/kinds'
import { executionSpaceOf } from '@/lib/kube/names'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { bindingsOn } from '../shared/binding-kinds'

/** What the loop knows about one cluster. */
export interface ClusterSnapshot {
  now: EpochMs
  cluster: Cluster
  executionNamespace: Namespace | undefined
  /** Bindings that list the cluster in `spec.clusters`; eviction tasks do not count. */
  bindings: number
}

export function observe({ informers, clock }: ReconcilerContext, name: string): ClusterSnapshot | undefined {
  const cluster = informers.of(clusterKind).get(name)
  if (!cluster) return undefined
  return {
    now: clock.now(),
    cluster,
    executionNamespace: informers.of(namespaceKind).get(executionSpaceOf(name)),
    bindings: bindingsOn(informers, name).length,
  }
}
