/** Objects inside of custom objects, where a schema says `x-kubernetes-embedded-resource`. */
import { isFields } from '@/lib/std/fields'
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { ObjectMeta } from '../object'
import { objectMeta } from '../object-meta'
import { ownProperty, type StructuralSchema } from '../schema'
import { findMismatch } from '../schema-mismatch'
import { anyPart } from '../schema-parts'
import { typeNameOf } from '../schema-validate'
import { checkDns1035Label, checkPathSegment } from '../validation/formats'
import { validateObjectMeta } from '../validation/object-meta'

type Fields = Readonly<Record<string, unknown>>

/** What is to be said about an embedded object at a path. */
type Check = (object: Fields, path: string) => readonly FieldError[]

const holdsEmbedded = anyPart((schema) => schema['x-kubernetes-embedded-resource'] === true)

function inEvery(
  value: unknown,
  schema: StructuralSchema,
  { path, check }: { path: string; check: Check },
): FieldError[] {
  if (!holdsEmbedded(schema)) return []
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.flatMap((item, index) => inEvery(item, items, { path: `${path}[${index}]`, check })) : []
  }
  if (!isFields(value)) return []
  const own = schema['x-kubernetes-embedded-resource'] ? check(value, path) : []
  const values = schema.additionalProperties
  const inside = Object.entries(value).flatMap(([name, child]) => {
    const named = ownProperty(schema, name)
    if (named) return inEvery(child, named, { path: path === '' ? name : `${path}.${name}`, check })
    return typeof values === 'object' ? inEvery(child, values, { path: `${path}[${name}]`, check }) : []
  })
  return [...own, ...inside]
}

/** Every embedded object says what it is, and has metadata that any object could have. */
export function validateEmbedded(object: unknown, schema: StructuralSchema): FieldError[] {
  return inEvery(object, schema, { path: '', check: checkIdentity })
}

/** Why an embedded object cannot be read at all, in the words of the decoder; undefined if all can. */
export function embeddedMismatch(object: unknown, schema: StructuralSchema): string | undefined {
  const [first] = inEvery(object, schema, { path: '', check: findUnreadable })
  return first && `${first.field}: ${first.message}`
}

function checkIdentity(object: Fields, path: string): FieldError[] {
  const missing = ['apiVersion', 'kind'].filter((name) => object[name] === undefined)
  return [
    ...missing.map((name) => requiredField(`${path}.${name}`)),
    ...checkVersion(object.apiVersion, `${path}.apiVersion`),
    ...checkKind(object.kind, `${path}.kind`),
    ...checkMetadata(object.metadata, path),
  ]
}

function checkVersion(version: unknown, field: string): FieldError[] {
  if (typeof version !== 'string') return []
  if (version === '') return [invalidField(field, '', 'must not be empty')]
  if (version.split('/').length <= 2) return []
  return [invalidField(field, version, `unexpected GroupVersion string: ${version}`)]
}

function checkKind(kind: unknown, field: string): FieldError[] {
  if (typeof kind !== 'string') return []
  if (kind === '') return [invalidField(field, '', 'must not be empty')]
  const problems = checkDns1035Label(kind.toLowerCase())
  if (problems.length === 0) return []
  return [invalidField(field, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}

/** An embedded object may be without a name. */
function checkMetadata(metadata: unknown, path: string): FieldError[] {
  if (!isFields(metadata)) return []
  const given = metadata as Partial<ObjectMeta>
  const named = { ...given, name: given.name || 'fakename' }
  return validateObjectMeta(named, checkPathSegment).map((finding) => ({
    ...finding,
    field: `${path}.${finding.field}`,
  }))
}

function findUnreadable(object: Fields, path: string): FieldError[] {
  const noText = ['apiVersion', 'kind'].filter(
    (name) => object[name] !== undefined && object[name] !== null && typeof object[name] !== 'string',
  )
  const found = noText.map((name) => invalidField(`${path}.${name}`, object[name], 'must be a string'))
  const { metadata } = object
  if (metadata === undefined || metadata === null) return found
  const misfit = isFields(metadata)
    ? findMismatch(metadata, objectMeta, 'ObjectMeta')
    : `json: cannot unmarshal ${shownType(metadata)} into Go value of type v1.ObjectMeta`
  return misfit === undefined ? found : [...found, invalidField(`${path}.metadata`, metadata, misfit)]
}

function shownType(value: unknown): string {
  const type = typeNameOf(value)
  if (type === 'integer') return 'number'
  return type === 'boolean' ? 'bool' : type
}
