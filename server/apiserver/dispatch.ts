/** From a target and a method to the verb. */
import { ownField } from '@/lib/std/fields'
import { answerReview } from './access/reviews'
import { requestToken } from './access/token-request'
import type { Api, Ask } from './api'
import { mediaType } from './body'
import { type Answer, type Call, text } from './call'
import { badRequest, methodNotAllowed, methodNotSupported, noSuchPath, notFound } from './failures'
import { readMetrics } from './metrics/read'
import { booleanOf } from './query'
import type { Keyspace } from './registry/keyspace'
import { keyIn, type Resource } from './registry/resource'
import type { Target } from './route'
import { create } from './verbs/create'
import { remove } from './verbs/delete'
import { removeCollection } from './verbs/delete-collection'
import { finalizeNamespace } from './verbs/finalize'
import { get } from './verbs/get'
import { list } from './verbs/list'
import { isApply, patch, refuseUnsuited } from './verbs/patch'
import { readLog, reachInside } from './verbs/pod-log'
import { bindNamedPod, bindPod, evict } from './verbs/pod-subresources'
import { getScale, patchScale, updateScale } from './verbs/scale'
import { update } from './verbs/update'
import { isUnrouted } from './views/accept'
import { watch } from './verbs/watch'

export type Verb = (ask: Ask) => Promise<Answer>
type Verbs = Readonly<Partial<Record<string, Verb>>>

const onObject: Verbs = { GET: get, PUT: update, PATCH: patch, DELETE: remove }
/** A new custom object is named by its body, whatever the path names. */
const onCustomObject: Verbs = { ...onObject, POST: create }
const onCollection: Verbs = { GET: listOrWatch, POST: create, DELETE: removeCollection }
/** Requests for all namespaces are read-only. */
const onAllNamespaces: Verbs = { GET: listOrWatch }
/** A namespace is deleted by its name only. */
const onNamespaces: Verbs = { GET: listOrWatch, POST: create }
const onScale: Verbs = { GET: getScale, PUT: updateScale, PATCH: patchScale }
const onStatus: Verbs = { GET: get, PUT: update, PATCH: patch }
const SPECIAL: Readonly<Record<string, Verbs>> = {
  'pods/eviction': { POST: evict },
  'pods/binding': { POST: bindPod },
  'pods/log': { GET: readLog },
  'pods/exec': { GET: reachInside, POST: reachInside },
  'pods/attach': { GET: reachInside, POST: reachInside },
  'pods/portforward': { GET: reachInside, POST: reachInside },
  'namespaces/finalize': { PUT: finalizeNamespace },
  'certificatesigningrequests.certificates.k8s.io/approval': onStatus,
  'serviceaccounts/token': { POST: requestToken },
}
/** Read-only kinds whose objects are computed. */
const onMetrics: Verbs = { GET: readMetrics }
const COMPUTED: Readonly<Record<string, Verbs>> = {
  'nodes.metrics.k8s.io': onMetrics,
  'pods.metrics.k8s.io': onMetrics,
}
const onQuestion: Verbs = { POST: answerReview }

/** Runs the verb that a request means. Rejects with 404 or 405 when there is none. */
export function dispatch(api: Api, keyspace: Keyspace, target: Target, asked: Call): Promise<Answer> {
  // Built-in kinds have no route for HEAD; of a custom kind it is a read.
  const call = target.resource.custom && asked.method === 'HEAD' ? readOf(asked) : asked
  if (isElsewhere(target, call)) return Promise.resolve(text(404, '404 page not found\n'))
  const verb = verbsOf(target)[call.method]
  if (!verb) throw unsupported(target, call)
  const { deprecation, readOnly } = target.resource.kind
  if (readOnly && call.method !== 'GET') throw methodNotAllowed()
  const ask = { api, keyspace, resource: target.resource, target, call }
  return deprecation === undefined ? converted(ask, verb) : warning(ask, verb, deprecation)
}

/** A namespaced custom kind is read in all namespaces at once; nothing else is served there. */
function isElsewhere({ resource: { custom, kind }, namespace }: Target, { method }: Call): boolean {
  return custom && kind.scope === 'Namespaced' && namespace === undefined && method !== 'GET'
}

