/** The names, labels, annotations and finalizers by which Karmada's objects find each other. */
import { fnv1a32 } from '@/lib/std/fnv'
import { objectKey, type KubeObject } from './object'

/** Label of templates, bindings and manifests that a PropagationPolicy claimed. */
export const POLICY_ID_LABEL = 'propagationpolicy.karmada.io/permanent-id'
export const POLICY_NAMESPACE_ANNOTATION = 'propagationpolicy.karmada.io/namespace'
export const POLICY_NAME_ANNOTATION = 'propagationpolicy.karmada.io/name'
/** Label of templates, bindings and manifests that a ClusterPropagationPolicy claimed. */
export const CLUSTER_POLICY_ID_LABEL = 'clusterpropagationpolicy.karmada.io/permanent-id'
export const CLUSTER_POLICY_NAME_ANNOTATION = 'clusterpropagationpolicy.karmada.io/name'
/** Label of a ResourceBinding, its Works and their manifests. */
export const BINDING_ID_LABEL = 'resourcebinding.karmada.io/permanent-id'
export const BINDING_NAMESPACE_ANNOTATION = 'resourcebinding.karmada.io/namespace'
export const BINDING_NAME_ANNOTATION = 'resourcebinding.karmada.io/name'
/** Label of a ClusterResourceBinding, its Works and their manifests. */
export const CLUSTER_BINDING_ID_LABEL = 'clusterresourcebinding.karmada.io/permanent-id'
export const CLUSTER_BINDING_NAME_ANNOTATION = 'clusterresourcebinding.karmada.io/name'
export const BINDING_MANAGED_BY_LABEL = 'binding.karmada.io/managed-by'
/** Dependencies of a binding's template, as JSON. */
export const BINDING_DEPENDENCIES_ANNOTATION = 'resourcebinding.karmada.io/dependencies'
/** Prefix of the label by which a binding names a binding that depends on it; followed by `bindingReferenceKey`. */
export const DEPENDED_BY_LABEL_PREFIX = 'resourcebinding.karmada.io/depended-by-'
/** Label of a Work and its manifests. */
export const WORK_ID_LABEL = 'work.karmada.io/permanent-id'
export const WORK_NAMESPACE_ANNOTATION = 'work.karmada.io/namespace'
export const WORK_NAME_ANNOTATION = 'work.karmada.io/name'
/** `overwrite` or `abort`, in lower case. */
export const CONFLICT_RESOLUTION_ANNOTATION = 'work.karmada.io/conflict-resolution'
/** Label of objects that were propagated to a member. */
export const MANAGED_LABEL = 'karmada.io/managed'
export const MANAGED_LABEL_VALUE = 'true'
/** Label of namespaces and objects that belong to the control plane. */
export const SYSTEM_LABEL = 'karmada.io/system'
export const SYSTEM_LABEL_VALUE = 'true'
export const TEMPLATE_UID_ANNOTATION = 'resourcetemplate.karmada.io/uid'
export const TEMPLATE_GENERATION_ANNOTATION = 'resourcetemplate.karmada.io/generation'
/** Comma-joined names of the annotations and labels that the control plane owns in a member. */
export const MANAGED_ANNOTATIONS_ANNOTATION = 'resourcetemplate.karmada.io/managed-annotations'
export const MANAGED_LABELS_ANNOTATION = 'resourcetemplate.karmada.io/managed-labels'
/** Set by the user on a template. */
export const RETAIN_REPLICAS_LABEL = 'resourcetemplate.karmada.io/retain-replicas'
export const CLAIMED_BY_LABEL = 'resourcetemplate.karmada.io/claimed-by'
export const DELETION_PROTECTED_LABEL = 'resourcetemplate.karmada.io/deletion-protected'
export const DELETION_PROTECTED_ALWAYS = 'Always'
/** On the Works that keep a cluster's share of a FederatedResourceQuota. */
export const QUOTA_NAMESPACE_LABEL = 'federatedresourcequota.karmada.io/namespace'
export const QUOTA_NAME_LABEL = 'federatedresourcequota.karmada.io/name'
/** Label of a MultiClusterService, its Service and the binding of that. */
export const MULTI_CLUSTER_SERVICE_ID_LABEL = 'multiclusterservice.karmada.io/permanent-id'
/** Annotations of the Service and its binding, labels of the Works with EndpointSlices. */
export const MULTI_CLUSTER_SERVICE_NAMESPACE = 'multiclusterservice.karmada.io/namespace'
export const MULTI_CLUSTER_SERVICE_NAME = 'multiclusterservice.karmada.io/name'
/** Annotation of an EndpointSlice that was brought from another cluster, and of its Work: that cluster. */
export const SLICE_SOURCE_ANNOTATION = 'endpointslice.karmada.io/provision-cluster'
/** Set by the user on a namespace. */
export const SKIP_AUTO_PROPAGATION_LABEL = 'namespace.karmada.io/skip-auto-propagation'
/** On a WorkloadSpread: which rules are to be as in OpenKruise. */
export const SPREAD_RULES_ANNOTATION = 'spread.evenkeel.io/like-upstream'
/** On a binding that a queue suspended: `namespace/name` of the queue. Stays after the release. */
export const QUEUE_ANNOTATION = 'queue.evenkeel.io/queue'
/** `<user> <RFC 3339>`: a user suspended this one binding. No queue releases it. */
export const SUSPENDED_BY_ANNOTATION = 'queue.evenkeel.io/suspended-by'
/** On a placed binding: the queue whose hold suspends it, including its scaling and failover. */
export const HELD_PLACED_ANNOTATION = 'queue.evenkeel.io/held-placed'
/** On a binding whose policy suspends its scheduling: `<kind> [<namespace>/]<name>` of that policy. */
export const SUSPENDED_BY_POLICY_ANNOTATION = 'policy.evenkeel.io/suspended-by'
/** `<user> (<field manager>) <RFC 3339>`: the user who set `spec.suspension.scheduling`, recorded by admission. */
export const SUSPENSION_WRITER_ANNOTATION = 'policy.evenkeel.io/suspension-writer'
/** The placement that the scheduler last worked with, as JSON. */
export const APPLIED_PLACEMENT_ANNOTATION = 'policy.karmada.io/applied-placement'
export const APPLIED_OVERRIDES_ANNOTATION = 'policy.karmada.io/applied-overrides'
export const APPLIED_CLUSTER_OVERRIDES_ANNOTATION = 'policy.karmada.io/applied-cluster-overrides'

