/** The rules of ConfigMaps and Secrets. */
import { base64Size, decodeBase64 } from '@/lib/std/base64'
import { byteLength } from '@/lib/std/byte-length'
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { type FieldError, forbiddenField, invalidField, requiredField, tooLongField } from '../field-error'
import type { ConfigMap, Secret } from '../kinds'
import type { UnknownObject } from '../object'

const KEY = /^[-._a-zA-Z0-9]+$/
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  "
  + "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const MAX_KEY = 253
/** Bytes of all values together. */
const MAX_DATA = 1 << 20

/** Keys can be file names, no key is in both maps, and all values together stay below a limit. */
export function validateConfigMap(object: UnknownObject): FieldError[] {
  const { data = {}, binaryData = {} } = object as ConfigMap
  return [
    ...Object.keys(data).flatMap((key) => [
      ...checkKey(key, 'data'),
      ...(Object.hasOwn(binaryData, key)
        ? [invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData')]
        : []),
    ]),
    ...Object.keys(binaryData).flatMap((key) => checkKey(key, 'binaryData')),
    ...(isTooMuch(data, binaryData) ? [tooLongField('[]', MAX_DATA)] : []),
  ]
}

/** Counts the letters of a text only where there are so many that it matters. */
function isTooMuch(data: Data, binaryData: Data): boolean {
  const size = sum(Object.values(data), mostBytes) + sum(Object.values(binaryData), base64Size)
  return size > MAX_DATA && sum(Object.values(data), byteLength) + sum(Object.values(binaryData), base64Size) > MAX_DATA
}

/** A unit of UTF-16 is up to three bytes in UTF-8. */
const mostBytes = ({ length }: string): number => 3 * length

/** A Secret: keys and size as in a ConfigMap, and what its type promises to its readers. */
export function validateSecret(object: UnknownObject): FieldError[] {
  const secret = object as unknown as Secret
  const data = secret.data ?? {}
  return [
    ...Object.keys(data).flatMap((key) => checkKey(key, 'data')),
    ...(sum(Object.values(data), base64Size) > MAX_DATA ? [tooLongField('data', MAX_DATA)] : []),
    ...validateType(secret, data),
  ]
}

type Data = Readonly<Record<string, string>>

function validateType({ type, metadata }: Secret, data: Data): FieldError[] {
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const annotation = 'kubernetes.io/service-account.name'
      return metadata.annotations?.[annotation] ? [] : [requiredField(`metadata.annotations[${annotation}]`)]
    }
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth': {
      const fields = ['username', 'password']
      return fields.some((key) => Object.hasOwn(data, key)) ? [] : fields.map((key) => requiredField(`data[${key}]`))
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [requiredField('data[ssh-privatekey]')]
    case 'kubernetes.io/tls':
      return ['tls.crt', 'tls.key']
        .filter((key) => !Object.hasOwn(data, key))
        .map((key) => requiredField(`data[${key}]`))
    default:
      return []
  }
}

function validateJson(data: Data, key: string): FieldError[] {
  const content = ownField(data, key)
  if (content === undefined) return [requiredField(`data[${key}]`)]
  const problem = jsonProblem(content)
  return problem === undefined ? [] : [invalidField(`data[${key}]`, '<secret contents redacted>', problem)]
}

/** What keeps the text behind some Base64 from being a JSON object. */
function jsonProblem(content: string): string | undefined {
  const text = decodeBase64(content) ?? '\ufffd'
  if (text === '') return 'unexpected end of JSON input'
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
    return `json: cannot unmarshal ${wordOf(value)} into Go value of type map[string]interface {}`
  } catch {
    return `invalid character '${text[0]}' looking for beginning of value`
  }
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function checkKey(key: string, field: string): FieldError[] {
  return validateKey(key, `${field}[${key}]`)
}

/** A key of a ConfigMap or a Secret. */
export function validateKey(key: string, field: string): FieldError[] {
  const problems = [
    ...(key.length > MAX_KEY ? [`must be no more than ${MAX_KEY} characters`] : []),
    ...(KEY.test(key) ? [] : [KEY_RULE]),
    ...checkFolder(key),
  ]
  return problems.map((problem) => invalidField(field, key, problem))
}

/** Keys become files, and files may not be their own folder or one above. */
function checkFolder(key: string): string[] {
  if (key === '.' || key === '..') return [`must not be '${key}'`]
  return key.startsWith('..') ? ["must not start with '..'"] : []
}

function sum(texts: readonly string[], size: (text: string) => number): number {
  return texts.reduce((total, text) => total + size(text), 0)
}

/** Data marked immutable cannot change, the mark included. */
export function validateDataUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  if (!old.immutable) return []
  const changed = ['data', 'binaryData'].filter((name) => !deepEqual(next[name], old[name]))
  return [...(next.immutable ? [] : ['immutable']), ...changed].map((name) =>
    forbiddenField(name, 'field is immutable when `immutable` is set'),
  )
}

/** A Secret keeps its type, too. */
export function validateSecretUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const typeChanges = next.type === old.type ? [] : [invalidField('type', next.type, 'field is immutable')]
  return [...typeChanges, ...validateDataUpdate(next, old)]
}
