/** The rules of the files in volumes that are made of objects. */
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { Volume } from '../kinds'
import { compareQuantity, tryParseQuantity, ZERO } from '../quantity'
import { FILE_FIELDS, validateAmountRef, validateFieldRef } from './field-refs'

const ALL_BITS = 0o777

function validateMode(mode: number | undefined, field: string): FieldError[] {
  const rule = 'must be a number between 0 and 0777 (octal), both inclusive'
  return mode === undefined || (mode >= 0 && mode <= ALL_BITS) ? [] : [invalidField(field, mode, rule)]
}

/** The files of a volume of a ConfigMap, of a Secret, of fields of its pod, or of several sources; or room for files. */
export function validateFiles(
  { emptyDir, configMap, secret, downwardAPI, projected }: Volume,
  field: string,
): FieldError[] {
  return [
    ...validateLimit(emptyDir?.sizeLimit, `${field}.emptyDir.sizeLimit`),
    ...(secret ? validateKeys(secret, 'secretName', `${field}.secret`) : []),
    ...(downwardAPI ? validateDownward(downwardAPI, `${field}.downwardAPI`) : []),
    ...(configMap ? validateKeys(configMap, 'name', `${field}.configMap`) : []),
    ...(projected ? validateProjected(projected, `${field}.projected`) : []),
  ]
}

function validateLimit(limit: number | string | undefined, field: string): FieldError[] {
  const quantity = tryParseQuantity(limit ?? 0)
  const isNegative = quantity !== undefined && compareQuantity(quantity, ZERO) < 0
  return isNegative ? [forbiddenField(field, 'SizeLimit field must be a valid resource quantity')] : []
}

type Keys = Pick<NonNullable<Volume['configMap']>, 'name' | 'items' | 'defaultMode'> & { secretName?: string }

function validateKeys(source: Keys, name: 'name' | 'secretName', field: string): FieldError[] {
  const { defaultMode, items = [] } = source
  return [
    ...(source[name] ? [] : [requiredField(`${field}.${name}`)]),
    ...validateMode(defaultMode, `${field}.defaultMode`),
    ...items.flatMap((item, index) => validateItem(item, `${field}.items[${index}]`)),
  ]
}

function validateItem({ key, path = '', mode }: NonNullable<Keys['items']>[number], field: string): FieldError[] {
  return [
    ...(key ? [] : [requiredField(`${field}.key`)]),
    ...(path ? [] : [requiredField(`${field}.path`)]),
    ...validatePath(path, `${field}.path`),
    ...validateMode(mode, `${field}.mode`),
  ]
}

/** A path that does not leave where it begins. */
export function validateBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidField(field, path, "must not contain '..'")] : []
}

/** A path inside of the volume. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalidField(field, path, 'must be a relative path')] : []),
    ...validateBacksteps(path, field),
  ]
}

function validatePath(path: string, field: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../')
  return [
    ...validateDescendingPath(path, field),
    ...(isReserved ? [invalidField(field, path, "must not start with '..'")] : []),
  ]
}

type Downward = NonNullable<Volume['downwardAPI']>

function validateDownward({ defaultMode, items = [] }: Downward, field: string): FieldError[] {
  return [
    ...validateMode(defaultMode, `${field}.defaultMode`),
    ...items.flatMap((item) => validateDownwardFile(item, field)),
  ]
}

function validateDownwardFile(
  { path = '', fieldRef, resourceFieldRef, mode }: NonNullable<Downward['items']>[number],
  field: string,
): FieldError[] {
  return [
    ...(path ? [] : [requiredField(`${field}.path`)]),
    ...validatePath(path, `${field}.path`),
    ...(fieldRef ? validateFieldRef(fieldRef, `${field}.fieldRef`, FILE_FIELDS) : []),
    ...(fieldRef && resourceFieldRef
      ? [invalidField(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...(!fieldRef && resourceFieldRef
      ? validateAmountRef(resourceFieldRef, `${field}.resourceFieldRef`, { isFile: true })
      : []),
    ...(fieldRef || resourceFieldRef ? [] : [requiredField(field, 'one of fieldRef and resourceFieldRef is required')]),
    ...validateMode(mode, `${field}.mode`),
  ]
}

type Projected = NonNullable<Volume['projected']>
type Source = NonNullable<Projected['sources']>[number]

/** Reports a path that an earlier file of the volume has; `named` is what the refusal calls it by. */
type Take = (path: string | undefined, named?: string) => FieldError[]

function validateProjected({ defaultMode, sources }: Projected, field: string): FieldError[] {
  const taken = new Set<string>()
  const take: Take = (path, named = path) => {
    if (path === undefined) return []
    if (taken.has(path)) return [invalidField(field, named, 'conflicting duplicate paths')]
    taken.add(path)
    return []
  }
  return [
    ...validateMode(defaultMode, `${field}.defaultMode`),
    // A list that is not there is null.
    ...(sources ?? []).flatMap((source, index) => validateProjection(source, { field, index, take })),
  ]
}

interface Place {
  /** The volume. */
  field: string
  index: number
  take: Take
}

function validateProjection(source: Source, { field, index, take }: Place): FieldError[] {
  const at = `${field}.sources[${index}]`
  const { downwardAPI, serviceAccountToken } = source
  return [
    ...(['secret', 'configMap'] as const).flatMap((name) => validateObject(source[name], `${at}.${name}`, take)),
    ...(downwardAPI?.items ?? []).flatMap((item) => [
      ...validateDownwardFile(item, `${at}.downwardAPI`),
      ...take(item.path || undefined),
    ]),
    ...(serviceAccountToken ? validateToken(serviceAccountToken, `${at}.serviceAccountToken`, field) : []),
    ...(Object.keys(source).length > 1
      ? [forbiddenField(at, 'may not specify more than 1 volume type per source')]
      : []),
  ]
}

function validateObject(object: Source['configMap'], field: string, take: Take): FieldError[] {
  if (!object) return []
  const { name = '', items = [] } = object
  return [
    ...(name ? [] : [requiredField(`${field}.name`)]),
    ...items.flatMap((item, index) => [
      ...validateItem(item, `${field}.items[${index}]`),
      ...take(item.path || undefined, name),
    ]),
  ]
}

const MIN_TOKEN_SECONDS = 600
const MAX_TOKEN_SECONDS = 2 ** 32

function validateToken(
  { expirationSeconds = 0, path = '' }: NonNullable<Source['serviceAccountToken']>,
  field: string,
  volume: string,
): FieldError[] {
  const wrong = (rule: string): FieldError[] => [invalidField(`${field}.expirationSeconds`, expirationSeconds, rule)]
  return [
    ...(expirationSeconds < MIN_TOKEN_SECONDS ? wrong('may not specify a duration less than 10 minutes') : []),
    ...(expirationSeconds > MAX_TOKEN_SECONDS ? wrong('may not specify a duration larger than 2^32 seconds') : []),
    ...(path ? validatePath(path, `${volume}.path`) : [requiredField(`${volume}.path`)]),
  ]
}
