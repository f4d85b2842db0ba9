/** Writes the actions that Remedies request into the status of clusters. See README.md. */
import { isRemedyFor, remedyActionsOf } from '@/lib/domain/cluster'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { remedy as remedyKind, type Remedy } from '@/lib/kube/kinds/remedy'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { writeStatusFields } from '../shared/object-writes'

export function remedyController(context: ReconcilerContext): Controller {
  const clusters = context.informers.of(clusterKind)
  return {
    name: 'remedy',
    watches: [
      watch({ kind: clusterKind, relevant: mayNeedOthers }),
      watch({ kind: remedyKind, keys: (change) => concerned(clusters.list(), change) }),
    ],
    reconcile: (key) => reconcile(context, key),
  }
}

function mayNeedOthers(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const [now, before] = [change.object.status, change.old.status]
  return !deepEqual(now?.conditions, before?.conditions) || !deepEqual(now?.remedyActions, before?.remedyActions)
}

/** The clusters that the remedy is about, or was. */
function concerned(clusters: readonly Cluster[], change: Change<Remedy>): ObjectKey[] {
  const remedies = [
    ...(change.type === 'deleted' ? [] : [change.object]),
    ...(change.type === 'added' ? [] : [change.old]),
  ]
  return clusters.filter((cluster) => remedies.some((remedy) => isRemedyFor(remedy, cluster))).map(objectKey)
}

async function reconcile({ client, informers }: ReconcilerContext, key: ObjectKey): Promise<void> {
  const cluster = informers.of(clusterKind).get(key)
  if (!cluster || cluster.metadata.deletionTimestamp) return
  const actions = remedyActionsOf(cluster, informers.of(remedyKind).list())
  await writeStatusFields(client, clusterKind, {
    object: cluster,
    fields: { remedyActions: actions.length > 0 ? actions : undefined },
  })
}
