/** Errors of patches whose result is invalid, in the words of a typed server, which repeats the object. */
import type { UnknownObject } from '@/lib/kube/object'
import { invalidField, invalidError } from '@/lib/kube/field-error'
import { kubeError } from '@/lib/kube/errors'
import type { PatchTrace } from '@/lib/kube/patch'
import type { Ask } from '../api'
import { strategyOf } from '@/lib/kube/strategy'
import { objectMeta } from '@/lib/kube/object-meta'
import { deepEqual } from '@/lib/std/equal'
import { badRequest } from '../failures'
import { validationIn, wrongPatch } from '../field-validation'
import { inStructOrder } from '../protobuf/struct-order'
import type { Resource } from '../registry/resource'
import { isKnown, packageOf } from '../wrong-kind'

/**
 * The result of a JSON or merge patch as text: what the patch read on its way has sorted fields, everything else the order of
 * the type, or that of the patch. Custom kinds are sorted throughout.
 */
export function patchedText(
  changed: unknown,
  current: unknown,
  { resource: { custom, apiVersion, kind }, trace }: { resource: Resource; trace: PatchTrace },
): string {
  const order = new Map<object, unknown>()
  const type = typeOf(current, { apiVersion, kind: kind.kind })
  const isSorted = custom && type.apiVersion === apiVersion
  if (!isSorted) pair(current, inStructOrder(current, type), order)
  return JSON.stringify(inOrder(changed, { order, trace: isSorted ? undefined : trace }))
}

/** A scale has a type of its own. */
function typeOf(object: unknown, resource: Identity): Identity {
  const { apiVersion, kind } = object as Partial<Identity>
  return { apiVersion: apiVersion ?? resource.apiVersion, kind: kind ?? resource.kind }
}

interface Identity {
  apiVersion: string
  kind: string
}

/** Notes the ordered form of each part of an object. */
function pair(value: unknown, ordered: unknown, order: Map<object, unknown>): void {
  if (typeof value !== 'object' || value === null) return
  order.set(value, ordered)
  for (const name of Object.keys(value)) {
    pair((value as Fields)[name], (ordered as Fields)[name], order)
  }
}

type Fields = Readonly<Record<string, unknown>>

interface Orders {
  order: ReadonlyMap<object, unknown>
  trace: PatchTrace | undefined
}

function inOrder(value: unknown, orders: Orders): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { order, trace } = orders
  if (!trace?.read.has(value)) {
    if (order.has(value)) return order.get(value)
    if (trace?.sources.has(value)) {
      const source = trace.sources.get(value)
      if (source === undefined) return value
      // Later operations may have changed the source, which may even contain its copies by now.
      if (deepEqual(source, value)) return inOrder(source, orders)
    }
  }
  if (Array.isArray(value)) return value.map((item) => inOrder(item, orders))
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, child]) => [name, inOrder(child, orders)]))
}

