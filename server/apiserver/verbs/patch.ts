/** PATCH: computes the next state from the current one and updates the object with it. */
import { kubeError } from '@/lib/kube/errors'
import type { UnknownObject } from '@/lib/kube/object'
import { applyJsonPatch, applyMergePatch, type JsonPatchOperation } from '@/lib/kube/patch'
import { applyStrategicPatch } from '@/lib/kube/strategic'
import type { Ask } from '../api'
import { mediaType, tryParse, unsupportedMedia } from '../body'
import type { Answer, Call } from '../call'
import { badRequest } from '../failures'
import { dropUnknownOfPatch, fieldValidationOf } from '../field-validation'
import type { Resource } from '../registry/resource'
import { updateObject } from '../registry/update'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { apply } from './apply'
import { checkNamespace, readDryRun } from './create'
import { find } from './get'
import { checkName } from './update'
import { checkPatchOptions } from './write-options'

type Change = (object: unknown) => unknown

/** PATCH of an object or of its status. */
export async function patch(ask: Ask): Promise<Answer> {
  if (isApply(ask.call)) return apply(ask)
  const view = viewOf(ask)
  const dryRun = readDryRun(ask.call.query, 'PatchOptions')
  fieldValidationOf(ask.call.query, 'PatchOptions')
  checkPatchOptions(ask.call.query)
  const patched = await readPatch(ask)
  const change = (current: UnknownObject): UnknownObject => {
    const changed = patched(current) as UnknownObject
    const next = dropUnknownOfPatch(ask.call, ask.resource, changed, () => JSON.stringify(changed))
    checkName(ask, next)
    checkNamespace(ask, next)
    return next
  }
  const subresource = ask.target.subresource === 'status' ? 'status' : undefined
  const options = { change, writer: writerOf(ask.call), subresource, dryRun } as const
  return view.object(await updateObject(ask, find(ask), options))
}

/** True for a server-side apply. */
export function isApply(call: Call): boolean {
  return mediaType(call) === APPLY
}

/**
 * The change that a body asks for. Throws 400 for one that cannot be read and 415 for a form that the kind does not
 * take.
 */
export async function readPatch({ call, resource }: Pick<Ask, 'call' | 'resource'>): Promise<Change> {
  const type = mediaType(call)
  refuseUnsuited(resource, type)
  const value = tryParse(
    await call.body(), (detail) => badRequest(type === STRATEGIC ? detail : `error decoding patch: ${detail}`),
  )
  switch (type) {
    case 'application/json-patch+json': return (object) => applyJsonPatch(object, operationsOf(value))
    case 'application/merge-patch+json': return (object) => applyMergePatch(object, recordOf(value))
    default: return (object) => applyStrategicPatch(object, recordOf(value, ''), resource.kind.schema)
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
    `error decoding patch: json: cannot unmarshal ${goType(value)} into Go value of type jsonpatch.Patch`
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
