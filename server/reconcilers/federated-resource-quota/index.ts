/** Maintains the usage of quotas and the shares that they assign to clusters. See README.md. */
import { usageOf } from '@/lib/kube/admission/quota'
import { federatedResourceQuota, resourceBinding } from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { objectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { quotaOfWork } from './assignments'
import { reconcileQuota } from './reconcile'

export interface FederatedResourceQuotaOptions {
  /** Interval between recounts of every quota. Default 5 minutes, as upstream. */
  resyncEveryMs?: number
}

const RESYNC_EVERY_MS = 5 * 60_000

export function federatedResourceQuotaController(
  context: ReconcilerContext,
  options: FederatedResourceQuotaOptions = {},
): Controller {
  const { resyncEveryMs = RESYNC_EVERY_MS } = options
  const quotas = context.informers.of(federatedResourceQuota)
  return {
    name: 'federated-resource-quota',
    concurrency: 2,
    resyncEveryMs,
    watches: [
      watch({
        kind: federatedResourceQuota,
        relevant: (change) =>
          change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation,
      }),
      watch({
        kind: resourceBinding,
        relevant: (change) => change.type === 'deleted' && usageOf(change.old.spec).size > 0,
        keys: (change) => {
          const { namespace = '' } = (change.type === 'deleted' ? change.old : change.object).metadata
          return quotas.listNamespace(namespace).map(objectKey)
        },
      }),
      watch({ kind: workKind, relevant: reportsAnew, keys: quotaOfWork }),
      watch({
        kind: clusterKind,
        relevant: ({ type }) => type !== 'updated',
        keys: () => quotas.list().map(objectKey),
      }),
    ],
    reconcile: (key) => reconcileQuota(context, key),
  }
}

/** Reports whether a share was added or removed, or reports another status. */
function reportsAnew(change: Change<Work>): boolean {
  if (quotaOfWork(change).length === 0) return false
  return change.type !== 'updated' || !deepEqual(change.object.status, change.old.status)
}