/** The first value that is no text, in the words of a decoder that reads these two fields only, in this order. */
function unreadKind(given: object, order: readonly [string, string]): string {
  const fields = given as Fields
  const isText = (name: string): boolean => typeof (fields[name] ?? '') === 'string'
  const field = isText(order[0]) ? order[1] : order[0]
  const value = fields[field]
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go struct field .${field} of type string`
}

const META_FIELDS = new Set(['kind', 'apiVersion', ...Object.keys(objectMeta.properties ?? {})])

/**
 * Refuses (400) the result of a patch without its version. The real server reads it into the form in which it handles
 * objects, which knows no field by its name in the API, not even that of the metadata.
 */
export function refuseUntyped({ call, resource, target }: Ask, changed: object, shown: () => string): never {
  const { kind } = changed as { kind?: unknown }
  if (typeof (kind ?? '') !== 'string') throw wrongPatch(shown, unreadKind(changed, ['kind', 'apiVersion']))
  if (typeof kind === 'string' && kind !== '' && kind !== resource.kind.kind)
    throw wrongPatch(shown, unknownInternally(kind, resource))
  const unknown = Object.keys(changed).filter((name) => !META_FIELDS.has(name))
  const texts = unknown.toSorted().map((name) => `unknown field ${JSON.stringify(name)}`)
  const validation = validationIn(call.query)
  if (validation === 'Strict' && texts.length > 0) throw wrongPatch(shown, `strict decoding error: ${texts.join(', ')}`)
  if (validation === 'Warn') for (const text of texts) call.warn(text)
  const { name = '' } = target
  throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
}

/** The kind is looked for among those of the same group, in the form in which objects are handled. */
function unknownInternally(kind: string, { kind: { group, kind: expected }, apiVersion }: Resource): string {
  const inside = packageOf(apiVersion)
  return isKnown(apiVersion, kind)
    ? `converting (${inside}.${kind}) to (${inside}.${expected}): unknown conversion`
    : `no kind "${kind}" is registered for the internal version of group "${group}" in scheme "pkg/runtime/scheme.go:111"`
}

/** Objects of custom kinds say themselves what they are. */
function refuseNameless(changed: UnknownObject, resource: Resource, shown: () => string): void {
  const { kind, apiVersion } = changed as Readonly<Record<string, unknown>>
  if ([kind, apiVersion].some((given) => given !== undefined && given !== null && typeof given !== 'string'))
    throw wrongPatch(shown, unreadKind(changed, ['apiVersion', 'kind']))
  if (!changed.kind) throw wrongPatch(shown, `Object 'Kind' is missing in '${shown()}'`)
  if (changed.apiVersion) return
  if (apiVersion === null)
    throw wrongPatch(shown, '.apiVersion accessor error: <nil> is of the type <nil>, expected string')
  refuseMisfit(changed, resource, shown)
  const text = "Object 'apiVersion' is missing in 'object has no apiVersion field'"
  throw kubeError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] })
}

function refuseMisfit(changed: UnknownObject, { kind }: Resource, shown: () => string): void {
  const misfit = strategyOf(kind).mismatchOf(changed)
  if (misfit !== undefined) throw wrongPatch(shown, misfit)
}

/** Refuses (422) a patch that changes the kind. What the kind of a custom object is, its decoder says. */
export function checkKind({ keyspace, resource }: Ask, changed: UnknownObject, shown: () => string): void {
  const { kind: expected, apiVersion } = resource
  if (resource.custom) refuseNameless(changed, resource, shown)
  const given = { kind: changed.kind || expected.kind, apiVersion: changed.apiVersion || apiVersion }
  if (typeof given.kind !== 'string' || typeof given.apiVersion !== 'string') {
    throw wrongPatch(shown, unreadKind(given, ['kind', 'apiVersion']))
  }
  if (given.kind === expected.kind && given.apiVersion === apiVersion) return
  if (given.apiVersion.split('/').length > 2)
    throw wrongPatch(shown, `unexpected GroupVersion string: ${given.apiVersion}`)
  // The metadata of a custom object is read before anybody asks what it is.
  if (resource.custom) refuseMisfit(changed, resource, shown)
  const group = given.apiVersion.includes('/') ? given.apiVersion.slice(0, given.apiVersion.indexOf('/')) : ''
  if (resource.custom)
    throw invalidError({ kind: given.kind, group }, changed.metadata?.name ?? '', [
      ...(given.kind === expected.kind ? [] : [invalidField('kind', given.kind, `must be ${expected.kind}`)]),
      ...(given.apiVersion === apiVersion
        ? []
        : [invalidField('apiVersion', given.apiVersion, `must be ${apiVersion}`)]),
    ])
  const version = given.apiVersion.slice(given.apiVersion.indexOf('/') + 1)
  const isRead = keyspace.registry.ofObject(given.apiVersion, given.kind) || isKnown(given.apiVersion, given.kind)
  throw wrongPatch(
    shown,
    isRead
      ? `converting (${version}.${given.kind}) to (${packageOf(apiVersion)}.${expected.kind}): unknown conversion`
      : `no kind "${given.kind}" is registered for version "${given.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  )
}
