import {
  cluster as clusterKind,
  type Cluster,
  namespace as namespaceKind,
  type Namespace,
  work as workKind,
  type Work,
} from '@/lib/kube/kinds'
import { executionSpaceOf } from '@/lib/kube/names'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { bindingsOn } from '../shared/binding-kinds'

/** Input for one cluster. */
export interface ClusterSnapshot {
  now: EpochMs
  cluster: Cluster
  executionNamespace: Namespace | undefined
}

/** What keeps a cluster from being removed. Read only for that: it takes time in proportion to the workloads. */
export interface Remains {
  /** Works in its execution namespace whose finalizers must be removed. */
  guardedWorks: readonly Work[]
  /** Bindings that list the cluster in `spec.clusters`; eviction tasks do not count. */
  bindings: number
}

export function observe({ informers, clock }: ReconcilerContext, name: string): ClusterSnapshot | undefined {
  const cluster = informers.of(clusterKind).get(name)
  if (!cluster) return undefined
  return { now: clock.now(), cluster, executionNamespace: informers.of(namespaceKind).get(executionSpaceOf(name)) }
}

export function observeRemains({ informers }: ReconcilerContext, name: string): Remains {
  return {
    guardedWorks: informers
      .of(workKind)
      .listNamespace(executionSpaceOf(name))
      .filter(({ metadata }) => metadata.finalizers?.length),
    bindings: bindingsOn(informers, name).length,
  }
}
