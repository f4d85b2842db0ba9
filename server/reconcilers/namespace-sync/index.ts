/** Propagates the namespaces of users to every cluster. See README.md. */
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { type ClusterOverridePolicy, clusterOverridePolicy } from '@/lib/kube/kinds/cluster-override-policy'
import { namespace as namespaceKind, type Namespace } from '@/lib/kube/kinds/namespace'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change, Informers } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { concerns } from '../shared/template-kinds'
import { reconcileNamespace } from './reconcile'

export function namespaceSyncController(context: ReconcilerContext): Controller {
  const { informers } = context
  const all = (): ObjectKey[] => informers.of(namespaceKind).list().map(objectKey)
  return {
    name: 'namespace-sync',
    concurrency: 4,
    watches: [
      watch({ kind: namespaceKind, relevant: isRelevant, keys: (change) => changedNamespaces(change, all) }),
      watch({
        kind: clusterOverridePolicy,
        relevant: isSpecChange,
        keys: (change) => overriddenNamespaces(informers, change),
      }),
      watch({ kind: clusterKind, relevant: (change) => change.type === 'added', keys: all }),
      watch({ kind: workKind, relevant: (change) => change.type === 'deleted', keys: ownerOf }),
    ],
    reconcile: (name) => reconcileNamespace(context, name),
  }
}

function isRelevant(change: Change<Namespace>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const { labels, annotations, deletionTimestamp } = change.object.metadata
  const old = change.old.metadata
  return !deepEqual([labels, annotations], [old.labels, old.annotations]) || deletionTimestamp !== old.deletionTimestamp
}

/** A new execution namespace enqueues all namespaces for its cluster. */
function changedNamespaces(change: Change<Namespace>, all: () => ObjectKey[]): ObjectKey[] {
  if (change.type === 'deleted') return []
  const { name } = change.object.metadata
  return change.type === 'added' && clusterOfExecutionSpace(name) !== undefined ? all() : [name]
}

function isSpecChange(change: Change<ClusterOverridePolicy>): boolean {
  return change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation
}

/** Returns the namespaces to which an override policy applies, or applied before the change. */
function overriddenNamespaces(informers: Informers, change: Change<ClusterOverridePolicy>): ObjectKey[] {
  return informers
    .of(namespaceKind)
    .list()
    .filter((namespace) => concerns(change, namespace))
    .map(objectKey)
}

/** Returns the namespace of a deleted Work. */
function ownerOf(change: Change<Work>): ObjectKey[] {
  const owners = change.type === 'deleted' ? (change.old.metadata.ownerReferences ?? []) : []
  return owners.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name)
}
