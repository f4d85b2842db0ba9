/** Initial content of a keyspace. */
import type { UnknownObject } from '@/lib/kube/object'
import { establishPolicy } from './access/bootstrap'
import type { Api } from './api'
import { createObject } from './registry/create'
import type { Keyspace } from './registry/keyspace'
import { namespacesOf } from './registry/namespaces'
import { serverWriter } from './registry/writer'

/** Creates the namespaces and roles that every client expects, as far as they are missing. */
export async function createKeyspace(api: Api, keyspace: Keyspace): Promise<Keyspace> {
  const resource = keyspace.registry.find('', 'v1', 'namespaces')
  if (!resource) return keyspace
  const missing = namespacesOf(keyspace).filter(
    (name) => !api.store.get({ keyspace: keyspace.name, resource: resource.id, key: name }),
  )
  const options = { writer: serverWriter }
  await Promise.all([
    ...missing.map((name) => createObject({ api, keyspace, resource }, namespaceNamed(name), options)),
    establishPolicy(api, keyspace),
  ])
  return keyspace
}

function namespaceNamed(name: string): UnknownObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as UnknownObject
}
