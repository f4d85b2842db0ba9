/** Claims: the marks of a policy on its templates and on the bindings created from them. */
import {
  CLUSTER_POLICY_ID_LABEL,
  CLUSTER_POLICY_NAME_ANNOTATION,
  POLICY_ID_LABEL,
  POLICY_NAME_ANNOTATION,
  POLICY_NAMESPACE_ANNOTATION,
} from '../../kube/names'
import type { KubeObject, ObjectMeta } from '../../kube/object'
import type { Words } from './binding-form'

/** The claim of a PropagationPolicy or of a ClusterPropagationPolicy. */
export type Claim =
  | { scope: 'Namespaced'; id: string; namespace: string; name: string }
  | { scope: 'Cluster'; id: string; name: string }

type Marks = Partial<Pick<ObjectMeta, 'labels' | 'annotations'>>

/** Returns the claim of a policy. Its ID is empty until the policy was admitted. */
export function claimOf({ metadata }: KubeObject): Claim {
  const { namespace, name, labels = {} } = metadata
  return namespace === undefined
    ? { scope: 'Cluster', id: labels[CLUSTER_POLICY_ID_LABEL] ?? '', name }
    : { scope: 'Namespaced', id: labels[POLICY_ID_LABEL] ?? '', namespace, name }
}

/** Returns the claim on an object; that of a PropagationPolicy takes precedence. */
export function claimOn({ labels = {}, annotations = {} }: Marks): Claim | undefined {
  const id = labels[POLICY_ID_LABEL]
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  const name = annotations[POLICY_NAME_ANNOTATION]
  if (id && namespace && name) return { scope: 'Namespaced', id, namespace, name }
  const clusterId = labels[CLUSTER_POLICY_ID_LABEL]
  const clusterName = annotations[CLUSTER_POLICY_NAME_ANNOTATION]
  return clusterId && clusterName ? { scope: 'Cluster', id: clusterId, name: clusterName } : undefined
}

/** Reports whether `claim` is already the only claim on the object. */
export function isClaimedBy({ labels = {} }: Marks, claim: Claim): boolean {
  if (claim.scope === 'Cluster') return labels[CLUSTER_POLICY_ID_LABEL] === claim.id
  return labels[POLICY_ID_LABEL] === claim.id && labels[CLUSTER_POLICY_ID_LABEL] === undefined
}

/** Returns the label and annotations of a claim. */
export function claimMarks(claim: Claim): { labels: Words; annotations: Words } {
  return claim.scope === 'Cluster'
    ? { labels: { [CLUSTER_POLICY_ID_LABEL]: claim.id }, annotations: { [CLUSTER_POLICY_NAME_ANNOTATION]: claim.name } }
    : {
        labels: { [POLICY_ID_LABEL]: claim.id },
        annotations: { [POLICY_NAMESPACE_ANNOTATION]: claim.namespace, [POLICY_NAME_ANNOTATION]: claim.name },
      }
}

/**
 * Returns metadata with the claim. A PropagationPolicy replaces the claim of a ClusterPropagationPolicy, but not vice
 * versa.
 */
export function withClaim<M extends Marks>(metadata: M, claim: Claim): M {
  const base = claim.scope === 'Namespaced' ? without(metadata, CLUSTER_MARKS) : metadata
  const marks = claimMarks(claim)
  return {
    ...base,
    labels: { ...base.labels, ...marks.labels },
    annotations: { ...base.annotations, ...marks.annotations },
  }
}

/** Returns metadata without the claim; unchanged if another ID claims the object by now. */
export function withoutClaim<M extends Marks>(metadata: M, { scope, id }: Pick<Claim, 'scope' | 'id'>): M {
  const marks = scope === 'Cluster' ? CLUSTER_MARKS : NAMESPACED_MARKS
  return metadata.labels?.[marks.label] === id ? without(metadata, marks) : metadata
}

interface MarkNames {
  label: string
  annotations: readonly string[]
}

const NAMESPACED_MARKS: MarkNames = {
  label: POLICY_ID_LABEL,
  annotations: [POLICY_NAMESPACE_ANNOTATION, POLICY_NAME_ANNOTATION],
}
const CLUSTER_MARKS: MarkNames = { label: CLUSTER_POLICY_ID_LABEL, annotations: [CLUSTER_POLICY_NAME_ANNOTATION] }

function without<M extends Marks>(metadata: M, { label, annotations }: MarkNames): M {
  return {
    ...metadata,
    ...(metadata.labels && { labels: omit(metadata.labels, [label]) }),
    ...(metadata.annotations && { annotations: omit(metadata.annotations, annotations) }),
  }
}

function omit(words: Words, names: readonly string[]): Words {
  return Object.fromEntries(Object.entries(words).filter(([name]) => !names.includes(name)))
}
