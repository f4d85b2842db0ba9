/** From the bytes of a request to an object of the kind that the path names. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { kubeError } from '@/lib/kube/errors'
import type { FieldError } from '@/lib/kube/field-error'
import type { UnknownObject } from '@/lib/kube/object'
import { strategyOf } from '@/lib/kube/strategy'
import { isTextTooDeep, isValueTooDeep } from '@/lib/std/json-bounds'
import type { Call } from './call'
import { badRequest } from './failures'
import { type Repeated, repeatedFields } from './duplicate-fields'
import { describeJsonError } from './json-error'
import { hasLargeBody } from './long-work'
import { decodeObject } from './protobuf/decode'
import { ProtobufUnreadable } from './protobuf/unreadable'
import type { Resource } from './registry/resource'
import { type Expected, versionOf, wrongKind } from './wrong-kind'
import { readYamlBody } from './yaml/yaml'

export const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** The media type of a body without its parameters; JSON if the client sends none. */
export function mediaType(call: Call): string {
  return (call.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim() ?? ''
}

/** 415 for a body in a format that is not understood. */
export function unsupportedMedia(types = ACCEPTED): unknown {
  return kubeError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  )
}

/** What reads the identity of an object, as its decoder calls it. */
export const IDENTITY =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

const READABLE = new Set(['application/json', 'application/yaml', PROTOBUF])

/** Throws 415 for a body in a format in which the kind cannot be read. */
export function checkMediaType(call: Call, { custom }: Pick<Resource, 'custom'>): void {
  const type = mediaType(call)
  if (custom && type === PROTOBUF) throw unsupportedMedia('application/json, application/yaml')
  if (!READABLE.has(type)) throw unsupportedMedia()
}

/**
 * The object in the body. Throws 400 for other content or another kind, 413 and 415. `inOtherVersion` is called before a custom
 * object of another version is refused.
 */
export function readObject(
  call: Call,
  resource: Resource,
  inOtherVersion?: Expected['inOtherVersion'],
): Promise<UnknownObject> {
  checkMediaType(call, resource)
  const { kind, apiVersion, custom } = resource
  const misfitOf = (object: unknown): string | undefined => strategyOf(kind).mismatchOf(object)
  const alsoWrong = (object: unknown): readonly FieldError[] => strategyOf(kind).findingsOfMisnamed(object)
  const ofCustom = { misfitOf, alsoWrong, ...(inOtherVersion && { inOtherVersion }) }
  return readTyped(call, { kind: kind.kind, apiVersion, custom, ...(custom && ofCustom) })
}

/** Yields to other requests between decoding a large body and processing it, as both take tenths of a second. */
export function yieldIfLarge(call: Pick<Call, 'value' | 'headers'>): Promise<void> | undefined {
  return hasLargeBody(call) ? nextTurn() : undefined
}

/** An object of a kind that need not be one that is stored, such as Scale or Eviction. */
export async function readTyped(call: Call, expected: Expected): Promise<UnknownObject> {
  const type = mediaType(call)
  if (type === PROTOBUF) return checkIdentity(readProtobuf(await call.bytes(), expected), expected)
  if (type !== 'application/json' && type !== 'application/yaml') throw unsupportedMedia()
  if (isFields(call.value)) return checkIdentity(call.value, expected)
  const body = await call.body()
  if (type === 'application/yaml') {
    const read = await parseYamlBody(body, expected)
    const isSkipped = body === '' && !isLenient(call)
    requireIdentity(read ?? {}, { body: isSkipped ? '' : JSON.stringify(read), call }, expected)
    return checkIdentity(read ?? {}, expected)
  }
  const value = parseJson(body, expected)
  requireIdentity(value, { body, call }, expected)
  const object = checkIdentity(value, expected)
  const repeated = repeatedFields(body, value)
  if (repeated) repetitions.set(object, repeated)
  return object
}

const repetitions = new WeakMap<UnknownObject, Repeated>()

/** Duplicate keys of a request, by the parsed object; undefined without any. */
export function repeatedIn(object: UnknownObject): Repeated | undefined {
  return repetitions.get(object)
}

/** Reads an object from protobuf. Throws 400 for invalid bytes. */
export function readProtobuf(bytes: Buffer, expected: Expected): UnknownObject {
  try {
    const object = decodeObject(bytes)
    if (isValueTooDeep(object)) throw badRequest(TOO_DEEP)
    return object as unknown as UnknownObject
  } catch (error) {
    if (!(error instanceof ProtobufUnreadable)) throw error
    if (!error.of) throw badRequest(`${unrecognized(expected)}: ${error.message} (${bytesHint(bytes)})`)
    const { kind, apiVersion } = error.of
    throw badRequest(
      `${kind} in version "${versionOf(apiVersion)}" cannot be handled as a ${expected.kind}: ${error.message}`,
    )
  }
}

const MAX_HINT_LENGTH = 30

/** Formats the beginning of a binary body. */
function hexHint(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>'
  return bytes.length > MAX_HINT_LENGTH ? `${bytes.toString('hex', 0, MAX_HINT_LENGTH)} ...` : bytes.toString('hex')
}

