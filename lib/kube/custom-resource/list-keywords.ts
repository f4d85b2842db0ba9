/** Judges what a schema says about the identity of the items of a list. */
import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from '../field-error'
import { ownProperty, type StructuralSchema } from '../schema'

const LIST_TYPES = ['atomic', 'set', 'map']

/** The type of a list, and of the items of a set. */
export function checkListType(schema: StructuralSchema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const at = `${path}.x-kubernetes-list-type`
  const findings: FieldError[] = []
  if (listType !== undefined && schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified'
    const type = `${path}.type`
    findings.push(schema.type ? invalidField(type, schema.type, detail) : requiredField(type, detail))
  } else if (listType === 'set' && schema.items) findings.push(...checkSetItems(schema.items, `${path}.items`))
  if (listType !== undefined && !LIST_TYPES.includes(listType)) {
    findings.push(unsupportedField(at, listType, LIST_TYPES))
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    findings.push(listType === undefined ? requiredField(at, detail) : invalidField(at, listType, detail))
  }
  return findings
}

/** Items of a set are compared as a whole. */
function checkSetItems(items: StructuralSchema, path: string): FieldError[] {
  const listType = items['x-kubernetes-list-type']
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidField(`${path}.x-kubernetes-list-type`, listType, detail)]
  }
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
    ? [invalidField(`${path}.x-kubernetes-map-type`, listType ?? null, detail)]
    : []
}

/** The keys of a list of maps. */
export function checkListOfMaps(schema: StructuralSchema, path: string): FieldError[] {
  const { items } = schema
  const listType = schema['x-kubernetes-list-type']
  const findings = listType === 'map' ? checkKeys(schema, path) : []
  if (!items || (listType !== 'map' && listType !== 'set')) return findings
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`
    findings.push(forbiddenField(`${path}.items.nullable`, detail))
  }
  if (listType === 'set') return findings
  const what = 'this property is in x-kubernetes-list-map-keys, so it'
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const own = ownProperty(items, key)
    if (!own) continue
    const at = `${path}.items.properties[${key}]`
    if (own.default === undefined && !items.required?.includes(key)) {
      findings.push(requiredField(`${at}.default`, `${what} must have a default or be a required property`))
    }
    if (own.nullable) findings.push(forbiddenField(`${at}.nullable`, `${what} cannot be nullable`))
  }
  return findings
}

function checkKeys(schema: StructuralSchema, path: string): FieldError[] {
  const { items } = schema
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const at = `${path}.x-kubernetes-list-map-keys`
  const findings: FieldError[] = []
  if (keys.length === 0) findings.push(requiredField(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (!items) {
    findings.push(requiredField(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'))
    return findings
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    findings.push(invalidField(`${path}.items.type`, items.type ?? '', detail))
    return findings
  }
  const seen = new Set<string>()
  for (const key of keys) {
    const own = ownProperty(items, key)
    if (!own) findings.push(invalidField(at, keys, 'entries must all be names of item properties'))
    else if (own.type === 'array' || own.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      findings.push(invalidField(`${path}.items.properties[${key}].type`, items.type, detail))
    }
    if (seen.has(key)) findings.push(invalidField(at, keys, 'must not contain duplicate entries'))
    seen.add(key)
  }
  return findings
}
