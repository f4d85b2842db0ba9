/** Adds and removes taints of clusters according to ClusterTaintPolicies. See README.md. */
import { concernsCluster } from '@/lib/domain/cluster'
import {
  cluster as clusterKind,
  type Cluster,
  clusterTaintPolicy as policyKind,
  type ClusterTaintPolicy,
} from '@/lib/kube/kinds'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { reconcile } from './reconcile'

export function clusterTaintPolicyController(context: ReconcilerContext): Controller {
  const { informers } = context
  return {
    name: 'cluster-taint-policy',
    watches: [
      watch({ kind: clusterKind, relevant: hasNewStatus }),
      watch({
        kind: policyKind,
        relevant: isSpecChange,
        keys: (change) =>
          change.type === 'deleted' ? [] : clustersOf(informers.of(clusterKind).list(), change.object),
      }),
    ],
    reconcile: (key) => reconcile(context, key),
  }
}

function hasNewStatus(change: Change<Cluster>): boolean {
  return (
    change.type === 'added'
    || (change.type === 'updated' && !deepEqual(change.object.status?.conditions, change.old.status?.conditions))
  )
}

function isSpecChange(change: Change<ClusterTaintPolicy>): boolean {
  return change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation
}

const clustersOf = (clusters: readonly Cluster[], policy: ClusterTaintPolicy): ObjectKey[] =>
  clusters.filter((cluster) => concernsCluster(policy, cluster)).map(objectKey)
