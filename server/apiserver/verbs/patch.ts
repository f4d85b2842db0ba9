/** PATCH: computes the next state from the current one and updates the object with it. */
import { kubeError } from '@/lib/kube/errors'
import type { UnknownObject } from '@/lib/kube/object'
import { applyJsonPatch, applyMergePatch, type JsonPatchOperation } from '@/lib/kube/patch'
import { goText } from '@/lib/kube/go-text'
import { findUnrestorable } from '@/lib/kube/restore-mismatch'
import { applyStrategicPatch } from '@/lib/kube/strategic'
import { sizeWithin } from '@/lib/std/json-bounds'
import type { Ask } from '../api'
import { mediaType, tryParse, unsupportedMedia } from '../body'
import type { Answer, Call } from '../call'
import { badRequest } from '../failures'
import { dropUnknownOfPatch, wrongPatch } from '../field-validation'
import type { Resource } from '../registry/resource'
import { partOf } from '../registry/rules'
import { updateObject } from '../registry/update'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { apply } from './apply'
import { checkNamespace } from './create'
import { find } from './get'
import { checkKind, patchedText } from './patch-fault'
import { checkName } from './update'
import { warnAboutChange } from './warnings'
import { readWriteOptions } from './write-options'

/** A patch that was read. */
interface Patch {
  apply(object: unknown): unknown
  /** The part of the object that is repeated in an error. */
  text(changed: unknown, current: unknown): string
  /** Type errors of the result, field by field. */
  misfit(changed: unknown): string | undefined
}

/** Maximum bytes of an object in an error. kube-apiserver repeats all of it, several times over. */
const MAX_REPEATED_LENGTH = 256 * 1024

/** PATCH of an object or of its status. */
export async function patch(ask: Ask): Promise<Answer> {
  if (isApply(ask.call)) return apply(ask)
  refuseUnsuited(ask.resource, mediaType(ask.call))
  const view = viewOf(ask)
  const { dryRun } = readWriteOptions(ask.call.query, 'PatchOptions')
  const patch = await readPatch(ask)
  const change = (current: UnknownObject): UnknownObject => {
    const changed = patch.apply(current) as UnknownObject
    const shown = (): string =>
      sizeWithin(changed, MAX_REPEATED_LENGTH) === undefined ? '(too long to repeat)' : patch.text(changed, current)
    const misfit = patch.misfit(changed)
    if (misfit) throw wrongPatch(shown, misfit)
    checkKind(ask, changed, shown)
    const next = dropUnknownOfPatch(ask.call, ask.resource, withType(ask.resource, changed), shown)
    checkName(ask, next)
    checkNamespace(ask, next)
    return next
  }
  const subresource = partOf(ask.target.subresource)
  const options = { change, writer: writerOf(ask.call), subresource, dryRun } as const
  const current = find(ask)
  const entry = await updateObject(ask, current, options)
  warnAboutChange(ask.call, ask.resource, current.value, entry.value)
  return view.object(entry)
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
  const value =
    call.value
    ?? tryParse(await call.body(), (detail) =>
      badRequest(type === STRATEGIC ? detail : `error decoding patch: ${detail}`),
    )
  return type === STRATEGIC ? strategicPatch(value, resource) : textualPatch(type, value, resource)
}

/** A patch of an object's JSON. */
function textualPatch(type: string, value: unknown, { custom }: Resource): Patch {
  const apply =
    type === 'application/json-patch+json'
      ? (object: unknown) => applyJsonPatch(object, operationsOf(value))
      : (object: unknown) => applyMergePatch(object, recordOf(value))
  return { apply, text: (changed, current) => patchedText(changed, current, custom), misfit: () => undefined }
}

/** A patch of an object's fields. */
function strategicPatch(value: unknown, { kind, apiVersion }: Resource): Patch {
  return {
    // A type knows what it is: a patch of its fields cannot change that.
    apply: (object) => ({
      ...(applyStrategicPatch(object, recordOf(value, ''), kind.schema, kind.kind) as object),
      apiVersion,
      kind: kind.kind,
    }),
    text: () => goText(value),
    misfit: (changed) => findUnrestorable(changed, kind.schema),
  }
}

const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'
const COMMON = ['application/json-patch+json', 'application/merge-patch+json']

function refuseUnsuited(resource: Resource, type: string): void {
  if (COMMON.includes(type)) return
  if (type === STRATEGIC && !resource.custom) return
  if (resource.custom) throw unsupportedMedia([...COMMON, APPLY].join(', '))
  throw kubeError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
}

function operationsOf(value: unknown): JsonPatchOperation[] {
  if (Array.isArray(value)) return value as JsonPatchOperation[]
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${goType(value)} into Go value of type jsonpatch.Patch`,
  )
}

function recordOf(value: unknown, prefix = 'error decoding patch: '): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw badRequest(`${prefix}json: cannot unmarshal ${goType(value)} into Go value of type map[string]interface {}`)
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
