/** Checks that a schema is structural: every field has one type, declared once, outside of logical junctors. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import { patternProblem } from '../regex'
import { ownProperty, type StructuralSchema } from '../schema'

type Level = 'root' | 'item' | 'field'

const TYPE_MISSING = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
} as const

/** Violations of a structural schema, in the order of their texts. `path` is its path in the definition. */
export function validateStructural(schema: StructuralSchema, path: string): FieldError[] {
  const findings = [...checkLevel(schema, 'root', path), ...checkComplete(schema, schema, { at: path, from: path })]
  const texts = new Map(findings.map((finding) => [finding, `${finding.field}: ${finding.message}`]))
  return findings.toSorted((a, b) => compareText(texts.get(a)!, texts.get(b)!))
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function checkLevel(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  return [
    ...checkType(schema, level, path),
    ...checkChildren(schema, level, path),
    ...checkEmbedded(schema, path),
    ...checkIntOrString(schema, path),
    ...checkJunctors(schema, path),
    ...checkMetadata(schema, level, path),
    ...checkPattern(schema, path),
  ]
}

function checkType(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const { type } = schema
  if (!type && schema['x-kubernetes-embedded-resource']) return []
  if (!type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    return [requiredField(`${path}.type`, TYPE_MISSING[level])]
  }
  if (level === 'root' && type && type !== 'object') {
    return [invalidField(`${path}.type`, type, 'must be object at the root')]
  }
  return []
}

function checkChildren(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const { properties = {}, items, additionalProperties, type } = schema
  const findings = Object.entries(properties).flatMap(([name, child]) =>
    checkLevel(child, 'field', `${path}.properties[${name}]`),
  )
  if (type === 'array' && !items) findings.push(requiredField(`${path}.items`, 'must be specified'))
  if (items) findings.push(...checkLevel(items, 'item', `${path}.items`))
  if (additionalProperties === undefined) return findings
  if (level === 'root') findings.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'))
  if (typeof additionalProperties === 'object') {
    findings.push(...checkLevel(additionalProperties, 'field', `${path}.additionalProperties`))
  }
  return findings
}

function checkEmbedded(schema: StructuralSchema, path: string): FieldError[] {
  if (!schema['x-kubernetes-embedded-resource']) return []
  const findings: FieldError[] = []
  const wrongType = 'must be object if x-kubernetes-embedded-resource is true'
  if (!schema.type) findings.push(requiredField(`${path}.type`, wrongType))
  else if (schema.type !== 'object') findings.push(invalidField(`${path}.type`, schema.type, wrongType))
  if (schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set'
    findings.push(forbiddenField(`${path}.additionalProperties`, detail))
  }
  const described = Object.keys(schema.properties ?? {}).length > 0
  if (described || schema['x-kubernetes-preserve-unknown-fields']) return findings
  const detail =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
  return [...findings, requiredField(`${path}.properties`, detail)]
}

function checkIntOrString(schema: StructuralSchema, path: string): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return []
  const others = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const
  return others
    .filter((name) => schema[name])
    .map((name) => invalidField(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'))
}

/** Structural fields that must not be repeated inside a junctor. */
const STRUCTURE: readonly [keyof StructuralSchema, string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

interface Part {
  child: StructuralSchema
  at: string
}

function junctorsOf(part: StructuralSchema, path: string): Part[] {
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (part[name] ?? []).map((child, index) => ({ child, at: `${path}.${name}[${index}]` })),
  )
  return part.not ? [{ child: part.not, at: `${path}.not` }, ...lists] : lists
}

/** `anyOf: [{type: integer}, {type: string}]`, alone or first in allOf, repeats int-or-string. */
function checkJunctors(schema: StructuralSchema, path: string): FieldError[] {
  const repeated = isIntOrString(schema.anyOf) ? `${path}.anyOf[` : undefined
  const first = isIntOrString(schema.allOf?.[0]?.anyOf) ? `${path}.allOf[0]` : undefined
  return junctorsOf(schema, path).flatMap(({ child, at }) => {
    if (repeated !== undefined && at.startsWith(repeated)) return []
    return checkNested(at === first ? omit(child, 'anyOf') : child, at)
  })
}

function isIntOrString(anyOf: readonly StructuralSchema[] = []): boolean {
  return deepEqual(anyOf, [{ type: 'integer' }, { type: 'string' }])
}

function checkNested(part: StructuralSchema, path: string): FieldError[] {
  const findings = STRUCTURE.filter(([name]) => isSet(part[name])).map(([name, detail]) =>
    forbiddenField(`${path}.${name}`, detail),
  )
  for (const [name, child] of Object.entries(part.properties ?? {})) {
    const at = `${path}.properties[${name}]`
    if (name === 'metadata') findings.push(forbiddenField(at, 'must not be specified in a nested context'))
    findings.push(...checkNested(child, at))
  }
  if (part.items) findings.push(...checkNested(part.items, `${path}.items`))
  const inside = junctorsOf(part, path).flatMap(({ child, at }) => checkNested(child, at))
  return [...findings, ...inside, ...checkPattern(part, path)]
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)

interface Places {
  /** Path of the structural part. */
  at: string
  /** Path of what is said about it. */
  from: string
}

/** What junctors say about fields and items that the structural part does not have. */
function checkComplete(part: StructuralSchema, structure: StructuralSchema | undefined, places: Places): FieldError[] {
  const { at, from } = places
  if (!structure) return [requiredField(at, `because it is defined in ${from}`)]
  return junctorsOf(part, from).flatMap((junctor) => checkCompleteNested(junctor, structure, at))
}

function checkCompleteNested(
  { child, at: from }: Part,
  structure: StructuralSchema | undefined,
  at: string,
): FieldError[] {
  const own = checkComplete(child, structure, { at, from })
  if (!structure) return own
  const items = child.items
    ? checkCompleteNested({ child: child.items, at: `${from}.items` }, structure.items, `${at}.items`)
    : []
  const fields = Object.entries(child.properties ?? {}).flatMap(([name, field]) => {
    const step = `.properties[${name}]`
    return checkCompleteNested({ child: field, at: from + step }, ownProperty(structure, name), at + step)
  })
  return [...own, ...items, ...fields]
}

function checkMetadata(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const { metadata, kind, apiVersion } = schema.properties ?? {}
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return []
  const findings: FieldError[] = []
  for (const [name, own] of [
    ['kind', kind],
    ['apiVersion', apiVersion],
  ] as const) {
    if (own && own.type !== 'string') {
      findings.push(invalidField(`${path}.properties[${name}].type`, own.type ?? '', 'must be string'))
    }
  }
  if (!metadata) return findings
  const at = `${path}.properties[metadata]`
  if (metadata.type !== 'object') findings.push(invalidField(`${at}.type`, metadata.type ?? '', 'must be object'))
  if (level === 'root' && !restrictsOnlyNames(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
    findings.push(forbiddenField(at, detail))
  }
  return findings
}

function restrictsOnlyNames({ type: _type, description: _text, properties = {}, ...rest }: StructuralSchema): boolean {
  const names = new Set(['name', 'generateName'])
  return Object.keys(rest).length === 0 && Object.keys(properties).every((name) => names.has(name))
}

function checkPattern({ pattern }: StructuralSchema, path: string): FieldError[] {
  const problem = pattern ? patternProblem(pattern) : undefined
  if (problem === undefined) return []
  return [invalidField(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)]
}