function parseJson(body: string, expected: Expected): unknown {
  const refuse = (detail: string): unknown =>
    badRequest(`${unrecognized(expected)}: couldn't get version/kind; json parse error: ${detail}`)
  const value = tryParse(body, (detail) => refuse(`${detail} (${hint(body)})`))
  if (value === null) return {}
  if (!isFields(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw refuse(`json: cannot unmarshal ${found} into Go value of type ${IDENTITY} (${hint(body)})`)
  }
  return value
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON. Throws what `refuse` makes of the reason, which is in the words of Go. */
export function tryParse(body: string, refuse: (detail: string) => unknown): unknown {
  if (isTextTooDeep(body)) throw refuse(TOO_DEEP)
  try {
    return JSON.parse(body)
  } catch {
    throw refuse(describeJsonError(body))
  }
}

const bytesHint = (bytes: Buffer): string => (bytes[0] === OPENING ? hint(bytes.toString('utf8')) : hexHint(bytes))
const OPENING = '{'.charCodeAt(0)

/** Formats the beginning of an invalid body: as text if it resembles an object. */
function hint(body: string): string {
  if (!body.startsWith('{')) return hexHint(Buffer.from(body))
  return body.length > MAX_HINT_LENGTH ? `${body.slice(0, MAX_HINT_LENGTH)} ...` : body
}

const TOO_DEEP = 'exceeded max depth'

/** The object in a document; null for one without content. */
async function parseYamlBody(body: string, expected: Expected): Promise<object | null> {
  const refuse = (detail: string): unknown => badRequest(`${unrecognized(expected)}: yaml: ${detail} (${hint(body)})`)
  const {
    value: read,
    repeatedLines: [line],
  } = await readYamlBody(body, refuse)
  if (line !== undefined) throw refuse(`line ${line}: key already set in map`)
  const value = read ?? null
  if (typeof value !== 'object' || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw badRequest(
      `${unrecognized(expected)}: couldn't get version/kind; json parse error: `
        + `json: cannot unmarshal ${found} into Go value of type ${IDENTITY} (${hint(body)})`,
    )
  }
  return value
}

/** A reader that ignores unknown fields takes the kind from the path before it misses it in the object. */
function isLenient({ query }: Call): boolean {
  return query.get('fieldValidation') === 'Ignore'
}

/** Objects of custom kinds say what they are: no type of the server says it for them. */
function requireIdentity(value: unknown, { body, call }: { body: string; call: Call }, expected: Expected): void {
  if (!expected.custom) return
  const { kind, apiVersion } = value as Partial<UnknownObject>
  for (const field of ['kind', 'apiVersion'] as const)
    refuseNoText(field, (value as Partial<UnknownObject>)[field], expected)
  if (!kind && isLenient(call)) throw badRequest(`${handledAs(expected)}: ${kindMissing(body)}`)
  if (!kind) throw badRequest(`${unrecognized(expected)}: ${kindMissing(body)} (${hint(body)})`)
  if (apiVersion === null)
    throw badRequest(
      `${kind} in version "" cannot be handled as a ${expected.kind}: `
        + '.apiVersion accessor error: <nil> is of the type <nil>, expected string',
    )
  if (!apiVersion) throw wrongKind({ kind, apiVersion: '', name: undefined }, expected)
}

/** What a text of an object lacks that does not name its kind. */
function kindMissing(text: string): string {
  return `Object 'Kind' is missing in '${text}'`
}

function checkIdentity(value: unknown, expected: Expected): UnknownObject {
  const object = value as Partial<UnknownObject>
  for (const field of ['kind', 'apiVersion'] as const) refuseNoText(field, object[field], expected)
  const { kind } = object
  const apiVersion = expected.former?.includes(object.apiVersion ?? '') ? expected.apiVersion : object.apiVersion
  if ((kind && kind !== expected.kind) || (apiVersion && apiVersion !== expected.apiVersion)) {
    const named = { kind: kind || expected.kind, apiVersion: apiVersion || expected.apiVersion }
    if (named.apiVersion.split('/').length > 2) throw unsupportedVersion(named.apiVersion, object, expected)
    throw wrongKind({ ...named, name: object.metadata?.name }, expected, object)
  }
  if (object.metadata !== undefined && object.metadata !== null && typeof object.metadata !== 'object') {
    const mismatch = `json: cannot unmarshal ${typeof object.metadata} into Go struct field ${expected.kind}.metadata`
    throw badRequest(`${handledAs(expected)}: ${mismatch} of type v1.ObjectMeta`)
  }
  return {
    ...object,
    kind: expected.kind,
    apiVersion: expected.apiVersion,
    metadata: object.metadata ?? {},
  } as UnknownObject
}

function refuseNoText(field: string, value: unknown, expected: Expected): void {
  if (value === undefined || value === null || typeof value === 'string') return
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(
    `${unrecognized(expected)}: couldn't get version/kind; json parse error: `
      + `json: cannot unmarshal ${found} into Go struct field .${field} of type string`,
  )
}

function unrecognized({ kind }: Expected): string {
  return `the object provided is unrecognized (must be of type ${kind})`
}

function handledAs({ kind, apiVersion }: Expected): string {
  return `${kind} in version "${versionOf(apiVersion)}" cannot be handled as a ${kind}`
}

function unsupportedVersion(apiVersion: string, object: object, expected: Expected): unknown {
  const detail = `unexpected GroupVersion string: ${apiVersion}`
  return badRequest(`${unrecognized(expected)}: ${detail} (${hint(JSON.stringify(object))})`)
}