/** The read with the same head. That of a watch would have no end: it is answered like a list. */
function readOf(call: Call): Call {
  const query = new URLSearchParams(call.query)
  query.delete('watch')
  return { ...call, method: 'GET', query }
}

/** Warns first, unless the request does not get as far as its kind. */
async function warning(ask: Ask, verb: Verb, deprecation: string): Promise<Answer> {
  const warnings = [deprecation]
  const tell = (): void => warnings.forEach((text) => ask.call.warn(text))
  const call: Call = { ...ask.call, warn: (text) => void warnings.push(text) }
  try {
    const answer = await converted({ ...ask, call }, verb)
    tell()
    return answer
  } catch (error) {
    if (!isUnrouted(error)) tell()
    throw error
  }
}

/** Verbs of the methods that a subresource of a custom kind may refuse. */
const VERBS: Readonly<Record<string, string>> = { POST: 'create', DELETE: 'delete' }

function unsupported(target: Target, call: Call): unknown {
  const { resource, subresource } = target
  if (!resource.custom) return methodNotAllowed()
  if (isNameless(target, call)) {
    if (call.method === 'PATCH' && !isApply(call)) refuseUnsuited(resource, mediaType(call))
    return badRequest('name must be provided')
  }
  if (call.method === 'OPTIONS') return methodNotSupported(resource.kind, '')
  const verb = ownField(VERBS, call.method)
  return subresource !== undefined && verb !== undefined ? methodNotSupported(resource.kind, verb) : methodNotAllowed()
}

/** Custom kinds look for the name before they look at the method. */
function isNameless({ name }: Target, { method }: Call): boolean {
  return name === undefined && (method === 'PUT' || method === 'PATCH')
}

/** A conversion webhook is called before the verb reads. */
function converted(ask: Ask, verb: Verb): Promise<Answer> {
  const { prepare } = ask.resource
  return prepare ? prepared(ask, prepare).then(() => verb(ask)) : verb(ask)
}

async function prepared(
  { api, keyspace, resource, target: { name, namespace } }: Ask,
  prepare: NonNullable<Resource['prepare']>,
): Promise<void> {
  const bucket = { keyspace: keyspace.name, resource: resource.id }
  const entry = name === undefined ? undefined : api.store.get({ ...bucket, key: keyIn(resource, namespace, name) })
  await prepare(name === undefined ? api.store.list(bucket, { namespace }) : entry ? [entry] : [])
}

function verbsOf(target: Target): Verbs {
  const { resource, name, namespace, subresource } = target
  const { kind } = resource
  if (kind.transient) {
    if (name !== undefined || !hasItsNamespace(target)) return nothing()
    return resource.id === 'bindings' ? { POST: bindNamedPod } : onQuestion
  }
  const computed = ownField(COMPUTED, resource.id)
  if (computed) return subresource === undefined ? computed : nothing()
  if (name === undefined) {
    if (kind.scope === 'Namespaced' && namespace === undefined) return onAllNamespaces
    return resource.id === 'namespaces' ? onNamespaces : onCollection
  }
  if (subresource === undefined) return resource.custom ? onCustomObject : onObject
  if (subresource === 'status' && kind.subresources.status) return onStatus
  if (subresource === 'scale' && kind.subresources.scale) return onScale
  const special = SPECIAL[`${resource.id}/${subresource}`]
  if (special) return special
  return resource.custom
    ? { GET: missing, PUT: missing, PATCH: missing, POST: missing, DELETE: missing, OPTIONS: missing }
    : nothing()
}

function hasItsNamespace({ resource, namespace }: Target): boolean {
  return (resource.kind.scope === 'Namespaced') === (namespace !== undefined)
}

function nothing(): never {
  throw noSuchPath()
}

/** A subresource that a custom kind does not have: there is no such object, whatever the method. */
function missing({ resource, target }: Ask): Promise<Answer> {
  return Promise.reject(notFound(resource.kind, target.name ?? ''))
}

function listOrWatch(ask: Ask): Promise<Answer> {
  return booleanOf(ask.call.query, 'watch') ? watch(ask) : list(ask)
}
