/** The path of a request: authorization, documents, members, verbs. */
import { actingAs, authorize } from './access/authorize'
import { unauthorized } from './access/identity'
import { openidDocument } from './access/openid'
import type { Aggregation } from './aggregation/aggregation'
import type { Api } from './api'
import { type Answer, type Call, json, text } from './call'
import * as discovery from './discovery/discovery'
import type { RemoteVersion } from './discovery/remote'
import { version } from './discovery/version'
import { dispatch } from './dispatch'
import { methodNotAllowed, noSuchPath } from './failures'
import { health, healthPaths } from './health'
import type { Members } from './members'
import { inTodaysForm, refusedWatch } from './old-watch-paths'
import { openapi } from './openapi/openapi'
import type { Keyspace } from './registry/keyspace'
import { routeOf } from './route'
import type { MatchesCluster } from './search/cached'
import { createSearch } from './search/search'
import { refuseOtherForms, refuseUnlessAccepts } from './views/accept'

interface Parts {
  plane: Keyspace
  members: Members
  /** Of the control plane. */
  aggregation: Aggregation
  matches: MatchesCluster
}

/**
 * The handler of the control plane. Members are reached through it, as the same caller, with the member's own roles, or
 * as an account of the member.
 */
export function createHandler(
  api: Api,
  { plane, members, aggregation, matches }: Parts,
): (call: Call) => Promise<Answer> {
  const serve = async (keyspace: Keyspace, asked: Call): Promise<Answer> => {
    const call = inTodaysForm(asked)
    authorize(api, keyspace.name, call)
    const elsewhere = keyspace === plane ? aggregation.serve(call) : undefined
    if (elsewhere) return elsewhere
    const searched = keyspace === plane ? search.serve(call) : undefined
    if (searched) return searched
    const remotes = keyspace === plane ? aggregation.versions() : []
    const old = refusedWatch(call)
    if (old !== undefined && routeOf(keyspace, old, remotes).type === 'target') throw methodNotAllowed()
    const route = routeOf(keyspace, call.path, remotes)
    switch (route.type) {
      case 'target':
        return await dispatch(api, keyspace, route.target, call)
      case 'proxy': {
        if (keyspace !== plane) throw noSuchPath()
        return members.forward(route.cluster, (member) => serve(member, { ...call, path: route.path }))
      }
      case 'nothing': {
        if (route.asText) return text(404, '404 page not found\n')
        throw noSuchPath()
      }
      case 'other':
        return document(api, { ...keyspace, remotes }, call)
      default:
        return discoveryOf({ registry: keyspace.registry, remotes }, route, call)
    }
  }
  const search = createSearch(api, { plane, members, matches, serveIn: serve })
  /** An account of a member acts there, without rights of the control plane. */
  const serveIn = (home: string, call: Call): Promise<Answer> => {
    const route = routeOf(plane, call.path)
    if (route.type !== 'proxy' || route.cluster !== home) throw unauthorized()
    return members.forward(home, async (member) => serve(member, actingAs(api, home, { ...call, path: route.path })))
  }
  return async (call) => {
    const { member } = call.caller
    return member === undefined ? serve(plane, actingAs(api, plane.name, call)) : serveIn(member, call)
  }
}

type DiscoveryRoute = Extract<ReturnType<typeof routeOf>, { type: 'versions' | 'groups' | 'group' | 'resources' }>

/** Documents that have a route are there for GET alone; HEAD is another method. */
function refuseOtherMethods({ method }: Call): void {
  if (method !== 'GET') throw methodNotAllowed()
}

function discoveryOf(offer: discovery.ServedKinds, route: DiscoveryRoute, call: Call): Answer {
  const routed = !answersAnyMethod(offer, route)
  if (routed) refuseOtherMethods(call)
  if (!discovery.asksForAll(route, call)) refuseOtherForms(call.headers.accept, { routed })
  switch (route.type) {
    case 'versions':
      return discovery.versions(offer, call)
    case 'groups':
      return discovery.groups(offer, call)
    case 'group':
      return discovery.group(offer, route.group)
    case 'resources':
      return discovery.resources(offer.registry, route)
  }
}

/** Group lists and lists of custom kinds are returned for any method. */
function answersAnyMethod({ registry }: discovery.ServedKinds, route: DiscoveryRoute): boolean {
  if (route.type === 'resources') return registry.isCustom(route.group)
  return route.type === 'groups' || route.type === 'group'
}

interface Documented extends Keyspace {
  remotes: readonly RemoteVersion[]
}

function document(api: Api, keyspace: Documented, call: Call): Answer {
  const { path } = call
  if (path === '/version' || path === '/version/') {
    refuseOtherMethods(call)
    refuseUnlessAccepts(call.headers.accept, 'application/json')
    return json(version)
  }
  const healthy = health(call)
  if (healthy) return healthy
  if (path.startsWith('/openapi/')) return openapi(keyspace.registry, call, keyspace.remotes)
  if (path === '/') return { ...json({ paths: rootPaths(keyspace) }), type: 'application/json' }
  const claimed = openidDocument(api, keyspace.name, call)
  return claimed ?? text(404, '404 page not found\n')
}

const FIXED_PATHS = [
  '/.well-known/openid-configuration',
  '/api',
  '/apis',
  '/apis/',
  '/openapi/v2',
  '/openapi/v3',
  '/openid/v1/jwks',
  '/version',
  ...healthPaths,
]

function rootPaths({ registry, remotes }: Documented): string[] {
  const groups = registry.resources.flatMap(({ apiVersion, kind: { group } }) =>
    group === '' ? [`/api/${apiVersion}`] : [`/apis/${group}`, `/apis/${apiVersion}`],
  )
  const others = remotes.flatMap(({ group, version }) => [`/apis/${group}`, `/apis/${group}/${version}`])
  return [...FIXED_PATHS, ...new Set([...groups, ...others])].sort()
}
