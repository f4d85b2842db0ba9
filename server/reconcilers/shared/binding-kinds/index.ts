/** One loop serves ResourceBinding and ClusterResourceBinding: the keys and readers that make them one. */
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

/** Either kind; spec and status are the same, `kind` tells which it is. */
export type Binding = ResourceBinding

/** Both kinds, typed as one. */
export const bindingKinds: readonly Kind<Binding>[] = [resourceBinding, clusterResourceBinding]

/** `ResourceBinding/<namespace>/<name>` or `ClusterResourceBinding/<name>`. */
export function bindingKeyOf(binding: Binding): ObjectKey {
  const kind = binding.metadata.namespace ? resourceBinding : clusterResourceBinding
  return `${kind.kind}/${objectKey(binding)}`
}

/** The inverse of `bindingKeyOf`. Throws when the key names neither kind. */
export function parseBindingKey(key: ObjectKey): { kind: Kind<Binding>; ref: ObjectRef } {
  const slash = key.indexOf('/')
  const kind = bindingKinds.find((candidate) => candidate.kind === key.slice(0, slash))
  if (!kind) throw new Error(`"${key}" is not the key of a binding`)
  return { kind, ref: parseKey(key.slice(slash + 1)) }
}

/** The key that a change of a binding concerns, for `WatchSpec.keys`. */
export function changedBinding(change: Change<Binding>): ObjectKey[] {
  return [bindingKeyOf(change.type === 'deleted' ? change.old : change.object)]
}

/** The binding of that key as the caches hold it. */
export function findBinding(informers: Informers, key: ObjectKey): Binding | undefined {
  const { kind } = parseBindingKey(key)
  return informers.of(kind).get(key.slice(key.indexOf('/') + 1))
}

/** Names an object in an event. */
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

/** The objects that an event about a binding goes to: the binding, and the template that it carries. */
export function eventTargets(binding: Binding): ObjectReference[] {
  const { kind } = parseBindingKey(bindingKeyOf(binding))
  return [referenceTo(kind, binding), { ...binding.spec.resource }]
}

const SCHEDULED_TO = 'scheduledTo'

/** Lets `bindingsOn` find bindings by the clusters in their `spec.clusters`. Repeating it is harmless. */
export function indexByCluster(informers: Informers): void {
  for (const kind of bindingKinds) {
    informers.of(kind).addIndex(SCHEDULED_TO, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name))
  }
}

/** The bindings that are scheduled to a cluster; eviction tasks do not count. Needs `indexByCluster`. */
export function bindingsOn(informers: Informers, cluster: string): readonly Binding[] {
  return bindingKinds.flatMap((kind) => informers.of(kind).byIndex(SCHEDULED_TO, cluster))
}
