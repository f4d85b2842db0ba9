/** Brings Services to several clusters, and their endpoints to other clusters. See README.md. */
import { SERVICE_NAME } from '@/lib/domain/services'
import { cluster as clusterKind, endpointSlice, resourceBinding, service as serviceKind } from '@/lib/kube/kinds'
import { multiClusterService } from '@/lib/kube/kinds/multi-cluster-service'
import { work as workKind } from '@/lib/kube/kinds/work'
import { isConditionTrue } from '@/lib/kube/conditions'
import { keyOf, objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Kind } from '@/lib/kube/kind'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import type { Cluster } from '@/lib/kube/kinds'
import { acquireMemberWatch, type MemberChange, type MemberWatch } from '../shared/member-watch'
import { reconcile } from './reconcile'
import { ownerOfWork } from './works'

export function multiClusterServiceController(context: ReconcilerContext): Controller {
  let members: MemberWatch | undefined
  const all = (): ObjectKey[] => context.informers.of(multiClusterService).list().map(objectKey)
  return {
    name: 'multi-cluster-service',
    concurrency: 2,
    watches: [
      watch({
        kind: multiClusterService,
        relevant: (change) =>
          change.type === 'added'
          || (change.type === 'updated'
            && (change.object.metadata.generation !== change.old.metadata.generation
              || change.object.metadata.deletionTimestamp !== change.old.metadata.deletionTimestamp)),
      }),
      watch({ kind: serviceKind }),
      watch({ kind: workKind, relevant: ({ type }) => type === 'deleted', keys: ownerOfWork }),
      watch({ kind: clusterKind, relevant: joinsOrLeaves, keys: all }),
    ],
    reads: [resourceBinding],
    start: (queue) => {
      const lease = acquireMemberWatch(context)
      members = lease.members
      const stop = members.onChange((change) => {
        const key = serviceOfSlice(change)
        if (key !== undefined && context.informers.of(multiClusterService).get(key)) queue.add(key)
      })
      return async () => {
        stop()
        await lease.release()
      }
    },
    reconcile: async (key) => {
      if (members) await reconcile(context, members, key)
    },
  }
}

function joinsOrLeaves(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return true
  const ready = ({ status }: Cluster): boolean => isConditionTrue(status?.conditions, 'Ready')
  return (
    ready(change.object) !== ready(change.old)
    || !deepEqual(change.object.metadata.deletionTimestamp, change.old.metadata.deletionTimestamp)
  )
}

/** The Service, and so the MultiClusterService of its name, that a slice of a member belongs to. */
function serviceOfSlice(change: MemberChange): ObjectKey | undefined {
  if (change.kind.kind !== (endpointSlice as unknown as Kind<UnknownObject>).kind) return undefined
  const { namespace = '', labels } = (change.type === 'deleted' ? change.old : change.object).metadata
  const name = labels?.[SERVICE_NAME]
  return name === undefined ? undefined : keyOf({ namespace, name })
}
