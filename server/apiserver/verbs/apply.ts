/** Server-side apply. */
import {
  type Applied,
  applyFields,
  type FieldSet,
  type FieldType,
  findMismatches,
  LEAF,
  objectTypeOf,
  type Owners,
  ownUpdate,
  shown,
  unchangedFields,
  zeroObject,
} from '@/lib/kube/managed-fields'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { ownProperty, type StructuralSchema } from '@/lib/kube/schema'
import { wrapped } from '@/lib/kube/schema-overflow'
import { strategyOf } from '@/lib/kube/strategy'
import { authorizeCreation } from '../access/authorize'
import type { Ask } from '../api'
import { readConfiguration } from '../apply-body'
import type { Answer } from '../call'
import { badRequest, conflict, internal, notFound } from '../failures'
import { createObject } from '../registry/create'
import { authorOf, bare, ownersOf, readerOf, resetFields } from '../registry/managed-fields'
import { withMetadata } from '../registry/metadata'
import { keyIn } from '../registry/resource'
import { partOf } from '../registry/rules'
import { updateObject } from '../registry/update'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { checkNamespace } from './create'
import { checkName } from './update'
import { warnAboutChange, warnAboutNew } from '../warnings/warnings'
import { readWriteOptions } from './write-options'

/** Applies to an object or to its status. An object that is not there is created. */
export async function apply(ask: Ask): Promise<Answer> {
  const { api, keyspace, resource, target, call } = ask
  const view = viewOf(ask)
  const { dryRun, validation, manager, force } = readWriteOptions(call.query, 'PatchOptions', true)
  const request = { manager, force, config: await readConfiguration(call, validation) }
  const name = target.name ?? ''
  const key = keyIn(resource, target.namespace, name)
  const current = api.store.get({ keyspace: keyspace.name, resource: resource.id, key })
  const options = { writer: writerOf(call), dryRun, ownersGiven: true }
  if (current) {
    const subresource = partOf(target.subresource)
    const change = (object: UnknownObject): UnknownObject => checked(ask, appliedTo(ask, object, request))
    const entry = await updateObject(ask, current, { ...options, change, subresource })
    warnAboutChange(ask, current.value, entry.value)
    return view.object(entry)
  }
  if (target.subresource) throw notFound(resource.kind, name)
  authorizeCreation(ask)
  const draft = withMetadata(checked(ask, appliedTo(ask, undefined, request)), { resourceVersion: '' })
  const onValid = (object: UnknownObject): void => warnAboutNew(call, resource, request.config.metadata ?? {}, object)
  const created = await createObject(ask, draft, { ...options, namespace: target.namespace, onValid })
  return view.object(created, 201)
}

function checked(ask: Ask, object: UnknownObject): UnknownObject {
  checkNamespace(ask, object)
  checkName(ask, object)
  return object
}

/** Input of an apply. */
export interface ApplyRequest {
  config: UnknownObject
  manager: string
  force: boolean
}

function appliedTo(ask: Ask, current: UnknownObject | undefined, request: ApplyRequest): UnknownObject {
  const { kind, apiVersion } = ask.resource
  const type = objectTypeOf(kind)
  checkConfiguration(request.config, { apiVersion, kind: kind.kind }, type)
  const { next: merged, owners } = current ? applyToPresent(ask, current, request) : applyToNothing(ask, request)
  const next = kind.origin === 'builtin' ? wrapped(merged, kind.schema) : merged
  if (kind.origin === 'builtin') checkConvertible(request.config, kind.schema, strategyOf(kind).mismatchOf(next))
  // The merged object is decoded like a sent one: null means a zero value or nothing.
  const { object } = strategyOf(kind).decode(next, { from: 'merged' })
  if (!current && object.metadata?.uid) {
    const { uid } = object.metadata
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
    throw conflict(kind, ask.target.name ?? '', why)
  }
  return { ...object, metadata: { ...metadataFor(object, request), managedFields: shown(owners) } } as UnknownObject
}

function applyToNothing(ask: Ask, { config, manager, force }: ApplyRequest): Applied {
  const author = authorOf(ask, { manager, operation: 'Apply' })
  const ignored = resetFields(ask.resource.kind, undefined)
  return applyFields({ ...readerOf(ask), live: {}, config, owners: [], author, force, ignored })
}

function applyToPresent(ask: Ask, current: UnknownObject, { config, manager, force }: ApplyRequest): Applied {
  const { kind } = ask.resource
  const { subresource } = ask.target
  const live = bare(current)
  if (kind.origin === 'builtin' || kind.storedAs?.forgets)
    checkLive(live, objectTypeOf(kind), ownersOf(current.metadata).length > 0)
  return applyFields({
    ...readerOf(ask),
    live,
    config,
    force,
    owners: ownersBeforeApply(ask, live, ownersOf(current.metadata)),
    author: authorOf(ask, { manager, operation: 'Apply', subresource }),
    ignored: resetFields(kind, subresource),
    ...(manager === KUBECTL && { yielded: () => appliedByClient(live, objectTypeOf(kind)) }),
  })
}

/** Unowned fields of an existing object get an owner, so that they are not taken without a conflict. */
function ownersBeforeApply(ask: Ask, live: UnknownObject, owners: Owners): Owners {
  if (owners.length > 0) return owners
  const { kind } = ask.resource
  const { subresource } = ask.target
  const author = authorOf(ask, { manager: 'before-first-apply', operation: 'Update', subresource })
  const ignored = resetFields(kind, subresource)
  return ownUpdate([], { ...readerOf(ask), live: zeroObject(kind), next: live, ignored }, author)
}

