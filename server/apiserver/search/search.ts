/**
 * `search.karmada.io`: what ResourceRegistries name, of all members at once. `search/cache/…` reads it, and
 * `proxying/…/proxy/…` is a Kubernetes API in which it stands beside the objects of the control plane.
 */
import type { Api, Ask } from '../api'
import { readTyped } from '../body'
import type { Answer, Call } from '../call'
import { json } from '../call'
import { methodNotAllowed, noSuchPath, notFound } from '../failures'
import type { Members } from '../members'
import { booleanOf } from '../query'
import type { Keyspace } from '../registry/keyspace'
import { keyIn } from '../registry/resource'
import { selectionOf } from '../registry/selection'
import { routeOf, type Target } from '../route'
import { get } from '../verbs/get'
import { list } from '../verbs/list'
import { watch } from '../verbs/watch'
import { cachedOf, describeCached, type MatchesCluster } from './cached'
import { entriesOf, federatedApi, type Federation, memberOf, SOURCE } from './federated'

export interface Search {
  /** Undefined for a request that is not for the search. */
  serve(call: Call): Promise<Answer> | undefined
}

export interface SearchParts {
  plane: Keyspace
  members: Members
  matches: MatchesCluster
  /** Serves a request in a key space, rights included. */
  serveIn(keyspace: Keyspace, call: Call): Promise<Answer>
}

const PREFIX = '/apis/search.karmada.io/v1alpha1/'
const PATH = /^(?:search\/([^/]+)|proxying\/[^/]+\/proxy)(\/.*)?$/

export function createSearch(api: Api, parts: SearchParts): Search {
  return {
    serve: (call) => {
      const found = call.path.startsWith(PREFIX) && PATH.exec(call.path.slice(PREFIX.length))
      if (!found) return undefined
      const [, category, path = '/'] = found
      const inner = { ...call, path }
      return category === undefined ? proxy(api, parts, inner) : readCache(api, parts, inner, category)
    },
  }
}

function federationOf(api: Api, { plane, matches }: SearchParts, target: Target): Federation | undefined {
  const read = () => cachedOf({ store: api.store, registry: plane.registry, matches }, target.resource)
  const cached = read()
  if (!cached) return undefined
  const before = describeCached(cached)
  return { resource: target.resource, cached, isOutdated: () => describeCached(read()) !== before }
}

/** Lists cached objects, as Karmada's search does. */
async function readCache(api: Api, parts: SearchParts, call: Call, category: string): Promise<Answer> {
  if (call.method !== 'GET') throw methodNotAllowed()
  const route = routeOf(parts.plane, call.path)
  if (route.type !== 'target') throw noSuchPath()
  if (category !== 'cache') throw notFound({ group: 'search.karmada.io', plural: 'search' }, category)
  const { resource, namespace, name } = route.target
  const selection = selectionOf(resource, call.query)
  const federation = federationOf(api, parts, route.target)
  await api.store.settled()
  const entries = federation ? readEntries(api, federation, { namespace, name }) : []
  const items = selection.filter(entries).map((entry) => resource.read(entry).value)
  return json({ apiVersion: resource.apiVersion, kind: resource.kind.listKind, metadata: {}, items })
}

function readEntries(api: Api, federation: Federation, { namespace, name }: Omit<Target, 'resource'>) {
  const { store } = federatedApi(api, federation)
  const { resource } = federation
  const all = store.list({ keyspace: '', resource: resource.id }, { ...(namespace !== undefined && { namespace }) })
  if (name === undefined) return all
  const named = new Set(entriesOf(api.store, federation, keyIn(resource, namespace, name)).map(([member]) => member))
  return all.filter(
    ({ value }) => value.metadata.name === name && named.has(value.metadata.annotations?.[SOURCE] ?? ''),
  )
}

/** Cached kinds are read from the cache and written in the member that has the object; the rest is the control plane. */
async function proxy(api: Api, parts: SearchParts, call: Call): Promise<Answer> {
  const { plane, members, serveIn } = parts
  const route = routeOf(plane, call.path)
  const federation = route.type === 'target' ? federationOf(api, parts, route.target) : undefined
  if (route.type !== 'target' || !federation) return serveIn(plane, call)
  const { target } = route
  if (call.method === 'GET' && target.subresource === undefined) return readThrough(api, federation, { target, call })
  if (target.name === undefined) throw methodNotAllowed()
  const found = memberOf(api.store, federation, keyIn(target.resource, target.namespace, target.name))
  if (!found) throw notFound(target.resource.kind, target.name)
  const sent = call.method === 'PUT' ? await withoutSource(call, target) : call
  return members.forward(found[0], (member) => serveIn(member, sent))
}

function readThrough(api: Api, federation: Federation, { target, call }: Pick<Ask, 'target' | 'call'>) {
  const { resource } = target
  const federated = federatedApi(api, federation)
  // A key space without a name of its own: the facade knows where to look.
  const ask: Ask = { api: federated, keyspace: { name: '' } as Keyspace, resource, target, call }
  if (booleanOf(call.query, 'watch')) return watch(ask)
  return target.name === undefined ? list(ask) : get(ask)
}

/** Readers send back what they read. */
async function withoutSource(call: Call, { resource, subresource }: Target): Promise<Call> {
  if (subresource !== undefined) return call
  const { kind, apiVersion } = { kind: resource.kind.kind, apiVersion: resource.apiVersion }
  const object = await readTyped(call, { kind, apiVersion, custom: resource.custom })
  const { [SOURCE]: _, ...annotations } = object.metadata.annotations ?? {}
  const value = { ...object, metadata: { ...object.metadata, annotations } }
  const text = JSON.stringify(value)
  const headers = { ...call.headers, 'content-type': 'application/json', 'content-length': String(text.length) }
  const bytes = () => Promise.resolve(Buffer.from(text))
  return { ...call, headers, value: undefined, body: () => Promise.resolve(text), bytes }
}
