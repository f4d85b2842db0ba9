/** Builds the Work that propagates one template to one cluster. */
import { apiVersionOf } from '../../kube/kind'
import type { TargetCluster } from '../../kube/kinds/binding'
import { type Work, work as workKind } from '../../kube/kinds/work'
import {
  APPLIED_CLUSTER_OVERRIDES_ANNOTATION,
  APPLIED_OVERRIDES_ANNOTATION,
  CONFLICT_RESOLUTION_ANNOTATION,
  executionSpaceOf,
  MANAGED_ANNOTATIONS_ANNOTATION,
  MANAGED_LABEL,
  MANAGED_LABEL_VALUE,
  MANAGED_LABELS_ANNOTATION,
  MULTI_CLUSTER_SERVICE_NAME,
  MULTI_CLUSTER_SERVICE_NAMESPACE,
  QUOTA_NAME_LABEL,
  QUOTA_NAMESPACE_LABEL,
  SLICE_SOURCE_ANNOTATION,
  TEMPLATE_GENERATION_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  WORK_FINALIZER,
  WORK_ID_LABEL,
  WORK_NAME_ANNOTATION,
  WORK_NAMESPACE_ANNOTATION,
  workNameOf,
} from '../../kube/names'
import type { Draft, KubeObject, UnknownObject } from '../../kube/object'
import { omit } from '../../std/omit'
import { injectedLabels } from '../failover'
import { type Manifest, pruneManifest, reviseReplicas } from '../interpreter'
import { applyOverrides, type ClusterOverrides, type Overridden } from '../override'
import {
  type Binding,
  bindingIdLabel,
  bindingIdOf,
  bindingNameAnnotations,
  isWorkload,
  type Words,
} from './binding-form'
import { targetClusters } from './clusters'

export interface WorkRequest {
  binding: Binding
  template: UnknownObject
  target: TargetCluster
  /** The template with this cluster's replicas; absent: the built-in rule of its kind sets them. */
  revised?: Manifest | undefined
  /** This cluster's share of a Job's completions, if they are divided. */
  completions?: number | undefined
  /** Overrides of this cluster; absent: none. */
  overrides?: ClusterOverrides | undefined
  existing?: Work | undefined
}

/** Returns namespace and name of the Work for a template and a cluster. */
export function workRefOf({ kind, metadata }: UnknownObject, cluster: string): { namespace: string; name: string } {
  const { namespace, name } = metadata
  return { namespace: executionSpaceOf(cluster), name: workNameOf({ kind, namespace, name }) }
}

/**
 * Returns the Work to create, or the updated existing one: labels and annotations are merged, the spec is replaced.
 * Deterministic, so that comparing specs shows whether a write is needed. Throws an OverrideError if a policy cannot be
 * applied.
 */
export function buildWork(request: WorkRequest): Draft<Work> {
  const { binding, template, target, existing } = request
  const ref = workRefOf(template, target.name)
  const copy = override(revise(request), request.overrides)
  const resolution = { [CONFLICT_RESOLUTION_ANNOTATION]: conflictResolution(binding, copy.manifest) }
  const labels = bindingIdMark(binding)
  const annotations = { ...bindingNameAnnotations(binding), ...resolution }
  return draftWork({
    ref,
    labels,
    annotations: { ...annotations, ...copy.annotations },
    existing,
    spec: {
      suspendDispatching: isDispatchSuspended(binding, target.name),
      preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion ?? false,
      workload: {
        manifests: [
          finishManifest(copy.manifest, {
            labels: { ...labels, ...workIdMark(existing) },
            annotations: { ...annotations, ...templateMarks(template), ...workMarks(ref) },
          }),
        ],
      },
    },
  })
}

export interface PlainWorkRequest extends Pick<WorkRequest, 'overrides' | 'existing'> {
  object: UnknownObject
  cluster: string
}

/**
 * Builds the Work of an object that is propagated without a binding, such as a namespace. Throws an OverrideError if a
 * policy cannot be applied.
 */