export const POLICY_FINALIZER = 'karmada.io/propagation-policy-controller'
export const CLUSTER_POLICY_FINALIZER = 'karmada.io/cluster-propagation-policy-controller'
export const BINDING_FINALIZER = 'karmada.io/binding-controller'
export const DEPENDENCIES_FINALIZER = 'karmada.io/binding-dependencies-distributor'
export const CLUSTER_BINDING_FINALIZER = 'karmada.io/cluster-resource-binding-controller'
export const WORK_FINALIZER = 'karmada.io/execution-controller'
export const CLUSTER_FINALIZER = 'karmada.io/cluster-controller'

export const NAMESPACE_SYSTEM = 'karmada-system'
export const NAMESPACE_CLUSTER = 'karmada-cluster'
export const EXECUTION_SPACE_PREFIX = 'karmada-es-'

/** Letters of generated names: no vowels and no look-alikes, so that no words appear. */
const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'

/** Replaces each character by one that is valid in names and cannot form an offensive word. */
export function safeEncode(text: string): string {
  return Array.from(text, (character) => SAFE_LETTERS[character.charCodeAt(0) % SAFE_LETTERS.length]).join('')
}

const safeHash = (text: string): string => safeEncode(String(fnv1a32(text)))
const withoutColons = (name: string): string => name.replaceAll(':', '.')

/** Returns the namespace of a cluster's Works. */
export function executionSpaceOf(cluster: string): string {
  return `${EXECUTION_SPACE_PREFIX}${cluster}`
}

/** Returns the cluster of an execution space; undefined for other namespaces. */
export function clusterOfExecutionSpace(namespace: string): string | undefined {
  return namespace.startsWith(EXECUTION_SPACE_PREFIX) ? namespace.slice(EXECUTION_SPACE_PREFIX.length) : undefined
}

/** True for namespaces that belong to the control plane and are never propagated. */
export function isReservedNamespace(namespace: string): boolean {
  return (
    namespace === NAMESPACE_SYSTEM || namespace === NAMESPACE_CLUSTER || namespace.startsWith(EXECUTION_SPACE_PREFIX)
  )
}

/** The name of the binding of a template. Group and version are not part of it. */
export function bindingNameOf(kind: string, name: string): string {
  return `${withoutColons(name)}-${kind}`.toLowerCase()
}

/** The name of the Work of an object, the same for every cluster. */
export function workNameOf(object: { kind: string; namespace?: string | undefined; name: string }): string {
  const name = withoutColons(object.name).toLowerCase()
  const scope = object.namespace ? `${object.namespace}-` : ''
  return `${name}-${safeHash(`${scope}${name}-${object.kind}`.toLowerCase())}`
}

/** The key under which an attached binding refers to the binding that needs it. */
export function bindingReferenceKey(namespace: string, name: string): string {
  return safeHash(namespace ? `${namespace}/${name}` : name)
}

/** The name of the policy that `karmadactl promote` makes for an object. `gvk` reads `apps/v1, Kind=Deployment`. */
export function policyNameOf(namespace: string, name: string, gvk: string): string {
  return `${withoutColons(name)}-${safeHash(`${namespace}${gvk}`)}`.toLowerCase()
}

/** The text by which logs and events of Karmada name an object. */
export function clusterWideKey(object: KubeObject): string {
  return `${object.apiVersion}, kind=${object.kind}, ${objectKey(object)}`
}

/** The ServiceAccount that acts for the control plane in a member. */
export const serviceAccountNameOf = (cluster: string): string => `karmada-${cluster}`
/** The ClusterRole of that ServiceAccount. */
export const roleNameOf = (serviceAccount: string): string => `karmada-controller-manager:${serviceAccount}`
/** The Service that a ServiceImport is turned into. */
export const derivedServiceNameOf = (service: string): string => `derived-${service}`
/** Deployment and Service of a cluster's accurate estimator. */
export const estimatorNameOf = (cluster: string, prefix = 'karmada-scheduler-estimator'): string =>
  `${prefix}-${cluster}`
/** The Secret with the token that may impersonate users in a member. */
export const impersonationSecretNameOf = (cluster: string): string => `${cluster}-impersonator`
/** An EndpointSlice that was collected from a member. */
export const endpointSliceNameOf = (cluster: string, slice: string): string => `imported-${cluster}-${slice}`