/** Values are converted one by one here, not read from a text: no field is named. */
function converted(misfit: string, schema: StructuralSchema): string {
  if (namesIntOrString(misfit, schema))
    return misfit.replace(/ into Go struct field \S+ of type/, ' into Go value of type')
  return (
    misfit
      .replace(/^illegal base64/, 'error decoding from json: $&')
      .replace(
        /^json: cannot unmarshal number \d*\.\d+ into Go struct field \S+ of type (int\d+)$/,
        'cannot convert float64 to $1',
      )
      .replace(/ into Go struct field \S+ of type string$/, ' into Go value of type string')
      // What may be a text is read as a number by itself.
      .replace(
        /( into Go struct field \S+ of type intstr\.IntOrString|(?<=number \d+) into Go struct field \S+ of type int32)$/,
        ' into Go value of type int32',
      )
  )
}

/** True when the field that a refusal names is a number or a text. */
function namesIntOrString(misfit: string, schema: StructuralSchema): boolean {
  const [, path = ''] = / Go struct field [^.\s]+\.(\S+) of type int32$/.exec(misfit) ?? []
  let at: StructuralSchema | undefined = schema
  for (const name of path.split('.')) {
    while (at?.items) at = at.items
    at = at && ownProperty(at, name)
  }
  return at?.['x-kubernetes-int-or-string'] === true
}

interface Expected {
  apiVersion: string
  kind: string
}

/** Refuses another kind or `managedFields` (400), and content that does not fit the type (500). */
export function checkConfiguration(config: UnknownObject, expected: Expected, type: FieldType): void {
  const named = describeKind(config)
  if (config.apiVersion !== expected.apiVersion || config.kind !== expected.kind) {
    throw badRequest(`invalid object type: ${named}`)
  }
  if (Array.isArray(config.metadata?.managedFields)) throw badRequest('metadata.managedFields must be nil')
  const misfit = findMismatches(config, type)
  if (misfit === undefined) return
  const { namespace = '', name = '' } = config.metadata ?? {}
  throw internal(`failed to create typed patch object (${namespace}/${name}; ${named}): ${misfit}`, '')
}

/** An object of another version may hold what this one cannot read (500). */
function checkLive(live: UnknownObject, type: FieldType, isOwned: boolean): void {
  const misfit = findMismatches(live, type, 'whole')
  if (misfit === undefined) return
  const { namespace = '', name = '' } = live.metadata ?? {}
  const named = `(${namespace}/${name}; ${describeKind(live)})`
  // Without owners, those of the fields that are there are looked for first.
  const why = isOwned
    ? `failed to create typed live object ${named}`
    : `failed to create manager for existing fields: failed to convert new object ${named} to smd typed`
  throw internal(`${why}: ${misfit}`, '')
}

/** Refuses (500) a value that fits its field, and that the kind's type cannot read. */
function checkConvertible(config: UnknownObject, schema: StructuralSchema, misfit: string | undefined): void {
  if (misfit === undefined) return
  const { namespace = '', name = '' } = config.metadata ?? {}
  const named = describeKind(config)
  throw internal(
    `failed to convert new object (${namespace}/${name}; ${named}) to proper version: `
      + `unable to convert unstructured object to ${named}: ${converted(misfit, schema)}`,
    '',
  )
}

/** Values other than strings are ignored. */
function describeKind({ apiVersion, kind }: Readonly<Record<string, unknown>>): string {
  const [version, name] = [apiVersion, kind].map((text) => (typeof text === 'string' ? text : ''))
  // A version of too many parts says nothing at all.
  if ((version?.split('/').length ?? 0) > 2) return '/, Kind='
  return `${version?.includes('/') ? '' : '/'}${version}, Kind=${name}`
}

/** The field manager of kubectl; its client-side apply annotation is kept up to date. */
const KUBECTL = 'kubectl'
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Fields of client-side apply that are unchanged: kubectl takes them over. */
function appliedByClient(live: UnknownObject, type: FieldType): FieldSet {
  const text = live.metadata.annotations?.[LAST_APPLIED]
  const applied = text === undefined ? undefined : parsed(text)
  if (applied?.apiVersion !== live.apiVersion || findMismatches(applied, type) !== undefined) return LEAF
  return unchangedFields(applied, live, type)
}

function parsed(text: string): Partial<UnknownObject> | undefined {
  try {
    return JSON.parse(text) as Partial<UnknownObject> | undefined
  } catch {
    return undefined
  }
}

function metadataFor({ metadata }: UnknownObject, { manager, config }: ApplyRequest): Partial<ObjectMeta> {
  if (manager !== KUBECTL || !metadata?.annotations?.[LAST_APPLIED]) return metadata ?? {}
  return { ...metadata, annotations: { ...metadata.annotations, [LAST_APPLIED]: lastApplied(config) } }
}

function lastApplied(config: UnknownObject): string {
  const { annotations } = config.metadata
  if (!annotations) return `${JSON.stringify(config)}\n`
  const { [LAST_APPLIED]: _, ...rest } = annotations
  return `${JSON.stringify({ ...config, metadata: { ...config.metadata, annotations: rest } })}\n`
}
