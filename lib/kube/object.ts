/** The parts that every Kubernetes object shares, spelled as the API spells them. */

/** Names an owner of an object; the object is garbage-collected when all its owners are deleted. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** `metadata` as an API server returns it. */
export interface ObjectMeta {
  name: string
  namespace?: string
  generateName?: string
  uid: string
  /** Opaque to clients. Compare for equality only. */
  resourceVersion: string
  generation?: number
  /** RFC 3339, UTC, whole seconds. */
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  finalizers?: string[]
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  managedFields?: unknown[]
  selfLink?: string
}

/** Any object of the API. Kinds give `spec` and `status` a type. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/** An object of an unknown kind, with the common fields. */
export type UnknownObject = KubeObject & { [field: string]: unknown }

/** An object as a client sends it. The server fills in the missing fields of `metadata`. */
export type Draft<T extends KubeObject> = Omit<T, 'metadata'> & { metadata: Partial<ObjectMeta> }

/** Identifies an object of a kind. `namespace` is absent for cluster-scoped kinds. */
export interface ObjectRef {
  namespace?: string
  name: string
}

/** A reference to an object of any kind, as `v1.ObjectReference` writes it. */
export interface ObjectReference {
  apiVersion: string
  kind: string
  namespace?: string
  name: string
  uid?: string
  resourceVersion?: string
}

/** `metav1.Condition`. `lastTransitionTime` moves only when `status` changes. */
export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number
}

/** The key of an object inside its kind: `namespace/name`, or `name` when cluster-scoped. */
export type ObjectKey = string

/** `namespace/name`, or `name` for a cluster-scoped object. The inverse of `parseKey`. */
export function keyOf(ref: ObjectRef): ObjectKey {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name
}

/** The key of an object. */
export function objectKey(object: KubeObject): ObjectKey {
  return keyOf(object.metadata)
}

/** Splits `namespace/name` or `name`. */
export function parseKey(key: ObjectKey): ObjectRef {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
