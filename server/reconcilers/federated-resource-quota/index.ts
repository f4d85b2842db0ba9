/** Keeps what quotas say of their use in step with the bindings of their namespace. See README.md. */
import { usageOf } from '@/lib/kube/admission/quota'
import { federatedResourceQuota, resourceBinding } from '@/lib/kube/kinds'
import { objectKey } from '@/lib/kube/object'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { reconcileQuota } from './reconcile'

export interface FederatedResourceQuotaOptions {
  /** Count every quota anew this often, whatever was or was not heard of. Default 5 minutes, as upstream. */
  resyncEveryMs?: number
}

const RESYNC_EVERY_MS = 5 * 60_000

export function federatedResourceQuotaController(
  context: ReconcilerContext, options: FederatedResourceQuotaOptions = {},
): Controller {
  const { resyncEveryMs = RESYNC_EVERY_MS } = options
  return {
    name: 'federated-resource-quota',
    concurrency: 2,
    resyncEveryMs,
    watches: [
      watch({
        kind: federatedResourceQuota,
        relevant: (change) => change.type === 'added'
          || (change.type === 'updated' && change.object.metadata.generation !== change.old.metadata.generation),
      }),
      watch({
        kind: resourceBinding,
        relevant: (change) => change.type === 'deleted' && usageOf(change.old.spec).size > 0,
        keys: (change) => {
          const { namespace = '' } = (change.type === 'deleted' ? change.old : change.object).metadata
          return context.informers.of(federatedResourceQuota).listNamespace(namespace).map(objectKey)
        },
      }),
    ],
    reconcile: (key) => reconcileQuota(context, key),
  }
}
