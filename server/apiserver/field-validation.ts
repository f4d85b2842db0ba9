/** Handling of unknown fields: an error, a warning, or none. They are always dropped. */
import { KubeError, type StatusCause } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { objectMeta } from '@/lib/kube/object-meta'
import { type Decoded, strategyOf } from '@/lib/kube/strategy'
import { repeatedIn } from './body'
import type { Ask } from './api'
import type { Call } from './call'
import type { Repeated } from './duplicate-fields'
import { badRequest, invalid } from './failures'
import type { Resource } from './registry/resource'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** `fieldValidation` of a write; Warn when absent. */
export function validationIn(query: URLSearchParams): FieldValidation {
  const text = query.get('fieldValidation')
  return text === 'Strict' || text === 'Ignore' ? text : 'Warn'
}

/** Returns the errors of `fieldValidation`. */
export function validationCauses(query: URLSearchParams): StatusCause[] {
  const text = query.get('fieldValidation') ?? ''
  if (['', 'Strict', 'Warn', 'Ignore'].includes(text)) return []
  const message = `Unsupported value: ${JSON.stringify(text)}: supported values: "", "Ignore", "Strict", "Warn"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'fieldValidation' }]
}

/**
 * Returns the object without unknown and repeated fields. Throws 400 when they are not tolerated. `old` is the stored
 * object that it replaces: what both share is known.
 */
export function dropUnknown(call: Call, resource: Resource, object: UnknownObject, old?: UnknownObject): UnknownObject {
  const mode = validationIn(call.query)
  const repeated = repeatedIn(object)
  const read = asRead(object, repeated, resource)
  const { object: known, unknownFields } = strategyOf(resource.kind).decode(read, old && { old })
  const findings = repeated ? withRepeated(unknownFields, repeated, resource) : unknownFields.map(unknownField)
  if (findings.length > 0) report(call, resource, findings, mode)
  return known
}

/** Custom objects are read in the version that they name before it is compared with the one of the path. */
export function unknownInOtherVersion({ call, keyspace, resource }: Ask): (object: unknown) => void {
  return (object) => {
    const sent = object as UnknownObject
    const other = keyspace.registry.ofObject(sent.apiVersion, sent.kind)
    if (other?.id === resource.id) dropUnknown(call, other, sent)
    else if (!other && isOfGroup(sent.apiVersion, resource)) dropUnknown(call, unserved(resource, sent), sent)
  }
}

const isOfGroup = (apiVersion: string, { kind: { group } }: Resource): boolean => apiVersion.startsWith(`${group}/`)

const ENVELOPE: Kind['schema'] = {
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMeta },
}

/** A version that is not served. One that the definition does not have, or has no more, has no fields of its own. */
function unserved(resource: Resource, { apiVersion }: UnknownObject): Resource {
  const { kind } = resource
  const known = kind.storedAs?.versions?.get(apiVersion)
  return { ...resource, kind: known ?? { ...kind, version: apiVersion.slice(kind.group.length + 1), schema: ENVELOPE } }
}

const unknownField = (path: string): string => `unknown field "${path}"`

/** Typed kinds merge duplicate objects; custom kinds keep the last one. */
function asRead(object: UnknownObject, repeated: Repeated | undefined, { custom }: Resource): UnknownObject {
  if (!repeated || custom) return object
  const merged = repeated.merged as UnknownObject
  return { ...merged, kind: object.kind, apiVersion: object.apiVersion, metadata: merged.metadata ?? {} }
}

/** A typed reader complains as it goes; custom kinds are read first and checked then. */
function withRepeated(unknown: readonly string[], { again, first }: Repeated, { custom }: Resource): string[] {
  const duplicates = [...again].map(([path, at]) => ({ at, text: `duplicate field "${path}"` }))
  const others = unknown.map((path) => ({ at: first.get(path) ?? 0, text: unknownField(path) }))
  const findings = custom ? [...duplicates, ...others] : [...duplicates, ...others].toSorted((a, b) => a.at - b.at)
  return findings.map(({ text }) => text)
}

function report(call: Call, resource: Resource, texts: readonly string[], mode: FieldValidation): void {
  if (mode === 'Warn') for (const text of texts) call.warn(text)
  if (mode !== 'Strict') return
  const { kind, version } = resource.kind
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(', ')}`,
  )
}

interface PatchedObject {
  /** The stored object that was patched. */
  old?: UnknownObject
  shown: () => string
  isSorted: boolean
}

/** The same for the result of a patch. `shown` is the text in the error, `ofPatch` what was found in the patch itself. */
export function dropUnknownOfPatch(
  call: Call,
  resource: Resource,
  object: UnknownObject,
  { old, shown, ofPatch, isSorted }: PatchedObject & { ofPatch: readonly string[] },
): UnknownObject {
  const { object: known, unknownFields } = decodePatched(resource, object, { old, shown, isSorted })
  const found = isSorted ? unknownFields : inTextOrder(unknownFields, resource, shown)
  const unknown = found.map(unknownField)
  reportOfPatch(call, [...ofPatch, ...(isSorted ? unknown.toSorted() : unknown)], shown)
  return known
}

/** Unknown fields in the order in which they stand in the text that a typed server decodes. */
function inTextOrder(unknown: readonly string[], resource: Resource, shown: () => string): readonly string[] {
  if (resource.custom || unknown.length < 2) return unknown
  const decoded = decodedText(shown)
  return decoded === undefined ? unknown : strategyOf(resource.kind).decode(decoded).unknownFields
}

/** The object in the order of its text; undefined for a text that is no object. */
function decodedText(shown: () => string): unknown {
  const text = shown()
  return text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined
}

/** Tells or refuses (422) what a strict reader finds in a patch and its result. */
export function reportOfPatch(call: Call, texts: readonly string[], shown: () => string): void {
  const mode = validationIn(call.query)
  if (mode === 'Strict' && texts.length > 0) throw wrongPatch(shown, `strict decoding error: ${texts.join(', ')}`)
  if (mode === 'Warn') for (const text of texts) call.warn(text)
}

/** A value of the wrong type is the patch's fault too: of several, the first in the text. */
function decodePatched(
  { kind, custom }: Resource,
  object: UnknownObject,
  { old, shown, isSorted }: PatchedObject,
): Decoded {
  try {
    return strategyOf(kind).decode(object, old && { old })
  } catch (error) {
    const detail = error instanceof KubeError && / cannot be handled as a \w+: (.*)$/s.exec(error.message)?.[1]
    if (!detail) throw error
    const first = custom || isSorted ? undefined : strategyOf(kind).mismatchOf(decodedText(shown))
    throw wrongPatch(shown, first ?? detail)
  }
}

/** 422: the result of a patch is not an object of its kind. */
export function wrongPatch(shown: () => string, detail: string): unknown {
  const cause = {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(shown())}: ${detail}`,
    field: 'patch',
  }
  return invalid({ group: '', word: '', name: '' }, [cause])
}
