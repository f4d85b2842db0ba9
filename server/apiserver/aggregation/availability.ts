/** Checks the servers behind APIServices, and stores their resource lists for the discovery documents. */
import type { ApiServiceCondition } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { MASTERS } from '@/lib/kube/rbac/names'
import { formatTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { CallFailure } from '../admission/call-failure'
import type { Api } from '../api'
import type { Caller } from '../call'
import { createKeyController } from '../controllers/key-controller'
import type { Controller } from '../controllers/namespaces'
import type { RemoteResource } from '../discovery/remote'
import type { Keyspace } from '../registry/keyspace'
import { updateObject } from '../registry/update'
import { serverWriter } from '../registry/writer'
import type { StoreEvent } from '../store/store'
import type { RemoteServers } from './connection'
import { contentOf } from './forward'
import { API_SERVICES, type Registrations, type Remote } from './registrations'

/** Resources of aggregated servers, by `version.group`. */
export type Discovered = ReadonlyMap<string, readonly RemoteResource[]>

const CHECK_TIMEOUT_MS = 5_000
/** Interval of checks; servers may start or stop without a change of their APIService. */
const CHECK_EVERY_MS = 10_000
const MAX_LIST_LENGTH = 4 * 1024 * 1024

const checker: Caller = { user: 'system:kube-aggregator', groups: [MASTERS] }

interface Parts {
  registrations: Registrations
  servers: RemoteServers
}

/** Checks each registration when it or its Service changes, and every ten seconds. */
export function startAvailability(
  api: Api,
  keyspace: Keyspace,
  { registrations, servers }: Parts,
): Controller & { discovered: Discovered } {
  const discovered = new Map<string, readonly RemoteResource[]>()
  const loop = createKeyController('api-services', api, async (name) => {
    const remote = registrations.list().find(({ entry }) => entry.location.key === name)
    if (!remote) return void discovered.delete(name)
    const found = await check(api, servers, remote)
    if (Array.isArray(found)) discovered.set(name, found)
    loop.addAfter(name, CHECK_EVERY_MS)
    await note(api, keyspace, { name, found })
  })
  const addAll = (): void => registrations.list().forEach(({ entry }) => loop.add(entry.location.key))
  const look = ({ entry, previous }: StoreEvent): void => {
    const { keyspace: where, resource, key } = entry.location
    if (where !== '') return
    if (resource === 'services' && registrations.list().length > 0) addAll()
    if (resource === API_SERVICES && !deepEqual(entry.value.spec, previous?.value.spec)) loop.add(key)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  addAll()
  return {
    discovered,
    close: async () => {
      unsubscribe()
      servers.close()
      await loop.close()
    },
  }
}

/** Resources of a server, or the reason why it is unavailable. */
type Found = RemoteResource[] | { reason: string; message: string }

async function check(api: Api, servers: RemoteServers, remote: Remote): Promise<Found> {
  const { name = '', namespace = '', port = 443 } = remote.service
  const service = api.store.get({ keyspace: '', resource: 'services', key: `${namespace}/${name}` })
  if (!service) {
    return { reason: 'ServiceNotFound', message: `service/${name} in ${JSON.stringify(namespace)} is not present` }
  }
  const path = `/apis/${remote.group}/${remote.version}`
  const url = `https://${name}.${namespace}.svc:${port}${path}`
  try {
    return await resourcesAt(servers, remote, { path, url })
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return { reason: 'FailedDiscoveryCheck', message: `failing or missing response from ${url}: ${error.message}` }
  }
}

async function resourcesAt(
  servers: RemoteServers,
  remote: Remote,
  { path, url }: { path: string; url: string },
): Promise<RemoteResource[]> {
  const headers = { accept: 'application/json' }
  const outgoing = { method: 'GET', path, headers, caller: checker, patienceMs: CHECK_TIMEOUT_MS }
  const answer = await servers.send(remote, outgoing)
  const code = answer.statusCode ?? 0
  const content = await contentOf(answer, MAX_LIST_LENGTH)
  if (code < 200 || code >= 300) throw new CallFailure(`bad status from ${url}: ${code}`)
  return readResources(content.toString('utf8'))
}

/**
 * Parses a resource list. An invalid list counts as empty, because the server is available independent of its content.
 */
function readResources(text: string): RemoteResource[] {
  try {
    const { resources } = JSON.parse(text) as { resources?: unknown }
    return Array.isArray(resources) ? resources.filter(isResource) : []
  } catch {
    return []
  }
}

function isResource(value: unknown): value is RemoteResource {
  return typeof value === 'object' && value !== null && typeof (value as RemoteResource).name === 'string'
}

async function note(api: Api, keyspace: Keyspace, { name, found }: { name: string; found: Found }): Promise<void> {
  const resource = keyspace.registry.find('apiregistration.k8s.io', 'v1', 'apiservices')
  const entry = api.store.get({ keyspace: keyspace.name, resource: API_SERVICES, key: name })
  if (!resource || !entry) return
  const change = (current: UnknownObject): UnknownObject => withCondition(current, found, api.clock.now())
  await updateObject({ api, keyspace, resource }, entry, { writer: serverWriter, subresource: 'status', change })
}

function withCondition(object: UnknownObject, found: Found, now: number): UnknownObject {
  const isThere = Array.isArray(found)
  const { reason, message } = isThere ? { reason: 'Passed', message: 'all checks passed' } : found
  const status = isThere ? 'True' : 'False'
  const { conditions = [] } = (object.status ?? {}) as { conditions?: ApiServiceCondition[] }
  const before = conditions.find(({ type }) => type === 'Available')
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(now)
  const condition = { lastTransitionTime, message, reason, status, type: 'Available' }
  return { ...object, status: { conditions: [...conditions.filter(({ type }) => type !== 'Available'), condition] } }
}
