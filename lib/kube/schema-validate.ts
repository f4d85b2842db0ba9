/** Checks a value against its structural schema, with the findings and words of kube-apiserver. */
import { canonicalText } from '@/lib/std/canonical'
import { deepEqual } from '@/lib/std/equal'
import { isFields, ownField } from '@/lib/std/fields'
import { type FieldError, invalidField, requiredField, tooManyItems, unsupportedField, wrongType } from './field-error'
import { goText } from './go-text'
import { ownProperty, type StructuralSchema } from './schema'
import { type At, checkScalar } from './schema-scalar'
import { isKnownFormat } from './string-formats'

/**
 * All findings about a value, in the order of the schema. `field` is the path of the value, empty for a whole object.
 * `body` is the path that texts repeat; leave it out unless it differs.
 */
export function validateSchema(value: unknown, schema: StructuralSchema, field = '', body = field): Findings {
  return check(value, schema, { field, body })
}

/**
 * The findings about a changed value. A part that is as it was before is not held against the change: the schema may
 * have become stricter since.
 */
export function validateSchemaChange(value: unknown, schema: StructuralSchema, at: At): Findings {
  const findings = check(value, schema, { ...at, isQuick: true })
  return findings.length > 0 && at.old !== undefined ? check(value, schema, at) : findings
}

type Findings = readonly FieldError[]

/** Most values are valid: errors are collected only if there are any. */
const NONE: Findings = []

function both(first: Findings, second: Findings): Findings {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}

/** Concatenates findings. Does not spread arguments, because thousands of children may be invalid. */
function appended(found: FieldError[] | undefined, more: Findings): FieldError[] | undefined {
  if (more.length === 0) return found
  if (found === undefined) return [...more]
  for (const finding of more) found.push(finding)
  return found
}

/** The place of a field or item. Its paths are put together when a finding asks for them. */
class Below implements At {
  readonly isQuick: boolean

  constructor(
    private readonly above: At,
    private readonly step: string | number,
    readonly old?: unknown,
  ) {
    this.isQuick = above.isQuick === true
  }

  get field(): string {
    return below(this.above.field, this.step)
  }

  get body(): string {
    return below(this.above.body, this.step)
  }
}

function check(value: unknown, schema: StructuralSchema, at: At): Findings {
  if (at.old !== undefined && (at.isQuick ? value === at.old : deepEqual(value, at.old))) return NONE
  if (value === null) {
    const mismatch = schema.nullable ? NONE : checkType(value, schema, at)
    return both(mismatch, checkEnum(value, schema, at))
  }
  // A value of another type is judged by all that there is to say about its own.
  const beforeContent = both(checkType(value, schema, at), checkJunctors(value, schema, at))
  return both(beforeContent, checkContent(value, schema, at))
}

/** Everything but the type and the logical junctors. */
function checkContent(value: unknown, schema: StructuralSchema, at: At): Findings {
  const listed = checkEnum(value, schema, at)
  if (isFields(value)) return both(listed, checkFields(value, schema, at))
  return both(Array.isArray(value) ? checkList(value, schema, at) : checkScalar(value, schema, at), listed)
}

function checkType(value: unknown, schema: StructuralSchema, at: At): Findings {
  const actual = typeNameOf(value)
  if (schema.type === actual && !schema['x-kubernetes-int-or-string']) return NONE
  const expected = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : []
  const fits =
    expected.length === 0 || expected.some((type) => type === actual || (type === 'number' && actual === 'integer'))
  if (fits) return NONE
  const format = value === null ? undefined : knownFormatOf(schema)
  if (format !== undefined) {
    // Lists have every format of a text, and other values are named by their own.
    if (actual === 'array' && format.ofText) return NONE
    if (actual !== 'array' && actual !== 'string') {
      const wrong = wrongFormat(at, format.name, ownField(NUMBER_FORMATS, actual) ?? '')
      return schema.type === 'integer' && actual === 'number' ? [wrong, notWhole(at, schema)] : [wrong]
    }
  }
  const wrong = wrongType(at.field, actual, `${at.body} in body must be of type ${expected.join(',')}: "${actual}"`)
  return schema.type === 'integer' && actual === 'number' ? [wrong, notWhole(at, schema)] : [wrong]
}

const NUMBER_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' }
const FORMATS_OF_NUMBERS = new Set(['int32', 'int64', 'float', 'double'])

function knownFormatOf({ type, format }: StructuralSchema): { name: string; ofText: boolean } | undefined {
  if (format === undefined) return undefined
  const ofText = type !== 'integer' && type !== 'number'
  return (ofText ? isKnownFormat(format) : FORMATS_OF_NUMBERS.has(format)) ? { name: format, ofText } : undefined
}

function wrongFormat({ field, body }: At, format: string, found: string): FieldError {
  return wrongType(field, found, `${body} in body must be of type ${format}: "${found}"`)
}

/** A fraction where a whole number belongs is found twice by the real server, once without saying where. */
function notWhole({ body }: At, { format }: StructuralSchema): FieldError {
  return nowhere(
    `Checked value must be of type integer ${format ? `with format ${format}` : '(default format)'} in ${body}`,
  )
}

/** An error whose field kube-apiserver does not name. */
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

function checkFields(value: Fields, schema: StructuralSchema, at: At): Findings {
  let findings: FieldError[] | undefined = appended(undefined, checkPresence(value, schema, at))
  const values = schema.additionalProperties
  for (const name of Object.keys(value)) {
    const child = value[name]
    const own = ownProperty(schema, name) ?? (typeof values === 'object' ? values : undefined)
    if (child !== undefined && own) findings = appended(findings, check(child, own, inField(at, name)))
  }
  return findings ?? NONE
}

