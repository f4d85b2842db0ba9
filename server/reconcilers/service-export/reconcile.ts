/** One pass over one exported Service. */
import { collectedFrom, collectedSlice, isBrought, SERVICE_NAME } from '@/lib/domain/services'
import { isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { type EndpointSlice, endpointSlice, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { serviceExport } from '@/lib/kube/kinds/service-export'
import { bindingNameOf } from '@/lib/kube/names'
import { type Draft, keyOf, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Informers } from '@/server/kube/informer'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import type { MemberWatch } from '../shared/member-watch'
import { createOrChange } from '../shared/object-writes'

const sliceKind = endpointSlice as unknown as Kind<UnknownObject>
const INDEX = 'service-export'
/** A member is read again when its cache was not complete. */
const READ_AGAIN_MS = 1_000

/** Syncs the slices of the control plane with those of the exporting clusters. Unknown ones stay. */
export async function reconcile(
  context: ReconcilerContext,
  members: MemberWatch,
  key: ObjectKey,
): Promise<ReconcileResult> {
  const { client, informers } = context
  const [namespace = '', name = ''] = key.split('/')
  const clusters = exportingClusters(informers, { namespace, name })
  const unread = new Set(clusters.filter((cluster) => !members.of(cluster, sliceKind).hasSynced()))
  const wanted = clusters
    .filter((cluster) => !unread.has(cluster))
    .flatMap((cluster) =>
      slicesIn(members, cluster, { namespace, name }).map((slice) => collectedSlice(cluster, name, slice)),
    )
  const existing = new Map(slicesOf(informers, key).map((slice) => [slice.metadata.name, slice]))
  const names = new Set(wanted.map(({ metadata }) => metadata.name))
  const obsolete = [...existing.values()].filter(
    (slice) => !names.has(slice.metadata.name) && !unread.has(collectedFrom(slice)?.cluster ?? ''),
  )
  await Promise.all([
    ...obsolete.map((slice) => remove(client, slice)),
    ...wanted.map((to) => createOrChange(client, endpointSlice, keeping(existing.get(to.metadata.name ?? ''), to))),
  ])
  return unread.size > 0 ? { requeueAfterMs: READ_AGAIN_MS } : undefined
}

/** What other controllers and the API server set in an existing slice is kept. */
function keeping(existing: EndpointSlice | undefined, to: Draft<EndpointSlice>) {
  if (!existing) return { existing, to }
  const { metadata } = existing
  const labels = { ...metadata.labels, ...to.metadata.labels }
  const annotations = { ...metadata.annotations, ...to.metadata.annotations }
  return { existing, to: { ...existing, ...to, metadata: { ...metadata, labels, annotations } } }
}

/** The clusters in which the ServiceExport was applied. */
export const exportsOf = ({ status }: ResourceBinding): string[] =>
  (status?.aggregatedStatus ?? []).filter(({ applied }) => applied === true).map(({ clusterName }) => clusterName)

function exportingClusters(informers: Informers, { namespace, name }: { namespace: string; name: string }): string[] {
  const own = informers.of(serviceExport).get(keyOf({ namespace, name }))
  if (!own || own.metadata.deletionTimestamp) return []
  const binding = informers.of(resourceBinding).get(keyOf({ namespace, name: bindingNameOf(serviceExport.kind, name) }))
  return binding ? exportsOf(binding) : []
}

function slicesIn(
  members: MemberWatch,
  cluster: string,
  { namespace, name }: { namespace: string; name: string },
): EndpointSlice[] {
  return members
    .of(cluster, sliceKind)
    .listNamespace(namespace)
    .filter(
      (slice) => slice.metadata.labels?.[SERVICE_NAME] === name && !isBrought(slice),
    ) as unknown as EndpointSlice[]
}

/** The collected slices of the control plane. */
function slicesOf(informers: Informers, key: ObjectKey): readonly EndpointSlice[] {
  const slices = informers.of(endpointSlice)
  slices.addIndex(INDEX, (slice) => {
    const collected = collectedFrom(slice)
    return collected ? [keyOf({ namespace: slice.metadata.namespace ?? '', name: collected.service })] : []
  })
  return slices.byIndex(INDEX, key)
}

async function remove(client: ReconcilerContext['client'], { metadata }: EndpointSlice): Promise<void> {
  const { namespace = '', name, uid } = metadata
  try {
    await client.delete(endpointSlice, { namespace, name }, { preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
