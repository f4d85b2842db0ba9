/** Collects the endpoints of exported Services from their clusters. See README.md. */
import { collectedFrom, SERVICE_NAME } from '@/lib/domain/services'
import type { Kind } from '@/lib/kube/kind'
import { type EndpointSlice, endpointSlice, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { serviceExport } from '@/lib/kube/kinds/service-export'
import { keyOf, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { acquireMemberWatch, type MemberChange, type MemberWatch } from '../shared/member-watch'
import { exportsOf, reconcile } from './reconcile'

const sliceKind = endpointSlice as unknown as Kind<UnknownObject>

export function serviceExportController(context: ReconcilerContext): Controller {
  let members: MemberWatch | undefined
  return {
    name: 'service-export',
    concurrency: 2,
    watches: [
      watch({ kind: serviceExport }),
      watch({ kind: resourceBinding, relevant: changesReports, keys: exportOfBinding }),
      watch({ kind: endpointSlice, keys: exportOfSlice }),
    ],
    start: (queue) => {
      const lease = acquireMemberWatch(context, 'all')
      members = lease.members
      const stop = members.onChange((change) => {
        const key = serviceOfSlice(change)
        if (key !== undefined && context.informers.of(serviceExport).get(key)) queue.add(key)
      })
      return async () => {
        stop()
        await lease.release()
      }
    },
    reconcile: async (key) => (members ? reconcile(context, members, key) : undefined),
  }
}

function changesReports(change: Change<ResourceBinding>): boolean {
  return change.type !== 'updated' || !deepEqual(exportsOf(change.object), exportsOf(change.old))
}

function exportOfBinding(change: Change<ResourceBinding>): ObjectKey[] {
  const { kind, namespace, name } = (change.type === 'deleted' ? change.old : change.object).spec.resource
  return kind === serviceExport.kind && namespace ? [keyOf({ namespace, name })] : []
}

/** A slice of the control plane. */
function exportOfSlice(change: Change<EndpointSlice>): ObjectKey[] {
  const slice = change.type === 'deleted' ? change.old : change.object
  const collected = collectedFrom(slice)
  return collected ? [keyOf({ namespace: slice.metadata.namespace ?? '', name: collected.service })] : []
}

/** The Service, and so the ServiceExport of its name, that a slice of a member belongs to. */
function serviceOfSlice(change: MemberChange): ObjectKey | undefined {
  if (change.kind.kind !== sliceKind.kind) return undefined
  const { namespace = '', labels } = (change.type === 'deleted' ? change.old : change.object).metadata
  const name = labels?.[SERVICE_NAME]
  return name === undefined ? undefined : keyOf({ namespace, name })
}
