/** PATCH: computes the next state from the current one and updates the object with it. */
import { kubeError } from '@/lib/kube/errors'
import type { UnknownObject } from '@/lib/kube/object'
import { applyJsonPatch, applyMergePatch, type JsonPatchOperation, type PatchTrace } from '@/lib/kube/patch'
import { goText } from '@/lib/kube/go-text'
import type { StructuralSchema } from '@/lib/kube/schema'
import { wrapped } from '@/lib/kube/schema-overflow'
import { findUnrestorable } from '@/lib/kube/restore-mismatch'
import { applyStrategicPatch } from '@/lib/kube/strategic'
import { newPatchMarks, repeatedPatch } from '@/lib/kube/strategic-repeated'
import { sizeWithin } from '@/lib/std/json-bounds'
import type { Ask } from '../api'
import { IDENTITY, mediaType, tryParse, unsupportedMedia } from '../body'
import type { Answer, Call } from '../call'
import { repeatedFields } from '../duplicate-fields'
import { badRequest } from '../failures'
import { dropUnknownOfPatch, validationIn, wrongPatch } from '../field-validation'
import { inStructOrder } from '../protobuf/struct-order'
import type { Resource } from '../registry/resource'
import { partOf } from '../registry/rules'
import { updateObject } from '../registry/update'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { apply } from './apply'
import { checkNamespace } from './create'
import { find } from './get'
import { checkKind, patchedText, refuseUntyped } from './patch-fault'
import { checkName } from './update'
import { warnAboutChange } from '../warnings/warnings'
import { readWriteOptions } from './write-options'

/** A patch that was read. */
interface Patch {
  apply(object: unknown): unknown
  /** The part of the object that is repeated in an error. */
  text(changed: unknown, current: unknown): string
  /** Type errors of the result, field by field, by the schema of the kind or another one. */
  misfit(changed: unknown, schema?: StructuralSchema): string | undefined
  /** What a strict reader minds in the patch itself. */
  strict: readonly string[]
}

/** What a list is told where an object belongs. */
const NO_OBJECT = `json: cannot unmarshal array into Go value of type ${IDENTITY}`

/** Maximum bytes of an object in an error. kube-apiserver repeats all of it, several times over. */
const MAX_REPEATED_LENGTH = 256 * 1024

/** PATCH of an object or of its status. */
export async function patch(ask: Ask): Promise<Answer> {
  if (isApply(ask.call)) return apply(ask)
  refuseUnsuited(ask.resource, mediaType(ask.call))
  const view = viewOf(ask)
  const { dryRun } = readWriteOptions(ask.call.query, 'PatchOptions')
  // What there is none of is missing whatever its patch says.
  find(ask)
  const patch = await readPatch(ask)
  const change = (current: UnknownObject): UnknownObject => {
    const changed = patch.apply(current) as UnknownObject
    const shown = (): string =>
      sizeWithin(changed, MAX_REPEATED_LENGTH) === undefined ? '(too long to repeat)' : patch.text(changed, current)
    const misfit = patch.misfit(changed)
    if (misfit) throw wrongPatch(shown, misfit)
    if (Array.isArray(changed)) throw wrongPatch(shown, `couldn't get version/kind; json parse error: ${NO_OBJECT}`)
    if (!changed.apiVersion && !ask.resource.custom) refuseUntyped(ask, changed, shown)
    // A custom object is compared with the path before anything is said of its kind.
    if (ask.resource.custom && changed.kind && changed.apiVersion && isNamed(changed)) checkPlace(ask, changed)
    checkKind(ask, changed, shown)
    const next = dropUnknownOfPatch(ask.call, ask.resource, withType(ask.resource, changed), {
      old: current,
      shown,
      ofPatch: patch.strict,
      isSorted: mediaType(ask.call) === STRATEGIC,
    })
    checkPlace(ask, next)
    return next
  }
  const subresource = partOf(ask.target.subresource)
  const options = { change, writer: writerOf(ask.call), subresource, dryRun } as const
  const current = find(ask)
  const entry = await updateObject(ask, current, options)
  warnAboutChange(ask, current.value, entry.value)
  return view.object(entry)
}

function isNamed({ metadata }: Partial<UnknownObject>): boolean {
  const { name, namespace } = metadata ?? {}
  return typeof name === 'string' && (namespace === undefined || typeof namespace === 'string')
}

function checkPlace(ask: Ask, object: UnknownObject): void {
  checkNamespace(ask, object)
  checkName(ask, object)
}

/** An object without a type, or with an empty one, is decoded as the resource's kind. */
function withType({ apiVersion, kind: { kind } }: Resource, object: UnknownObject): UnknownObject {
  if (object.apiVersion && object.kind) return object
  return { ...object, apiVersion: object.apiVersion || apiVersion, kind: object.kind || kind }
}

/** True for a server-side apply. */
export function isApply(call: Call): boolean {
  return mediaType(call) === APPLY
}

/**
 * The patch in a body. Throws 400 for one that cannot be read and 415 for a form that the kind does not
 * take.
 */
