import type { UnknownObject } from '@/lib/kube/object'
import type { Scope } from '../api'
import { forbidden, kindNotFound } from '../failures'
import type { Keyspace } from './keyspace'

/** Namespaces that the server itself needs; they cannot be deleted. */
export const PROTECTED_NAMESPACES = new Set(['default', 'kube-system', 'kube-public'])

/** Nothing is created in a namespace that does not exist (404) or is going away (403). */
export function refuseClosedNamespace({ api, keyspace, resource }: Scope, namespace: string, name: string): void {
  const entry = api.store.get({ keyspace: keyspace.name, resource: 'namespaces', key: namespace })
  if (!entry) throw kindNotFound('namespaces', namespace)
  if (entry.value.metadata.deletionTimestamp === undefined) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  }
  throw forbidden(resource.kind, name, why, [cause])
}

/** The finalizers that hold a namespace are in its spec. */
export function namespaceFinalizers(namespace: UnknownObject): string[] {
  return (namespace.spec as { finalizers?: string[] } | undefined)?.finalizers ?? []
}

/** The namespaces that a keyspace has from the start. */
export function namespacesOf(keyspace: Keyspace): string[] {
  return keyspace.name === ''
    ? ['default', 'kube-system', 'kube-public', 'kube-node-lease', 'karmada-system', 'karmada-cluster']
    : ['default', 'kube-system']
}