export function buildPlainWork({ object, cluster, overrides, existing }: PlainWorkRequest): Draft<Work> {
  const ref = workRefOf(object, cluster)
  const copy = override(object, overrides)
  const draft = draftWork({
    ref,
    labels: {},
    annotations: copy.annotations,
    existing,
    spec: {
      workload: {
        manifests: [
          finishManifest(copy.manifest, {
            labels: workIdMark(existing),
            annotations: { [TEMPLATE_UID_ANNOTATION]: object.metadata.uid, ...workMarks(ref) },
          }),
        ],
      },
    },
  })
  const {
    apiVersion,
    kind,
    metadata: { name, uid },
  } = object
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
  return { ...draft, metadata: { ...draft.metadata, ownerReferences: [owner] } }
}

/** One cluster's share of a quota. */
export interface AssignedQuotaRequest {
  quota: Pick<KubeObject, 'metadata'>
  cluster: string
  hard: Readonly<Record<string, string | number>>
  existing?: Work | undefined
}

/** Builds the Work for a cluster's share of a FederatedResourceQuota, a ResourceQuota of the same name. */
export function buildAssignedQuotaWork({ quota, cluster, hard, existing }: AssignedQuotaRequest): Draft<Work> {
  const { namespace = '', name } = quota.metadata
  const resourceQuota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace, name },
    spec: { hard },
  } as unknown as UnknownObject
  const ref = workRefOf(resourceQuota, cluster)
  return draftWork({
    ref,
    existing,
    annotations: {},
    labels: { [QUOTA_NAMESPACE_LABEL]: namespace, [QUOTA_NAME_LABEL]: name },
    spec: {
      workload: {
        manifests: [finishManifest(resourceQuota, { labels: workIdMark(existing), annotations: workMarks(ref) })],
      },
    },
  })
}

/** An EndpointSlice of one cluster for another one, of a MultiClusterService. */
export interface SliceRequest {
  owner: { namespace: string; name: string }
  /** The previous cluster and the new one. */
  provider: string
  consumer: string
  manifest: UnknownObject
  existing?: Work | undefined
}

/** The Work that brings a slice of a provider to a consumer. */
export function buildSliceWork({ owner, provider, consumer, manifest, existing }: SliceRequest): Draft<Work> {
  const ref = workRefOf(manifest, consumer)
  return draftWork({
    ref,
    existing,
    annotations: { [SLICE_SOURCE_ANNOTATION]: provider },
    labels: { [MULTI_CLUSTER_SERVICE_NAMESPACE]: owner.namespace, [MULTI_CLUSTER_SERVICE_NAME]: owner.name },
    spec: {
      workload: {
        manifests: [finishManifest(manifest, { labels: workIdMark(existing), annotations: workMarks(ref) })],
      },
    },
  })
}

/** An object that the control plane itself creates in a cluster. */
export interface ClusterWorkRequest {
  object: UnknownObject
  cluster: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>
  existing?: Work | undefined
}

/** Builds the Work of an object that belongs to one cluster and is deleted with it. */
export function buildClusterWork({ object, cluster, existing }: ClusterWorkRequest): Draft<Work> {
  const { apiVersion, kind, metadata } = cluster
  const { name, uid } = metadata
  const ref = workRefOf(object, name)
  const draft = draftWork({
    ref,
    existing,
    annotations: {},
    labels: {},
    spec: {
      workload: {
        manifests: [
          finishManifest(object, {
            labels: workIdMark(existing),
            annotations: { [TEMPLATE_UID_ANNOTATION]: '', ...workMarks(ref) },
          }),
        ],
      },
    },
  })
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
  return { ...draft, metadata: { ...draft.metadata, ownerReferences: [owner] } }
}

interface WorkParts {
  ref: { namespace: string; name: string }
  labels: Words
  annotations: Words
  spec: Work['spec']
  existing: Work | undefined
}

function draftWork({ ref, labels, annotations, spec, existing }: WorkParts): Draft<Work> {
  const old = existing?.metadata
  return {
    ...existing,
    apiVersion: apiVersionOf(workKind),
    kind: workKind.kind,
    metadata: {
      ...old,
      ...ref,
      labels: { ...old?.labels, ...labels },
      annotations: { ...withoutRecord(old?.annotations), ...annotations },
      finalizers: [...new Set([...(old?.finalizers ?? []), WORK_FINALIZER])],
    },
    spec,
  }
}

