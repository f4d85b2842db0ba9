/** Checks a value against its structural schema, with the findings and words of kube-apiserver. */
import { deepEqual } from '@/lib/std/equal'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooManyItems,
  unsupportedField,
  wrongType,
} from './field-error'
import type { StructuralSchema } from './schema'
import { type At, checkScalar } from './schema-scalar'

/**
 * All findings about a value, in the order of the schema. `field` is the path of the value, empty for a whole object.
 * `body` is the path that texts repeat; leave it out unless it differs.
 */
export function validateSchema(value: unknown, schema: StructuralSchema, field = '', body = field): FieldError[] {
  return check(value, schema, { field, body })
}

/**
 * The findings about a changed value. A part that is as it was before is not held against the change: the schema may
 * have become stricter since.
 */
export function validateSchemaChange(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  const findings = check(value, schema, { field: at.field, body: at.body })
  return findings.length > 0 && at.old !== undefined ? check(value, schema, at) : findings
}

function check(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  if (value === null && schema.nullable) return []
  if (at.old !== undefined && deepEqual(value, at.old)) return []
  const mismatch = checkType(value, schema, at)
  if (mismatch.length > 0) return mismatch
  return [...checkContent(value, schema, at), ...checkJunctors(value, schema, at)]
}

/** Everything but the type and the logical junctors. */
function checkContent(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  if (Array.isArray(value)) return [...checkList(value, schema, at), ...checkEnum(value, schema, at)]
  if (isFields(value)) return [...checkFields(value, schema, at), ...checkEnum(value, schema, at)]
  return [...checkScalar(value, schema, at), ...checkEnum(value, schema, at)]
}

function checkType(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  const actual = typeNameOf(value)
  const expected = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : []
  const fits =
    expected.length === 0 || expected.some((type) => type === actual || (type === 'number' && actual === 'integer'))
  if (fits) return []
  const wrong = wrongType(at.field, actual, `${at.body} in body must be of type ${expected.join(',')}: "${actual}"`)
  return schema.type === 'integer' && actual === 'number' ? [wrong, notWhole(at)] : [wrong]
}

/** A fraction where a whole number belongs is found twice by the real server, once without saying where. */
function notWhole({ body }: At): FieldError {
  return nowhere(`Checked value must be of type integer (default format) in ${body}`)
}

/** A finding whose field the real server does not name. */
function nowhere(detail: string): FieldError {
  return invalidField('<nil>', '', detail)
}

/** The JSON type of a value as texts name it. */
export function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function checkFields(value: Fields, schema: StructuralSchema, at: At): FieldError[] {
  const findings = checkPresence(value, schema, at)
  const values = schema.additionalProperties
  for (const [name, child] of Object.entries(value)) {
    if (child === undefined) continue
    const own = ownProperty(schema, name) ?? (typeof values === 'object' ? values : undefined)
    if (own) findings.push(...check(child, own, inField(at, name)))
  }
  return findings
}

function checkPresence(value: Fields, schema: StructuralSchema, at: At): FieldError[] {
  const missing = (schema.required ?? []).filter((name) => ownValue(value, name) === undefined)
  const findings = missing.map((name) => requiredField(below(at.field, name)))
  if (schema['x-kubernetes-embedded-resource']) {
    const empty = ['apiVersion', 'kind'].filter((name) => !ownValue(value, name) && !missing.includes(name))
    findings.push(...empty.map((name) => requiredField(below(at.field, name), 'must not be empty')))
  }
  const { minProperties = 0, maxProperties = Infinity } = schema
  const count = Object.keys(value).length
  if (count < minProperties) {
    findings.push(invalidField(at.field, count, `${at.body} in body should have at least ${minProperties} properties`))
  }
  if (count > maxProperties) findings.push(tooManyItems(at.field, count, maxProperties))
  return findings
}

