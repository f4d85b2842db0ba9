/** The path of a request: authorization, documents, members, verbs. */
import { actingAs, authorize } from './access/authorize'
import { openidDocument } from './access/openid'
import type { Api } from './api'
import { type Answer, type Call, json, text } from './call'
import * as discovery from './discovery/discovery'
import { version } from './discovery/version'
import { dispatch } from './dispatch'
import { noSuchPath } from './failures'
import { health, healthPaths } from './health'
import type { Members } from './members'
import { inTodaysForm } from './old-watch-paths'
import { openapi } from './openapi/openapi'
import type { Keyspace } from './registry/keyspace'
import { routeOf } from './route'

/**
 * The handler of the control plane. Members are reached through it, as the same caller, with the member's own roles.
 */
export function createHandler(api: Api, plane: Keyspace, members: Members): (call: Call) => Promise<Answer> {
  const serve = async (keyspace: Keyspace, asked: Call): Promise<Answer> => {
    const call = inTodaysForm(asked)
    authorize(api, keyspace.name, call)
    const route = routeOf(keyspace, call.path)
    switch (route.type) {
      case 'target':
        return dispatch(api, keyspace, route.target, call)
      case 'proxy': {
        if (keyspace !== plane) throw noSuchPath()
        return members.forward(route.cluster, (member) => serve(member, { ...call, path: route.path }))
      }
      case 'nothing': {
        if (route.asText) return text(404, '404 page not found\n')
        throw noSuchPath()
      }
      case 'other':
        return document(api, keyspace, call)
      default:
        return discoveryOf(keyspace, route, call)
    }
  }
  return async (call) => serve(plane, actingAs(api, plane.name, call))
}

type DiscoveryRoute = Extract<ReturnType<typeof routeOf>, { type: 'versions' | 'groups' | 'group' | 'resources' }>

function discoveryOf({ registry }: Keyspace, route: DiscoveryRoute, call: Call): Answer {
  switch (route.type) {
    case 'versions':
      return discovery.versions(registry, call)
    case 'groups':
      return discovery.groups(registry, call)
    case 'group':
      return discovery.group(registry, route.group)
    case 'resources':
      return discovery.resources(registry, route)
  }
}

function document(api: Api, keyspace: Keyspace, call: Call): Answer {
  const { path } = call
  if (path === '/version' || path === '/version/') return json(version)
  const healthy = health(call)
  if (healthy) return healthy
  if (path.startsWith('/openapi/')) return openapi(keyspace.registry, call)
  if (path === '/') return json({ paths: rootPaths(keyspace) })
  return openidDocument(api, keyspace.name, path) ?? text(404, '404 page not found\n')
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

function rootPaths({ registry }: Keyspace): string[] {
  const groups = registry.resources.flatMap(({ apiVersion, kind: { group } }) =>
    group === '' ? [`/api/${apiVersion}`] : [`/apis/${group}`, `/apis/${apiVersion}`],
  )
  return [...FIXED_PATHS, ...new Set(groups)].sort()
}
