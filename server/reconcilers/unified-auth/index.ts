/**
 * Allows the control plane to impersonate users in members, for users whose roles permit the cluster proxy. See
 * README.md.
 */
import { buildClusterWork, workRefOf } from '@/lib/domain/propagation'
import { cluster as clusterKind, type Cluster, clusterRole, clusterRoleBinding } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { SYSTEM_LABEL } from '@/lib/kube/names'
import { keyOf, objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import { impersonationRules } from '@/lib/kube/rbac/impersonation-rules'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { createOrChange } from '../shared/object-writes'

export function unifiedAuthController(context: ReconcilerContext): Controller {
  const all = (): ObjectKey[] => context.informers.of(clusterKind).list().map(objectKey)
  return {
    name: 'unified-auth',
    watches: [
      watch({
        kind: clusterKind,
        relevant: (change) =>
          change.type === 'added'
          || (change.type === 'updated'
            && change.object.spec.impersonatorSecretRef?.name !== change.old.spec.impersonatorSecretRef?.name),
      }),
      watch({ kind: clusterRole, keys: all }),
      watch({ kind: clusterRoleBinding, keys: all }),
    ],
    reconcile: (name) => syncImpersonation(context, name),
  }
}

/** Does nothing while the impersonator Secret is missing, because the control plane then cannot impersonate users. */
async function syncImpersonation(context: ReconcilerContext, name: string): Promise<void> {
  const cluster = context.informers.of(clusterKind).get(name)
  if (!cluster || cluster.metadata.deletionTimestamp || !cluster.spec.impersonatorSecretRef) return
  const event = { component: 'unified-auth-controller', regarding: referenceTo(clusterKind, cluster) }
  try {
    const written = await Promise.all(grantsOf(context, cluster).map((object) => ensureWork(context, cluster, object)))
    if (!written.includes(true)) return
    // upstream: Karmada unified-auth-controller
    const message = 'Sync impersonation config succeed.'
    context.events.record({ ...event, type: 'Normal', reason: 'SyncImpersonationConfigSucceed', message })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.events.record({ ...event, type: 'Warning', reason: 'SyncImpersonationConfigFailed', message })
    throw error
  }
}

const IMPERSONATOR = 'karmada-impersonator'

/** Returns the role and its binding for the member. */
function grantsOf({ informers }: ReconcilerContext, { metadata, spec }: Cluster): UnknownObject[] {
  const own = { name: IMPERSONATOR, labels: { [SYSTEM_LABEL]: 'true' } }
  const rules = impersonationRules(
    informers.of(clusterRole).list(),
    informers.of(clusterRoleBinding).list(),
    metadata.name,
  )
  const apiGroup = 'rbac.authorization.k8s.io'
  const account = { kind: 'ServiceAccount', namespace: spec.impersonatorSecretRef?.namespace, name: IMPERSONATOR }
  return [
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: own, rules: rules.length > 0 ? rules : null },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: own,
      subjects: [account],
      roleRef: { apiGroup, kind: 'ClusterRole', name: IMPERSONATOR },
    },
  ] as unknown as UnknownObject[]
}

/** Returns whether anything was written. */
function ensureWork(
  { client, informers }: ReconcilerContext,
  cluster: Cluster,
  object: UnknownObject,
): Promise<boolean> {
  const existing = informers.of(workKind).get(keyOf(workRefOf(object, cluster.metadata.name)))
  return createOrChange(client, workKind, { existing, to: buildClusterWork({ object, cluster, existing }) })
}