function checkList(value: readonly unknown[], schema: StructuralSchema, at: At): FieldError[] {
  const findings: FieldError[] = []
  const { minItems, maxItems, items } = schema
  if (minItems !== undefined && value.length < minItems) {
    findings.push(invalidField(at.field, value.length, `${at.body} in body should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && value.length > maxItems) findings.push(tooManyItems(at.field, value.length, maxItems))
  for (const [index, item] of value.entries()) {
    if (items) findings.push(...check(item, items, inItem(at, index, oldItem(item, schema, at.old))))
  }
  return [...findings, ...checkUnique(value, schema, at)]
}

function inField({ field, body, old }: At, name: string): At {
  const before = isFields(old) ? ownValue(old, name) : undefined
  return { field: below(field, name), body: below(body, name), ...(before !== undefined && { old: before }) }
}

function inItem({ field, body }: At, index: number, old: unknown): At {
  return { field: `${field}[${index}]`, body: `${body}[${index}]`, ...(old !== undefined && { old }) }
}

/** The same item before the change: only items with keys can be told apart. */
export function oldItem(item: unknown, list: StructuralSchema, before: unknown): unknown {
  const identity = list['x-kubernetes-list-type'] === 'map' ? identityOf(list) : undefined
  if (!identity || !Array.isArray(before)) return undefined
  const own = identity(item)
  return before.find((other) => deepEqual(identity(other), own))
}

function checkUnique(value: readonly unknown[], schema: StructuralSchema, at: At): FieldError[] {
  const identity = identityOf(schema)
  if (!identity) return []
  const seen: unknown[] = []
  return value.flatMap((item, index) => {
    const own = identity(item)
    const repeated = seen.some((other) => deepEqual(other, own))
    seen.push(own)
    return repeated ? [duplicateField(`${at.field}[${index}]`, own)] : []
  })
}

/** What tells the items of a set or of a list with keys apart; undefined for other lists. */
export function identityOf(schema: StructuralSchema): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => item
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined
  return (item) =>
    Object.fromEntries(
      keys.filter((key) => isFields(item) && item[key] !== undefined).map((key) => [key, (item as Fields)[key]]),
    )
}

function checkEnum(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  const allowed = schema.enum
  if (!allowed || allowed.some((option) => deepEqual(option, value))) return []
  return [unsupportedField(at.field, value, allowed)]
}

/** anyOf, oneOf, allOf and not. An int-or-string says so twice, and once is enough. */
function checkJunctors(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema
  const { field, body } = at
  const findings = allOf.flatMap((part) => check(value, part, { field, body }))
  if (findings.length > 0) findings.unshift(nowhere(`"${at.body}" must validate all the schemas (allOf)`))
  if (anyOf.length > 0 && !schema['x-kubernetes-int-or-string'] && !anyOf.some((part) => fits(value, part))) {
    findings.push(nowhere(`"${at.body}" must validate at least one schema (anyOf)`), ...closest(value, anyOf, at))
  }
  if (oneOf.length > 0) findings.push(...checkOneOf(value, oneOf, at))
  if (not && fits(value, not)) findings.push(nowhere(`"${at.body}" must not validate the schema (not)`))
  return findings
}

function checkOneOf(value: unknown, oneOf: readonly StructuralSchema[], at: At): FieldError[] {
  const valid = oneOf.filter((part) => fits(value, part)).length
  if (valid === 1) return []
  const text = `"${at.body}" must validate one and only one schema (oneOf).`
  if (valid > 1) return [nowhere(`${text} Found ${valid} valid alternatives`)]
  return [nowhere(`${text} Found none valid`), ...closest(value, oneOf, at)]
}

function fits(value: unknown, schema: StructuralSchema): boolean {
  return check(value, schema, { field: '', body: '' }).length === 0
}

/** What keeps the value from the alternative that it misses by least. */
function closest(value: unknown, alternatives: readonly StructuralSchema[], at: At): FieldError[] {
  const { field, body } = at
  const findings = alternatives.map((part) => check(value, part, { field, body }))
  return findings.reduce((best, other) => (other.length < best.length ? other : best))
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function ownValue(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** The schema of a field that a schema names; names such as `constructor` are nothing special. */
export function ownProperty({ properties }: StructuralSchema, name: string): StructuralSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function below(path: string, name: string): string {
  return path ? `${path}.${name}` : name
}
