/** Names and labels in which ResourceBinding and ClusterResourceBinding differ. */
import type { BindingSpec, BindingStatus } from '../../kube/kinds/binding'
import {
  BINDING_FINALIZER,
  BINDING_ID_LABEL,
  BINDING_NAME_ANNOTATION,
  BINDING_NAMESPACE_ANNOTATION,
  CLUSTER_BINDING_FINALIZER,
  CLUSTER_BINDING_ID_LABEL,
  CLUSTER_BINDING_NAME_ANNOTATION,
} from '../../kube/names'
import type { KubeObject } from '../../kube/object'

/** A binding of either kind. */
export type Binding = KubeObject & { spec: BindingSpec; status?: BindingStatus }

/** Labels or annotations. */
export type Words = Record<string, string>

/** Returns the finalizer that keeps a binding until its Works are deleted. */
export function bindingFinalizer(namespaced: boolean): string {
  return namespaced ? BINDING_FINALIZER : CLUSTER_BINDING_FINALIZER
}

/** Returns the label that links a binding, its Works and their manifests. */
export function bindingIdLabel(namespaced: boolean): string {
  return namespaced ? BINDING_ID_LABEL : CLUSTER_BINDING_ID_LABEL
}

/** Returns the permanent ID of a binding; undefined before its admission. */
export function bindingIdOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[bindingIdLabel(metadata.namespace !== undefined)]
}

/** Returns the permanent ID of the binding that an object belongs to; undefined for other objects. */
export function ownerBindingIdOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[BINDING_ID_LABEL] ?? metadata.labels?.[CLUSTER_BINDING_ID_LABEL]
}

/** Returns the annotations by which Works and manifests refer to their binding. */
export function bindingNameAnnotations({ metadata: { namespace, name } }: KubeObject): Words {
  return namespace === undefined
    ? { [CLUSTER_BINDING_NAME_ANNOTATION]: name }
    : { [BINDING_NAMESPACE_ANNOTATION]: namespace, [BINDING_NAME_ANNOTATION]: name }
}

/** Returns the binding that an object's annotations refer to. */
export function ownerBindingOf({ metadata }: KubeObject): { namespace?: string; name: string } | undefined {
  const { annotations = {} } = metadata
  const namespace = annotations[BINDING_NAMESPACE_ANNOTATION]
  const name = annotations[BINDING_NAME_ANNOTATION]
  if (namespace && name) return { namespace, name }
  const clusterName = annotations[CLUSTER_BINDING_NAME_ANNOTATION]
  return clusterName ? { name: clusterName } : undefined
}

/** Reports whether the bound resource has replicas to divide or requirements. */
export function isWorkload({ replicas, replicaRequirements, components }: BindingSpec): boolean {
  return (replicas ?? 0) > 0 || replicaRequirements !== undefined || (components?.length ?? 0) > 0
}