/** Returns the template with this cluster's share of replicas and completions. */
function revise(request: WorkRequest): Manifest {
  const {
    binding,
    template,
    target: { replicas = 0 },
    completions,
  } = request
  const share = request.revised ?? (isWorkload(binding.spec) ? reviseReplicas(template, replicas) : template)
  const revised = injectState(share, request)
  if (completions === undefined) return revised
  return { ...revised, spec: { ...(revised.spec as object), completions } }
}

/** Adds the state that was preserved in the failed cluster. */
function injectState(manifest: Manifest, { binding: { spec }, target }: WorkRequest): Manifest {
  const labels = injectedLabels(spec, target.name, targetClusters(spec).length)
  if (Object.keys(labels).length === 0) return manifest
  return { ...manifest, metadata: { ...manifest.metadata, labels: { ...manifest.metadata.labels, ...labels } } }
}

function override(manifest: Manifest, overrides: ClusterOverrides | undefined): Overridden {
  return overrides ? applyOverrides(manifest, overrides) : { manifest, annotations: {} }
}

/** Removes records of earlier overrides, which do not apply to the new manifest. */
function withoutRecord(annotations: Words = {}): Words {
  return omit(annotations, APPLIED_OVERRIDES_ANNOTATION, APPLIED_CLUSTER_OVERRIDES_ANNOTATION)
}

/**
 * Labels and prunes the manifest, and lists the managed keys, so that a member can remove keys that the template no
 * longer has.
 */
function finishManifest(object: Manifest, marks: { labels: Words; annotations: Words }): Manifest {
  const pruned = pruneManifest(object)
  const labels = { ...pruned.metadata.labels, ...marks.labels, [MANAGED_LABEL]: MANAGED_LABEL_VALUE }
  const annotations = { ...pruned.metadata.annotations, ...marks.annotations }
  const listed = [...Object.keys(annotations), MANAGED_ANNOTATIONS_ANNOTATION, MANAGED_LABELS_ANNOTATION]
  return {
    ...pruned,
    metadata: {
      ...pruned.metadata,
      labels,
      annotations: {
        ...annotations,
        [MANAGED_ANNOTATIONS_ANNOTATION]: sorted(listed),
        [MANAGED_LABELS_ANNOTATION]: sorted(Object.keys(labels)),
      },
    },
  }
}

const sorted = (names: readonly string[]): string => [...new Set(names)].sort().join(',')

/** Returns the ID label of an existing Work, which the webhook also sets on the manifest. */
function workIdMark(existing: Work | undefined): Words {
  const id = existing?.metadata.labels?.[WORK_ID_LABEL]
  return id === undefined ? {} : { [WORK_ID_LABEL]: id }
}

function bindingIdMark(binding: Binding): Words {
  const id = bindingIdOf(binding)
  return id === undefined ? {} : { [bindingIdLabel(binding.metadata.namespace !== undefined)]: id }
}

function templateMarks({ metadata: { uid, generation = 0 } }: UnknownObject): Words {
  return {
    [TEMPLATE_UID_ANNOTATION]: uid,
    ...(generation > 0 && { [TEMPLATE_GENERATION_ANNOTATION]: String(generation) }),
  }
}

function workMarks({ namespace, name }: { namespace: string; name: string }): Words {
  return { [WORK_NAMESPACE_ANNOTATION]: namespace, [WORK_NAME_ANNOTATION]: name }
}

/** Returns the template's own resolution if it is valid, otherwise the policy's. */
function conflictResolution({ spec }: Binding, { metadata }: Manifest): string {
  const desired = metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION]
  if (desired === 'overwrite' || desired === 'abort') return desired
  return spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort'
}

function isDispatchSuspended({ spec: { suspension } }: Binding, cluster: string): boolean {
  return suspension?.dispatching === true || (suspension?.dispatchingOnClusters?.clusterNames ?? []).includes(cluster)
}
