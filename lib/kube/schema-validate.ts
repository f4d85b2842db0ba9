/** Checks a value against its structural schema, with the findings and words of kube-apiserver. */
import { deepEqual } from '@/lib/std/equal'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  tooManyItems,
  unsupportedField,
  wrongType,
} from './field-error'
import type { StructuralSchema } from './schema'

/** Where a value stands: the path that names the field, and the one that the text repeats. */
interface At {
  field: string
  /** Equal to `field`, except below `status` of the status subresource, where the real server leaves out `status.`. */
  body: string
}

/**
 * All findings about a value, in the order of the schema. `field` is the path of the value, empty for a whole object.
 * `body` is the path that texts repeat; leave it out unless it differs.
 */
export function validateSchema(value: unknown, schema: StructuralSchema, field = '', body = field): FieldError[] {
  return check(value, schema, { field, body })
}

function check(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  if (value === null && schema.nullable) return []
  const mismatch = checkType(value, schema, at)
  if (mismatch) return [mismatch]
  if (Array.isArray(value)) return [...checkList(value, schema, at), ...checkEnum(value, schema, at)]
  if (isFields(value)) return checkFields(value, schema, at)
  return [...checkScalar(value, schema, at), ...checkEnum(value, schema, at)]
}

function checkType(value: unknown, schema: StructuralSchema, at: At): FieldError | undefined {
  const actual = typeNameOf(value)
  const expected = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : []
  const fits =
    expected.length === 0 || expected.some((type) => type === actual || (type === 'number' && actual === 'integer'))
  return fits
    ? undefined
    : wrongType(at.field, actual, `${at.body} in body must be of type ${expected.join(',')}: "${actual}"`)
}

/** The JSON type of a value as texts name it. */
export function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function checkFields(value: Fields, schema: StructuralSchema, at: At): FieldError[] {
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined)
  const findings = missing.map((name) => requiredField(below(at.field, name)))
  const values = schema.additionalProperties
  for (const [name, child] of Object.entries(value)) {
    if (child === undefined) continue
    const own = schema.properties?.[name] ?? (typeof values === 'object' ? values : undefined)
    if (own) findings.push(...check(child, own, { field: below(at.field, name), body: below(at.body, name) }))
  }
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
    if (items) findings.push(...check(item, items, { field: `${at.field}[${index}]`, body: `${at.body}[${index}]` }))
  }
  return [...findings, ...checkUnique(value, schema, at)]
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

function identityOf(schema: StructuralSchema): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => item
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined
  return (item) =>
    Object.fromEntries(
      keys.filter((key) => isFields(item) && item[key] !== undefined).map((key) => [key, (item as Fields)[key]]),
    )
}

function checkScalar(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  if (typeof value === 'string') return checkText(value, schema, at)
  return typeof value === 'number' ? checkNumber(value, schema, at) : []
}

function checkText(value: string, schema: StructuralSchema, at: At): FieldError[] {
  const finding = checkForm(value, schema, at)
  const findings = finding ? [finding] : []
  if (schema.format !== 'date-time' || isDateTime(value)) return findings
  return [
    ...findings,
    wrongType(at.field, value, `${at.body} in body must be of type date-time: ${JSON.stringify(value)}`),
  ]
}

/** Only the first of length and pattern that fails is reported. */
function checkForm(value: string, schema: StructuralSchema, at: At): FieldError | undefined {
  const length = [...value].length
  const { minLength = 0, maxLength = Infinity, pattern } = schema
  if (length > maxLength) return tooLongField(at.field, maxLength)
  if (length < minLength)
    return invalidField(at.field, value, `${at.body} in body should be at least ${minLength} chars long`)
  if (pattern === undefined || patternOf(pattern).test(value)) return undefined
  return invalidField(at.field, value, `${at.body} in body should match '${pattern}'`)
}

function checkNumber(value: number, schema: StructuralSchema, at: At): FieldError[] {
  const { minimum, maximum } = schema
  const findings: FieldError[] = []
  if (minimum !== undefined && value < minimum) {
    findings.push(invalidField(at.field, value, `${at.body} in body should be greater than or equal to ${minimum}`))
  }
  if (maximum !== undefined && value > maximum) {
    findings.push(invalidField(at.field, value, `${at.body} in body should be less than or equal to ${maximum}`))
  }
  const bounds = boundsOf(schema)
  if (bounds && (value < -bounds - 1 || value > bounds)) {
    findings.push(invalidField(at.field, value, `${at.body} in body must be of type ${schema.format}: ${value}`))
  }
  return findings
}

function boundsOf(schema: StructuralSchema): number | undefined {
  if (schema.format === 'int32') return 2 ** 31 - 1
  return schema.format === 'int64' ? Number.MAX_SAFE_INTEGER : undefined
}

function checkEnum(value: unknown, schema: StructuralSchema, at: At): FieldError[] {
  const allowed = schema.enum
  if (!allowed || allowed.some((option) => deepEqual(option, value))) return []
  return [unsupportedField(at.field, value, allowed)]
}

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const compiled = new RegExp(source, 'u')
  patterns.set(source, compiled)
  return compiled
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** True for an RFC 3339 time. */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && !Number.isNaN(Date.parse(text))
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function below(path: string, name: string): string {
  return path ? `${path}.${name}` : name
}
