/** The Works that bring slices to consumers. */
import { buildSliceWork } from '@/lib/domain/propagation'
import type { SlicePlan } from '@/lib/domain/services'
import { isNotFound } from '@/lib/kube/errors'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { MULTI_CLUSTER_SERVICE_NAME, MULTI_CLUSTER_SERVICE_NAMESPACE } from '@/lib/kube/names'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { createOrChange } from '../shared/object-writes'

const INDEX = 'multi-cluster-service'

/** The key of the MultiClusterService that a Work belongs to, for `WatchSpec.keys`. */
export function ownerOfWork(change: Change<Work>): ObjectKey[] {
  return ownersOf(change.type === 'deleted' ? change.old : change.object)
}

function ownersOf({ metadata: { labels = {} } }: Work): ObjectKey[] {
  const namespace = labels[MULTI_CLUSTER_SERVICE_NAMESPACE]
  const name = labels[MULTI_CLUSTER_SERVICE_NAME]
  return namespace && name ? [keyOf({ namespace, name })] : []
}

function worksOf(informers: Informers, key: ObjectKey): readonly Work[] {
  const works = informers.of(workKind)
  works.addIndex(INDEX, ownersOf)
  return works.byIndex(INDEX, key)
}

/** Reconciles the Works with the plan. Returns true when a Work was written. */
export async function keepWorks(
  { client, informers }: ReconcilerContext,
  key: ObjectKey,
  plans: readonly SlicePlan[],
): Promise<boolean> {
  const [namespace = '', name = ''] = key.split('/')
  const existing = new Map(worksOf(informers, key).map((work) => [placeOf(work), work]))
  const wanted = plans.map((plan) => {
    const draft = buildSliceWork({ ...plan, owner: { namespace, name } })
    return existing.has(placeOf(draft as Work))
      ? buildSliceWork({ ...plan, owner: { namespace, name }, existing: existing.get(placeOf(draft as Work)) })
      : draft
  })
  const places = new Set(wanted.map((work) => placeOf(work as Work)))
  const obsolete = [...existing].filter(([place]) => !places.has(place)).map(([, work]) => work)
  const written = await Promise.all([
    ...obsolete.map((work) => remove(client, work)),
    ...wanted.map((to) => createOrChange(client, workKind, { existing: existing.get(placeOf(to as Work)), to })),
  ])
  return written.includes(true)
}

const placeOf = ({ metadata: { namespace = '', name } }: Pick<Work, 'metadata'>): string => `${namespace}/${name}`

async function remove(client: ReconcilerContext['client'], { metadata }: Work): Promise<boolean> {
  if (metadata.deletionTimestamp) return false
  const { namespace = '', name, uid } = metadata
  try {
    await client.delete(workKind, { namespace, name }, { preconditions: { uid } })
    return true
  } catch (error) {
    if (!isNotFound(error)) throw error
    return false
  }
}