export async function readPatch({ call, resource }: Pick<Ask, 'call' | 'resource'>): Promise<Patch> {
  const type = mediaType(call)
  refuseUnsuited(resource, type)
  const lenient = validationIn(call.query) === 'Ignore'
  const refuse = (detail: string): unknown => {
    if (type === STRATEGIC) return badRequest(detail)
    if (!lenient) return badRequest(`error decoding patch: ${detail}`)
    return badRequest(type === JSON_PATCH ? detail : BAD_MERGE_PATCH)
  }
  const body = call.value === undefined ? await call.body() : undefined
  const value = call.value ?? tryParse(body ?? '', refuse)
  const strict = lenient || body === undefined ? [] : strictFindings(body, value, type === JSON_PATCH)
  if (type === STRATEGIC) return { ...strategicPatch(recordOf(value ?? {}, refuse), resource), strict }
  const trace: PatchTrace = { read: new Set(), sources: new Map() }
  const apply = type === JSON_PATCH ? jsonPatchOf(value, { lenient, refuse, trace }) : mergePatchOf(value, refuse)
  return {
    apply,
    text: (changed, current) => patchedText(changed, current, { resource, trace }),
    misfit: () => undefined,
    strict,
  }
}

/** Fields that are given twice, and those that an operation does not have. */
function strictFindings(body: string, value: unknown, isJsonPatch: boolean): string[] {
  const again = [...(repeatedFields(body, value)?.again.keys() ?? [])].map((path) => `duplicate field "${path}"`)
  if (!isJsonPatch) return again
  const unknown = asList(value).flatMap((operation, index) =>
    Object.keys((operation ?? {}) as object)
      .filter((name) => !TEXTS.has(name) && name !== 'value')
      .map((name) => `unknown field "[${index}].${name}"`),
  )
  return [...again, ...unknown].map((text) => `json patch ${text}`)
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

type Refuse = (detail: string) => unknown

function jsonPatchOf(
  value: unknown,
  { lenient, refuse, trace }: { lenient: boolean; refuse: Refuse; trace: PatchTrace },
): Patch['apply'] {
  const operations = operationsOf(value ?? [], lenient ? ['jsonpatch.Patch'] : STRICT_TYPES, refuse)
  return (object) => applyJsonPatch(object, operations, trace)
}

function mergePatchOf(value: unknown, refuse: Refuse): Patch['apply'] {
  if (value === null) throw badRequest(BAD_MERGE_PATCH)
  const merged = recordOf(value, refuse)
  return (object) => applyMergePatch(object, merged)
}

const BAD_MERGE_PATCH = 'Invalid JSON Patch'

/** What an object says of its type, which is read before all else. */
const TYPE: StructuralSchema = {
  type: 'object',
  properties: { kind: { type: 'string' }, apiVersion: { type: 'string' } },
}

/** A patch of an object's fields. */
function strategicPatch(value: object, { kind, apiVersion }: Resource): Omit<Patch, 'strict'> {
  const trace = newPatchMarks()
  const { kind: given = null, apiVersion: version = null } = value as Partial<Record<string, unknown>>
  const unread = findUnrestorable({ kind: given, apiVersion: version }, TYPE)
  return {
    // A type knows what it is: a patch of its fields cannot change that.
    apply: (object) => ({
      ...(wrapped(applyStrategicPatch(object, value, kind.schema, { type: kind.kind, trace }), kind.schema) as object),
      apiVersion,
      kind: kind.kind,
    }),
    text: () => goText(repeatedPatch(value, trace)),
    misfit: (changed, schema = kind.schema) =>
      unread ?? (findUnrestorable(changed, schema) && firstUnrestorable(changed, schema)),
  }
}

/** A type takes its fields in its own order, whatever that of the patch. */
function firstUnrestorable(changed: unknown, schema: StructuralSchema): string | undefined {
  const { apiVersion = '', kind = '' } = changed as { apiVersion?: string; kind?: string }
  return findUnrestorable(inStructOrder(changed, { apiVersion, kind }), schema)
}

const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'
const JSON_PATCH = 'application/json-patch+json'
const COMMON = [JSON_PATCH, 'application/merge-patch+json']

/** Throws 415 for a form of patches that the kind does not take. */
export function refuseUnsuited(resource: Resource, type: string): void {
  if (COMMON.includes(type)) return
  if (type === STRATEGIC && !resource.custom) return
  if (resource.custom) throw unsupportedMedia([...COMMON, APPLY].join(', '))
  throw kubeError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
}

/** The Go types of a patch that is read strictly, and of its operations. */
const STRICT_TYPES = ['[]handlers.jsonPatchOp', 'handlers.jsonPatchOp'] as const

function operationsOf(
  value: unknown,
  [list, item]: readonly [list: string, item?: string],
  refuse: Refuse,
): JsonPatchOperation[] {
  const unfit = (found: unknown, type: string): unknown =>
    refuse(`json: cannot unmarshal ${goType(found)} into Go value of type ${type}`)
  if (!Array.isArray(value)) throw unfit(value, list)
  for (const operation of item === undefined ? [] : (value as unknown[])) {
    if (typeof operation !== 'object' || Array.isArray(operation)) throw unfit(operation, item!)
    for (const [name, text] of Object.entries(operation ?? {})) {
      if (!TEXTS.has(name) || typeof text === 'string' || text === null) continue
      throw refuse(`json: cannot unmarshal ${goType(text)} into Go struct field jsonPatchOp.${name} of type string`)
    }
  }
  return value as JsonPatchOperation[]
}

const TEXTS = new Set(['op', 'path', 'from'])

function recordOf(value: unknown, refuse: Refuse): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw refuse(`json: cannot unmarshal ${goType(value)} into Go value of type map[string]interface {}`)
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
