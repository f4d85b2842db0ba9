/** Registers the versions that are served here, so that clients find an APIService for each. */
import { isAlreadyExists } from '@/lib/kube/errors'
import type { ApiService } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { Api, Scope } from '../api'
import { createKeyController } from '../controllers/key-controller'
import type { Controller } from '../controllers/namespaces'
import { priorityOf } from '../discovery/order'
import { createObject } from '../registry/create'
import type { Keyspace } from '../registry/keyspace'
import { removeObject } from '../registry/remove'
import { serverWriter } from '../registry/writer'
import { API_SERVICES } from './registrations'

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged'

/** Adds missing registrations, and removes those of versions of custom kinds that are no longer served. */
export async function registerLocal(api: Api, keyspace: Keyspace): Promise<void> {
  const resource = keyspace.registry.find('apiregistration.k8s.io', 'v1', 'apiservices')
  if (!resource) return
  const scope: Scope = { api, keyspace, resource }
  const wanted = wantedIn(keyspace)
  const present = api.store.list({ keyspace: keyspace.name, resource: API_SERVICES })
  const names = new Set(present.map(({ location }) => location.key))
  const obsolete = present.filter(
    ({ location, value }) => value.metadata.labels?.[MANAGED] === 'true' && !wanted.has(location.key),
  )
  await Promise.all([
    ...[...wanted].filter(([name]) => !names.has(name)).map(([, draft]) => create(scope, draft)),
    ...obsolete.map((entry) => removeObject(scope, entry, { writer: serverWriter })),
  ])
}

/** Repeats the registration when the served kinds change, or when a registration is deleted. */
export function keepRegistered(api: Api, keyspace: Keyspace): Controller {
  const loop = createKeyController('local-api-services', api, () => registerLocal(api, keyspace))
  const stopFollowing = keyspace.registry.subscribe(() => loop.add(API_SERVICES))
  const unsubscribe = api.store.subscribe((events) => {
    const isGone = events.some(({ type, entry }) => type === 'delete' && entry.location.resource === API_SERVICES)
    if (isGone) loop.add(API_SERVICES)
  })
  return {
    close: async () => {
      stopFollowing()
      unsubscribe()
      await loop.close()
    },
  }
}

async function create(scope: Scope, draft: object): Promise<void> {
  try {
    await createObject(scope, draft as UnknownObject, { writer: serverWriter })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

function wantedIn({ registry }: Keyspace): Map<string, object> {
  return new Map(
    registry.resources.map(({ kind: { group, version } }): [string, object] => {
      const name = `${version}.${group}`
      const own = registry.isCompiledIn(group, version)
      const metadata = { name, labels: { [MANAGED]: own ? 'onstart' : 'true' } }
      const spec: ApiService['spec'] = { ...(group && { group }), version, ...priorityOf(group, version) }
      return [name, { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata, spec }]
    }),
  )
}
