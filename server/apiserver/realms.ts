/** What a key space holds before anybody wrote into it. */
import type { UnknownObject } from '@/lib/kube/object'
import { establishPolicy } from './access/bootstrap'
import type { Api } from './api'
import { createObject } from './registry/create'
import type { Realm } from './registry/realm'
import { namespacesOf } from './registry/namespaces'
import { serverWriter } from './registry/writer'

/** Sees to it that the namespaces and roles every client expects are there. */
export async function createRealm(api: Api, realm: Realm): Promise<Realm> {
  const resource = realm.registry.find('', 'v1', 'namespaces')
  if (!resource) return realm
  const missing = namespacesOf(realm).filter(
    (name) => !api.store.get({ realm: realm.name, resource: resource.id, key: name })
  )
  const options = { writer: serverWriter }
  await Promise.all([
    ...missing.map((name) => createObject({ api, realm, resource }, namespaceNamed(name), options)),
    establishPolicy(api, realm),
  ])
  return realm
}

function namespaceNamed(name: string): UnknownObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as UnknownObject
}
