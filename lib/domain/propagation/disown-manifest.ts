/** Removes the marks of the control plane from a member's object that is preserved. */
import {
  BINDING_ID_LABEL,
  BINDING_NAME_ANNOTATION,
  BINDING_NAMESPACE_ANNOTATION,
  CLUSTER_BINDING_ID_LABEL,
  CLUSTER_BINDING_NAME_ANNOTATION,
  CLUSTER_POLICY_ID_LABEL,
  CLUSTER_POLICY_NAME_ANNOTATION,
  MANAGED_ANNOTATIONS_ANNOTATION,
  MANAGED_LABEL,
  MANAGED_LABELS_ANNOTATION,
  POLICY_ID_LABEL,
  POLICY_NAME_ANNOTATION,
  POLICY_NAMESPACE_ANNOTATION,
  TEMPLATE_GENERATION_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  WORK_ID_LABEL,
  WORK_NAME_ANNOTATION,
  WORK_NAMESPACE_ANNOTATION,
} from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import type { Words } from './binding-form'

const MARKS: ReadonlySet<string> = new Set([
  BINDING_ID_LABEL,
  CLUSTER_BINDING_ID_LABEL,
  WORK_ID_LABEL,
  MANAGED_LABEL,
  MANAGED_ANNOTATIONS_ANNOTATION,
  MANAGED_LABELS_ANNOTATION,
  BINDING_NAMESPACE_ANNOTATION,
  BINDING_NAME_ANNOTATION,
  CLUSTER_BINDING_NAME_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  TEMPLATE_GENERATION_ANNOTATION,
  WORK_NAME_ANNOTATION,
  WORK_NAMESPACE_ANNOTATION,
  POLICY_ID_LABEL,
  POLICY_NAMESPACE_ANNOTATION,
  POLICY_NAME_ANNOTATION,
  CLUSTER_POLICY_ID_LABEL,
  CLUSTER_POLICY_NAME_ANNOTATION,
])

/** Returns the member's object without marks of the control plane. */
export function disown(observed: UnknownObject): UnknownObject {
  const { labels, annotations, ...metadata } = observed.metadata
  return {
    ...observed,
    metadata: {
      ...metadata,
      ...(labels && { labels: unmarked(labels) }),
      ...(annotations && { annotations: unmarked(annotations) }),
    },
  }
}

function unmarked(words: Words): Words {
  return Object.fromEntries(Object.entries(words).filter(([name]) => !MARKS.has(name)))
}
