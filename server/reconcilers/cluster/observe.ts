import { cluster as clusterKind, type Cluster, namespace as namespaceKind, type Namespace } from '@/lib/kube/kinds'
import { executionSpaceOf } from '@/lib/kube/names'
import type { EpochMs } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { bindingKinds } from '../binding-kinds'

/** What the loop knows about one cluster. */
export interface ClusterSnapshot {
  now: EpochMs
  cluster: Cluster
  executionNamespace: Namespace | undefined
  /** Bindings that list the cluster in `spec.clusters`; eviction tasks do not count. */
  bindings: number
}

const BY_CLUSTER = 'scheduledTo'

/** Finds bindings by the clusters that they are scheduled to. */
export function indexBindings(informers: Informers): void {
  for (const kind of bindingKinds) {
    informers.of(kind).addIndex(BY_CLUSTER, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name))
  }
}

export function observe({ informers, clock }: ReconcilerContext, name: string): ClusterSnapshot | undefined {
  const cluster = informers.of(clusterKind).get(name)
  if (!cluster) return undefined
  return {
    now: clock.now(),
    cluster,
    executionNamespace: informers.of(namespaceKind).get(executionSpaceOf(name)),
    bindings: bindingKinds.reduce((sum, kind) => sum + informers.of(kind).byIndex(BY_CLUSTER, name).length, 0),
  }
}
