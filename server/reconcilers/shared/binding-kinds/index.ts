/** Keys and readers by which one controller handles both ResourceBinding and ClusterResourceBinding. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { clusterResourceBinding, resourceBinding } from '@/lib/kube/kinds'
import type { ResourceBinding } from '@/lib/kube/kinds'
import {
  type KubeObject,
  objectKey,
  type ObjectKey,
  type ObjectRef,
  type ObjectReference,
  parseKey,
} from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'

/** Either kind; spec and status are the same, `kind` differs. */
export type Binding = ResourceBinding

/** Both kinds with one type. */
export const bindingKinds: readonly Kind<Binding>[] = [resourceBinding, clusterResourceBinding]

/** Returns `ResourceBinding/<namespace>/<name>` or `ClusterResourceBinding/<name>`. */
export function bindingKeyOf(binding: Binding): ObjectKey {
  const kind = binding.metadata.namespace ? resourceBinding : clusterResourceBinding
  return `${kind.kind}/${objectKey(binding)}`
}

/** Parses a key of `bindingKeyOf`. Throws for any other text. */
export function parseBindingKey(key: ObjectKey): { kind: Kind<Binding>; ref: ObjectRef } {
  const slash = key.indexOf('/')
  const kind = bindingKinds.find((candidate) => candidate.kind === key.slice(0, slash))
  if (!kind) throw new Error(`"${key}" is not the key of a binding`)
  return { kind, ref: parseKey(key.slice(slash + 1)) }
}

/** Returns the key of a changed binding, for `WatchSpec.keys`. */
export function changedBinding(change: Change<Binding>): ObjectKey[] {
  return [bindingKeyOf(change.type === 'deleted' ? change.old : change.object)]
}

/** Returns the cached binding with that key. */
export function findBinding(informers: Informers, key: ObjectKey): Binding | undefined {
  const { kind } = parseBindingKey(key)
  return informers.of(kind).get(key.slice(key.indexOf('/') + 1))
}

/** Returns a reference to an object, for events. */
export function referenceTo(kind: Kind, object: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...(namespace && { namespace }),
    name,
    uid,
    resourceVersion,
  }
}

/** Returns the objects on which an event about a binding is recorded: the binding and its template. */
export function eventTargets(binding: Binding): ObjectReference[] {
  const { kind } = parseBindingKey(bindingKeyOf(binding))
  return [referenceTo(kind, binding), { ...binding.spec.resource }]
}

const SCHEDULED_TO = 'scheduledTo'

/** Indexes bindings by the clusters in their `spec.clusters`, for `bindingsOn`. Idempotent. */
export function indexByCluster(informers: Informers): void {
  for (const kind of bindingKinds) {
    informers.of(kind).addIndex(SCHEDULED_TO, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name))
  }
}

/** Returns the bindings that are scheduled to a cluster; eviction tasks do not count. Requires `indexByCluster`. */
export function bindingsOn(informers: Informers, cluster: string): readonly Binding[] {
  return bindingKinds.flatMap((kind) => informers.of(kind).byIndex(SCHEDULED_TO, cluster))
}
