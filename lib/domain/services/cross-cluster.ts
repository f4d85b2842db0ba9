/** How a MultiClusterService of type CrossCluster brings a Service to clusters, and its endpoints to other clusters. */
import { apiVersionOf } from '../../kube/kind'
import { type EndpointSlice, resourceBinding, type ResourceBinding, type Service, service } from '../../kube/kinds'
import type { MultiClusterService } from '../../kube/kinds/multi-cluster-service'
import {
  BINDING_FINALIZER,
  BINDING_MANAGED_BY_LABEL,
  bindingNameOf,
  CLAIMED_BY_LABEL,
  CLUSTER_POLICY_ID_LABEL,
  CLUSTER_POLICY_NAME_ANNOTATION,
  MULTI_CLUSTER_SERVICE_ID_LABEL,
  MULTI_CLUSTER_SERVICE_NAME,
  MULTI_CLUSTER_SERVICE_NAMESPACE,
  POLICY_ID_LABEL,
  POLICY_NAME_ANNOTATION,
  POLICY_NAMESPACE_ANNOTATION,
  SLICE_SOURCE_ANNOTATION,
} from '../../kube/names'
import type { Draft, KubeObject, UnknownObject } from '../../kube/object'
import { omit } from '../../std/omit'
import { SERVICE_NAME, SLICE_MANAGED_BY } from './labels'

const OWNER = 'MultiClusterService'
const DISPATCHER = 'endpointslice-dispatch-controller.karmada.io'

export const isCrossCluster = ({ spec }: MultiClusterService): boolean => spec.types.includes('CrossCluster')

/** Returns the clusters whose endpoints are shared: the provider clusters, or all clusters if none is named. */
export function providersOf({ spec }: MultiClusterService, all: readonly string[]): string[] {
  return namedOr(spec.providerClusters, all)
}

/** The clusters that get the endpoints of others. */
export function consumersOf({ spec }: MultiClusterService, all: readonly string[]): string[] {
  return namedOr(spec.consumerClusters, all)
}

function namedOr(named: readonly { name?: string }[] = [], all: readonly string[]): string[] {
  const names = named.flatMap(({ name }) => (name === undefined ? [] : [name]))
  return [...new Set(names.length > 0 ? names : all)].sort()
}

/** The Service with its propagator: no policy applies to it any more. */
export function claimService(object: Service, owner: MultiClusterService): Service {
  const { metadata } = object
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: {
        ...omit(metadata.labels ?? {}, POLICY_ID_LABEL, CLUSTER_POLICY_ID_LABEL),
        [CLAIMED_BY_LABEL]: OWNER,
        ...idOf(owner),
      },
      annotations: {
        ...omit(
          metadata.annotations ?? {},
          POLICY_NAME_ANNOTATION,
          POLICY_NAMESPACE_ANNOTATION,
          CLUSTER_POLICY_NAME_ANNOTATION,
        ),
        ...namesOf(owner),
      },
    },
  }
}

/** A Service or its binding without the marks of the MultiClusterService. It stays where it is. */
export function releaseService<T extends KubeObject>(object: T): T {
  const { labels = {}, annotations = {} } = object.metadata
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: omit(labels, CLAIMED_BY_LABEL, MULTI_CLUSTER_SERVICE_ID_LABEL, BINDING_MANAGED_BY_LABEL),
      annotations: omit(annotations, MULTI_CLUSTER_SERVICE_NAME, MULTI_CLUSTER_SERVICE_NAMESPACE),
    },
  }
}

/** The binding that brings the Service to all clusters; what other loops own of an existing one is kept. */
export function serviceBinding(
  template: Service,
  owner: MultiClusterService,
  { clusters, existing }: { clusters: readonly string[]; existing: ResourceBinding | undefined },
): Draft<ResourceBinding> {
  const { name, namespace, uid, resourceVersion } = template.metadata
  const apiVersion = apiVersionOf(service)
  const { kind } = service
  const fresh = { name: bindingNameOf(kind, name), namespace }
  const old: Partial<ResourceBinding['metadata']> = existing?.metadata ?? fresh
  return {
    ...existing,
    apiVersion: apiVersionOf(resourceBinding),
    kind: resourceBinding.kind,
    metadata: {
      ...old,
      labels: { ...old.labels, [BINDING_MANAGED_BY_LABEL]: OWNER, ...idOf(owner) },
      annotations: { ...old.annotations, ...namesOf(owner) },
      finalizers: [...new Set([...(old.finalizers ?? []), BINDING_FINALIZER])],
      ownerReferences: [{ apiVersion, kind, name, uid }],
    },
    spec: {
      ...existing?.spec,
      placement: { clusterAffinity: { clusterNames: [...clusters] } },
      conflictResolution: 'Overwrite',
      resource: { apiVersion, kind, ...(namespace && { namespace }), name, uid, resourceVersion },
    },
  }
}

const idOf = ({ metadata: { labels = {} } }: MultiClusterService): Record<string, string> => ({
  [MULTI_CLUSTER_SERVICE_ID_LABEL]: labels[MULTI_CLUSTER_SERVICE_ID_LABEL] ?? '',
})

const namesOf = ({ metadata: { namespace = '', name } }: MultiClusterService): Record<string, string> => ({
  [MULTI_CLUSTER_SERVICE_NAME]: name,
  [MULTI_CLUSTER_SERVICE_NAMESPACE]: namespace,
})

/** Reports whether a slice was dispatched from another cluster; such slices are not shared again. */
const isDispatched = ({ metadata: { labels } }: KubeObject): boolean => labels?.[SLICE_MANAGED_BY] === DISPATCHER

/** A slice to be dispatched to a consumer cluster, named after its provider cluster. */
export interface SlicePlan {
  provider: string
  consumer: string
  manifest: UnknownObject
}

/** Every slice of a provider for every consumer but the provider itself. */
export function planSlices(
  owner: MultiClusterService,
  { consumers, slices }: { consumers: readonly string[]; slices: ReadonlyMap<string, readonly EndpointSlice[]> },
): SlicePlan[] {
  return [...slices].flatMap(([provider, own]) =>
    own
      .filter((slice) => !isDispatched(slice))
      .flatMap((slice) =>
        consumers
          .filter((consumer) => consumer !== provider)
          .map((consumer) => ({ provider, consumer, manifest: copyOf(owner, provider, slice) })),
      ),
  )
}

function copyOf(owner: MultiClusterService, provider: string, slice: EndpointSlice): UnknownObject {
  const { addressType, endpoints, ports, metadata } = slice
  const copy: Draft<EndpointSlice> = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${provider}-${metadata.name}`,
      namespace: metadata.namespace,
      labels: { [SERVICE_NAME]: owner.metadata.name, [SLICE_MANAGED_BY]: DISPATCHER },
      annotations: { [SLICE_SOURCE_ANNOTATION]: provider },
    },
    addressType,
    endpoints,
    ...(ports && { ports }),
  }
  return copy as unknown as UnknownObject
}
