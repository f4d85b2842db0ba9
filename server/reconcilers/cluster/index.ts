/**
 * Creates the execution namespace and the finalizer of every cluster, and maintains the taints for its Ready condition.
 */
import { cluster as clusterKind, namespace as namespaceKind, type Namespace, work as workKind } from '@/lib/kube/kinds'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds, indexByCluster } from '../shared/binding-kinds'
import { type ClusterOptions, reconcile } from './reconcile'

export type { ClusterOptions } from './reconcile'

export function clusterController(context: ReconcilerContext, options: ClusterOptions = {}): Controller {
  const isDeleting = (name: string): boolean =>
    context.informers.of(clusterKind).get(name)?.metadata.deletionTimestamp !== undefined
  return {
    name: 'cluster',
    watches: [
      watch({ kind: clusterKind }),
      watch({ kind: namespaceKind, keys: clustersOfSpace }),
      ...bindingKinds.map((kind) => watch({ kind, keys: (change) => clustersLeft(change).filter(isDeleting) })),
    ],
    reads: [workKind],
    start: () => indexByCluster(context.informers),
    reconcile: (key) => reconcile(context, key, options),
  }
}

/** Returns the cluster whose execution namespace changed. */
function clustersOfSpace(change: Change<Namespace>): ObjectKey[] {
  const { name } = (change.type === 'deleted' ? change.old : change.object).metadata
  const cluster = clusterOfExecutionSpace(name)
  return cluster === undefined ? [] : [cluster]
}

/** Returns the clusters to which a binding was scheduled before the change but not after it. */
function clustersLeft(change: Change<Binding>): string[] {
  if (change.type === 'added') return []
  const now = new Set(change.type === 'deleted' ? [] : change.object.spec.clusters?.map(({ name }) => name))
  return (change.old.spec.clusters ?? []).map(({ name }) => name).filter((name) => !now.has(name))
}
