/** One pass over one MultiClusterService. */
import {
  claimService,
  consumersOf,
  isCrossCluster,
  planSlices,
  providersOf,
  releaseService,
  SERVICE_NAME,
  serviceBinding,
} from '@/lib/domain/services'
import { isConditionTrue, setCondition } from '@/lib/kube/conditions'
import type { Kind } from '@/lib/kube/kind'
import {
  cluster as clusterKind,
  type EndpointSlice,
  endpointSlice,
  resourceBinding,
  service as serviceKind,
} from '@/lib/kube/kinds'
import { multiClusterService, type MultiClusterService } from '@/lib/kube/kinds/multi-cluster-service'
import { bindingNameOf } from '@/lib/kube/names'
import { keyOf, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import type { MemberWatch } from '../shared/member-watch'
import { createOrChange, writeChanges, writeStatusFields } from '../shared/object-writes'
import { clusterNotFound, dispatched, type Reason, serviceApplied, serviceFailed } from './reasons'
import { keepWorks } from './works'

const FINALIZER = 'karmada.io/multiclusterservice-controller'
const sliceKind = endpointSlice as unknown as Kind<UnknownObject>

/** 1. The finalizer. 2. The Service to all its clusters. 3. The slices of providers to consumers. */
export async function reconcile(context: ReconcilerContext, members: MemberWatch, key: ObjectKey): Promise<void> {
  const owner = context.informers.of(multiClusterService).get(key)
  if (!owner) return
  if (owner.metadata.deletionTimestamp || !isCrossCluster(owner)) return release(context, owner, key)
  const held = await withFinalizer(context, owner)
  const all = clustersOf(context)
  for (const name of unknownOf(held, all)) notify(context, held, clusterNotFound(name))
  const failure = await propagate(context, held, all)
  const sent = await dispatch(context, members, { owner: held, key, all })
  await report(context, held, { failure, sent })
}

function clustersOf({ informers }: ReconcilerContext): string[] {
  return informers
    .of(clusterKind)
    .list()
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata }) => metadata.name)
}

function unknownOf(owner: MultiClusterService, all: readonly string[]): string[] {
  const named = new Set([...providersOf(owner, all), ...consumersOf(owner, all)])
  return [...named].filter((name) => !all.includes(name))
}

/** Removes the claims and the slices; keeps the Service and its workloads. */
async function release(context: ReconcilerContext, owner: MultiClusterService, key: ObjectKey): Promise<void> {
  if (!owner.metadata.finalizers?.includes(FINALIZER)) return
  const { client, informers } = context
  await keepWorks(context, key, [])
  const { namespace = '', name } = owner.metadata
  const service = informers.of(serviceKind).get(key)
  if (service) await writeChanges(client, serviceKind, { from: service, to: releaseService(service) })
  const binding = informers.of(resourceBinding).get(keyOf({ namespace, name: bindingNameOf(serviceKind.kind, name) }))
  if (binding) await writeChanges(client, resourceBinding, { from: binding, to: releaseService(binding) })
  const finalizers = owner.metadata.finalizers.filter((one) => one !== FINALIZER)
  await writeChanges(client, multiClusterService, {
    from: owner,
    to: { ...owner, metadata: { ...owner.metadata, finalizers } },
  })
}

async function withFinalizer({ client }: ReconcilerContext, owner: MultiClusterService): Promise<MultiClusterService> {
  const { finalizers = [] } = owner.metadata
  if (finalizers.includes(FINALIZER)) return owner
  const to = { ...owner, metadata: { ...owner.metadata, finalizers: [...finalizers, FINALIZER] } }
  return (await writeChanges(client, multiClusterService, { from: owner, to })) ?? owner
}

/** Returns why the Service is not propagated. */
async function propagate(
  { client, informers }: ReconcilerContext,
  owner: MultiClusterService,
  all: readonly string[],
): Promise<string | undefined> {
  const { namespace = '', name } = owner.metadata
  const service = informers.of(serviceKind).get(keyOf({ namespace, name }))
  // log: the text of a condition, as the API server puts it
  if (!service) return `services "${name}" not found`
  const claimed = claimService(service, owner)
  const template = (await writeChanges(client, serviceKind, { from: service, to: claimed })) ?? service
  const existing = informers.of(resourceBinding).get(keyOf({ namespace, name: bindingNameOf(serviceKind.kind, name) }))
  const clusters = [...new Set([...providersOf(owner, all), ...consumersOf(owner, all)])].sort()
  const to = serviceBinding(template, owner, { clusters, existing })
  await createOrChange(client, resourceBinding, { existing, to })
  return undefined
}

interface Dispatch {
  owner: MultiClusterService
  key: ObjectKey
  all: readonly string[]
}

/** Slices of a provider that does not answer stay as they are known. Returns whether there is any slice to share. */
async function dispatch(
  context: ReconcilerContext,
  members: MemberWatch,
  { owner, key, all }: Dispatch,
): Promise<boolean> {
  const clusters = context.informers.of(clusterKind)
  const isReady = (name: string): boolean => isConditionTrue(clusters.get(name)?.status?.conditions, 'Ready')
  const known = (name: string): boolean => all.includes(name)
  const slices = new Map(
    providersOf(owner, all)
      .filter(known)
      .map((name) => [name, slicesIn(members, name, owner)] as const),
  )
  const consumers = consumersOf(owner, all).filter((name) => known(name) && isReady(name))
  const plans = planSlices(owner, { consumers, slices })
  await keepWorks(context, key, plans)
  return [...slices.values()].some((own) => own.length > 0)
}

function slicesIn(members: MemberWatch, cluster: string, { metadata }: MultiClusterService): EndpointSlice[] {
  return members
    .of(cluster, sliceKind)
    .listNamespace(metadata.namespace ?? '')
    .filter(({ metadata: { labels } }) => labels?.[SERVICE_NAME] === metadata.name) as unknown as EndpointSlice[]
}

async function report(
  context: ReconcilerContext,
  owner: MultiClusterService,
  { failure, sent }: { failure: string | undefined; sent: boolean },
): Promise<void> {
  const { client, clock } = context
  const reasons = [failure === undefined ? serviceApplied : serviceFailed(failure), ...(sent ? [dispatched] : [])]
  const conditions = reasons.reduce(
    (before, { condition }) => (condition ? setCondition(before, condition, formatTime(clock.now())) : before),
    owner.status?.conditions ?? [],
  )
  const written = await writeStatusFields(client, multiClusterService, { object: owner, fields: { conditions } })
  if (written) for (const reason of reasons) notify(context, owner, reason)
}

function notify({ events }: ReconcilerContext, owner: MultiClusterService, reason: Reason): void {
  const { condition: _, ...event } = reason
  events.record({ ...event, regarding: referenceTo(multiClusterService, owner) })
}
