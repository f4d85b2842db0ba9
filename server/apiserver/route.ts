/** Parses the path of a request. */
import type { RemoteVersion } from './discovery/remote'
import { decodedPath } from './failures'
import type { Keyspace } from './registry/keyspace'
import type { Resource } from './registry/resource'

/** An object, a collection, or a subresource of an object. */
export interface Target {
  resource: Resource
  namespace?: string
  name?: string
  subresource?: string
}

export type Route =
  | { type: 'target'; target: Target }
  /** The API of a member cluster; `path` begins with a slash. */
  | { type: 'proxy'; cluster: string; path: string }
  | { type: 'versions' | 'groups' }
  | { type: 'group'; group: string }
  | { type: 'resources'; group: string; version: string }
  | { type: 'other'; path: string }
  /** Nothing is served there. Custom groups answer it as text, as their own mux does. */
  | { type: 'nothing'; asText: boolean }

/** Subresources of a namespace, where a path looks like a namespaced collection. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

const NOTHING: Route = { type: 'nothing', asText: false }

/** Reads a path; groups of `remotes` are served elsewhere. Nothing is served at one with an empty part. */
export function routeOf(keyspace: Keyspace, path: string, remotes: readonly RemoteVersion[] = []): Route {
  const parts = split(path)
  if (parts.includes('')) {
    return { type: 'nothing', asText: parts[0] === 'apis' && keyspace.registry.isCustom(parts[1] ?? '') }
  }
  if (parts[0] === 'api') return parts.length === 1 ? { type: 'versions' } : inGroup(keyspace, '', parts.slice(1))
  if (parts[0] !== 'apis') return { type: 'other', path }
  if (parts.length === 1) return { type: 'groups' }
  const group = parts[1] as string
  if (leadsToMember(parts)) return proxy(parts, path)
  if (parts.length === 2) {
    const isServed = keyspace.registry.hasGroup(group) || remotes.some((remote) => remote.group === group)
    return isServed ? { type: 'group', group } : { type: 'nothing', asText: true }
  }
  return inGroup(keyspace, group, parts.slice(2))
}

/** The member whose API a path leads to. Throws 404 for a path that no server could have. */
export function proxiedMember(path: string): string | undefined {
  const parts = split(path)
  return !parts.includes('') && leadsToMember(parts) ? parts[4] : undefined
}

function leadsToMember([root, group, , plural, , subresource]: readonly string[]): boolean {
  return root === 'apis' && group === 'cluster.karmada.io' && plural === 'clusters' && subresource === 'proxy'
}

function proxy(parts: readonly string[], path: string): Route {
  const encoded = path.split('/').filter((part) => part !== '')
  return { type: 'proxy', cluster: parts[4] as string, path: `/${encoded.slice(6).join('/')}` }
}

function inGroup(keyspace: Keyspace, group: string, parts: readonly string[]): Route {
  const [version = '', ...rest] = parts
  const { registry } = keyspace
  if (!registry.hasVersion(group, version)) return { type: 'nothing', asText: registry.isCustom(group) }
  if (rest.length === 0) return { type: 'resources', group, version }
  const place = placeOf(rest)
  const resource = place && registry.find(group, version, place.plural)
  if (!place || !resource || !fits(resource, place)) {
    return registry.isCustom(group) ? { type: 'nothing', asText: true } : NOTHING
  }
  const { namespace, name, subresource } = place
  return { type: 'target', target: { resource, namespace, name, subresource } }
}

interface Place {
  plural: string
  namespace?: string
  name?: string
  subresource?: string
}

function placeOf(parts: readonly string[]): Place | undefined {
  const [first, second, third] = parts
  if (
    first === 'namespaces'
    && second !== undefined
    && third !== undefined
    && !(parts.length === 3 && NAMESPACE_SUBRESOURCES.has(third))
  ) {
    return parts.length > 5 ? undefined : { namespace: second, plural: third, name: parts[3], subresource: parts[4] }
  }
  return parts.length > 3 || first === undefined ? undefined : { plural: first, name: second, subresource: third }
}

/** A namespaced object needs its namespace in the path; a cluster-scoped one has none. */
function fits(resource: Resource, place: Place): boolean {
  if (resource.kind.scope === 'Cluster') return place.namespace === undefined
  return place.namespace !== undefined || place.name === undefined
}

function split(path: string): string[] {
  const parts = decodedPath(path).split('/').slice(1)
  while (parts.at(-1) === '') parts.pop()
  return parts
}
