/** The attributes of a request from its method and path; existence is checked later. */
import type { Attributes, ResourceAttributes } from '@/lib/kube/rbac/attributes'
import type { Call } from '../call'
import { decodedPath } from '../failures'
import { booleanOf } from '../query'

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Verbs that old clients put in front of the path. */
const PREFIXES = new Set(['proxy', 'watch'])

/** Path segments below a namespace that are subresources of the namespace itself. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

/** Throws 404 for a path that no server could have. */
export function attributesOf(call: Pick<Call, 'method' | 'path' | 'query'>): Attributes {
  const parts = segmentsOf(call.path)
  const below = parts[0] === 'api' ? parts.slice(1) : parts.slice(2)
  const isResource = (parts[0] === 'api' || parts[0] === 'apis') && parts.length >= 3 && below.length >= 2
  if (!isResource) return { verb: call.method.toLowerCase(), path: decodedPath(call.path) }
  const group = parts[0] === 'api' ? '' : (parts[1] as string)
  const [version = '', ...place] = below
  const [first = '', ...rest] = place
  if (PREFIXES.has(first) && rest.length > 0) return withVerb(call, { group, version, verb: first, ...placeOf(rest) })
  return withVerb(call, { group, version, verb: VERBS[call.method] ?? '', ...placeOf(place) })
}

type Place = Pick<ResourceAttributes, 'namespace' | 'resource' | 'name' | 'subresource'>

/** A namespace is in itself, as far as rights go. */
function placeOf(parts: readonly string[]): Place {
  const inNamespace = parts[0] === 'namespaces' && parts[1] !== undefined
  const about = inNamespace && parts[2] !== undefined && !NAMESPACE_SUBRESOURCES.has(parts[2]) ? parts.slice(2) : parts
  const [resource = '', name = '', subresource = ''] = about
  return { namespace: inNamespace ? (parts[1] as string) : '', resource, name, subresource }
}

/**
 * Without a name, reading is listing or watching, and deleting is deleting all of them. `watch` means nothing on the path
 * of a single object.
 */
function withVerb({ query }: Pick<Call, 'query'>, attributes: ResourceAttributes): ResourceAttributes {
  if (attributes.name !== '') return attributes
  if (attributes.verb === 'delete') return { ...attributes, verb: 'deletecollection' }
  if (attributes.verb !== 'get') return attributes
  return { ...attributes, verb: booleanOf(query, 'watch') ? 'watch' : 'list', name: selectedName(query) }
}

/** A list that selects one name is a request for that name: rights to single names suffice. */
function selectedName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector')
  if (!selector) return ''
  const names = selector.split(',').map((part) => /^metadata\.name==?([^=!].*)$/.exec(part)?.[1])
  const name = names.find((one) => one !== undefined)
  return name === undefined || /[/%]|^\.\.?$/.test(name) ? '' : name
}

/** Slashes at both ends mean nothing; an empty segment between others is a segment. */
function segmentsOf(path: string): string[] {
  return decodedPath(path)
    .replace(/^\/+|\/+$/g, '')
    .split('/')
}
