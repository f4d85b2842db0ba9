/** Shares of a quota that are assigned to clusters, each as a Work with a ResourceQuota. */
import { buildAssignedQuotaWork } from '@/lib/domain/propagation'
import { isNotFound } from '@/lib/kube/errors'
import type { FederatedResourceQuota } from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace, QUOTA_NAME_LABEL, QUOTA_NAMESPACE_LABEL } from '@/lib/kube/names'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { createOrChange } from '../shared/object-writes'
import { notifySync } from './events'

const QUOTA_INDEX = 'quota'

/** Returns the Works with shares of a quota. */
export function sharesOf(informers: Informers, key: ObjectKey): readonly Work[] {
  const works = informers.of(workKind)
  works.addIndex(QUOTA_INDEX, quotaOf)
  return works.byIndex(QUOTA_INDEX, key)
}

/** Returns the key of the quota to which a changed Work belongs, for `WatchSpec.keys`. */
export function quotaOfWork(change: Change<Work>): ObjectKey[] {
  return quotaOf(change.type === 'deleted' ? change.old : change.object)
}

function quotaOf({ metadata: { labels = {} } }: Work): ObjectKey[] {
  const namespace = labels[QUOTA_NAMESPACE_LABEL]
  const name = labels[QUOTA_NAME_LABEL]
  return namespace && name ? [keyOf({ namespace, name })] : []
}

/** Creates, updates and deletes Works according to the assignments; without a quota all of them are deleted. */
export async function keepAssignments(
  context: ReconcilerContext,
  key: ObjectKey,
  quota: FederatedResourceQuota | undefined,
): Promise<void> {
  const existing = new Map(sharesOf(context.informers, key).map((work) => [clusterOf(work), work]))
  const assigned = new Map(assignmentsOf(context.informers, quota).map(({ clusterName, hard }) => [clusterName, hard]))
  const orphans = [...existing].filter(([cluster]) => !assigned.has(cluster)).map(([, work]) => work)
  await Promise.all(orphans.map((work) => deleteWork(context, work)))
  if (!quota || assigned.size === 0) return
  try {
    const written = await Promise.all(
      [...assigned].map(([cluster, hard]) =>
        ensureWork(context, { quota, cluster, hard, existing: existing.get(cluster) }),
      ),
    )
    if (written.includes(true)) notifySync(context, quota)
  } catch (error) {
    notifySync(context, quota, error)
    throw error
  }
}

/** Assignments to clusters that have not joined yet are skipped until they join. */
function assignmentsOf(informers: Informers, quota: FederatedResourceQuota | undefined) {
  const clusters = informers.of(clusterKind)
  return (quota?.spec.staticAssignments ?? []).filter(({ clusterName }) => {
    const found = clusters.get(clusterName)
    return found && !found.metadata.deletionTimestamp
  })
}

function clusterOf({ metadata }: Work): string {
  return clusterOfExecutionSpace(metadata.namespace ?? '') ?? ''
}

/** Returns whether anything was written. */
function ensureWork(
  { client }: ReconcilerContext,
  request: Parameters<typeof buildAssignedQuotaWork>[0],
): Promise<boolean> {
  return createOrChange(client, workKind, { existing: request.existing, to: buildAssignedQuotaWork(request) })
}

async function deleteWork({ client }: ReconcilerContext, { metadata }: Work): Promise<void> {
  if (metadata.deletionTimestamp) return
  const { namespace = '', name, uid } = metadata
  try {
    await client.delete(workKind, { namespace, name }, { preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