function checkPresence(value: Fields, schema: StructuralSchema, at: At): Findings {
  const { required, minProperties: least, maxProperties: most } = schema
  const demands = required !== undefined || least !== undefined || most !== undefined
  return demands ? findAbsent(value, schema, at) : NONE
}

function findAbsent(value: Fields, schema: StructuralSchema, at: At): Findings {
  const missing = (schema.required ?? []).filter((name) => ownField(value, name) === undefined)
  const findings = missing.map((name) => requiredField(below(at.field, name)))
  const { minProperties = 0, maxProperties = Infinity } = schema
  const count = Object.keys(value).length
  if (count < minProperties) {
    findings.push(invalidField(at.field, count, `${at.body} in body should have at least ${minProperties} properties`))
  }
  if (count > maxProperties) findings.push(tooManyItems(at.field, count, maxProperties))
  return findings
}

function checkList(value: readonly unknown[], schema: StructuralSchema, at: At): Findings {
  let findings: FieldError[] | undefined
  const { minItems, maxItems, items } = schema
  if (minItems !== undefined && value.length < minItems) {
    findings = [invalidField(at.field, value.length, `${at.body} in body should have at least ${minItems} items`)]
  }
  if (maxItems !== undefined && value.length > maxItems) {
    findings = appended(findings, [tooManyItems(at.field, value.length, maxItems)])
  }
  const old = at.isQuick ? undefined : oldItems(schema, at.old)
  for (const [index, item] of items ? value.entries() : []) {
    findings = appended(findings, check(item, items!, new Below(at, index, old?.(item))))
  }
  return findings ?? NONE
}

function inField(at: At, name: string): At {
  return new Below(at, name, isFields(at.old) ? ownField(at.old, name) : undefined)
}

/** Returns a function that finds the old version of a list item; only items with keys can be matched. */
export function oldItems(list: StructuralSchema, before: unknown): (item: unknown) => unknown {
  const identity = list['x-kubernetes-list-type'] === 'map' ? identityOf(list) : undefined
  if (!identity || !Array.isArray(before)) return () => undefined
  const known = new Map<string, unknown>()
  for (const item of before.toReversed()) known.set(canonicalText(identity(item)), item)
  return (item) => known.get(canonicalText(identity(item)))
}

/** Returns the identity of items of a set or of a list with keys; undefined for other lists. */
export function identityOf(schema: StructuralSchema): ((item: unknown) => unknown) | undefined {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return (item) => item
  if (type !== 'map') return undefined
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  return (item) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = isFields(item) ? ownField(item, key) : undefined
        return value === undefined ? [] : [[key, value]]
      }),
    )
}

function checkEnum(value: unknown, schema: StructuralSchema, at: At): Findings {
  const allowed = schema.enum
  if (!allowed || allowed.some((option) => deepEqual(option, value))) return NONE
  return [unsupportedField(at.field, value, allowed.map(optionText))]
}

/** Options are told as texts, whatever they are. */
const optionText = (option: unknown): string => (typeof option === 'string' ? option : goText(option))

/** anyOf, oneOf, allOf and not. */
function checkJunctors(value: unknown, schema: StructuralSchema, at: At): Findings {
  if (!schema.anyOf && !schema.oneOf && !schema.allOf && !schema.not) return NONE
  const { anyOf = [], oneOf = [], allOf = [], not } = schema
  const { field, body } = at
  const findings = allOf.flatMap((part) => check(value, part, { field, body }))
  if (findings.length > 0) findings.unshift(nowhere(`"${at.body}" must validate all the schemas (allOf)`))
  if (anyOf.length > 0 && !anyOf.some((part) => fits(value, part))) {
    findings.push(nowhere(`"${at.body}" must validate at least one schema (anyOf)`), ...closest(value, anyOf, at))
  }
  if (oneOf.length > 0) findings.push(...checkOneOf(value, oneOf, at))
  if (not && fits(value, not)) findings.push(nowhere(`"${at.body}" must not validate the schema (not)`))
  return findings
}

function checkOneOf(value: unknown, oneOf: readonly StructuralSchema[], at: At): Findings {
  const valid = oneOf.filter((part) => fits(value, part)).length
  if (valid === 1) return NONE
  const text = `"${at.body}" must validate one and only one schema (oneOf).`
  if (valid > 1) return [nowhere(`${text} Found ${valid} valid alternatives`)]
  return [nowhere(`${text} Found none valid`), ...closest(value, oneOf, at)]
}

function fits(value: unknown, schema: StructuralSchema): boolean {
  return check(value, schema, { field: '', body: '' }).length === 0
}

/** What keeps the value from the alternative that says most about it; from the first of several that say as much. */
function closest(value: unknown, alternatives: readonly StructuralSchema[], at: At): Findings {
  const { field, body } = at
  const counts = alternatives.map((part) => partsJudged(value, part))
  const best = alternatives[counts.indexOf(Math.max(...counts))]
  return best ? check(value, best, { field, body }) : NONE
}

/** How many parts of a value a schema speaks of: upstream's MatchCount, but for what it counts for every schema. */
function partsJudged(value: unknown, schema: StructuralSchema): number {
  const { items, additionalProperties: values } = schema
  const parts = Array.isArray(value)
    ? value.map((item): [unknown, StructuralSchema | undefined] => [item, items])
    : isFields(value)
      ? Object.keys(value).map((name): [unknown, StructuralSchema | undefined] => [
          ownField(value, name),
          ownProperty(schema, name) ?? (typeof values === 'object' ? values : undefined),
        ])
      : []
  return parts.reduce((sum, [child, own]) => sum + (own ? 1 + partsJudged(child, own) : 0), 0)
}

type Fields = Readonly<Record<string, unknown>>

function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path ? `${path}.${step}` : step
}
