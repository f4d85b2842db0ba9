/** Checks that a schema is structural: every field has one type, declared once, outside of logical junctors. */
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import { isPattern } from '../regex'
import { ownProperty, type StructuralSchema } from '../schema'

type Level = 'root' | 'item' | 'field'

const TYPE_MISSING = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
} as const

/** Violations of a structural schema. `path` is its path in the definition. */
export function validateStructural(schema: StructuralSchema, path: string): FieldError[] {
  return checkLevel(schema, 'root', path)
}

function checkLevel(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  return [
    ...checkType(schema, level, path),
    ...checkChildren(schema, level, path),
    ...checkEmbedded(schema, path),
    ...checkIntOrString(schema, path),
    ...checkListType(schema, path),
    ...checkJunctors(schema, schema, path),
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
  const findings = others
    .filter((name) => schema[name])
    .map((name) => invalidField(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'))
  if (!schema.type) return findings
  return [...findings, invalidField(`${path}.type`, schema.type, 'must be empty if x-kubernetes-int-or-string is true')]
}

function checkListType(schema: StructuralSchema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const findings: FieldError[] = []
  if (listType !== undefined && schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified'
    const at = `${path}.type`
    findings.push(schema.type ? invalidField(at, schema.type, detail) : requiredField(at, detail))
  }
  if (listType !== 'map') {
    if (keys.length === 0) return findings
    const detail = 'must not be set if x-kubernetes-list-type is not map'
    return [...findings, forbiddenField(`${path}.x-kubernetes-list-map-keys`, detail)]
  }
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map'
    findings.push(requiredField(`${path}.x-kubernetes-list-map-keys`, detail))
  }
  const unknown = keys.some((key) => !ownProperty(schema.items ?? {}, key))
  const detail = 'entries must all be names of item properties'
  return [
    ...findings,
    ...(unknown ? [invalidField(`${path}.x-kubernetes-list-map-keys`, keys, detail)] : []),
    ...keys.flatMap((key) => checkMapKey(schema.items ?? {}, key, `${path}.items`)),
  ]
}

const SCALARS = new Set<string | undefined>(['string', 'integer', 'number', 'boolean'])

function checkMapKey(items: StructuralSchema, key: string, path: string): FieldError[] {
  const own = ownProperty(items, key)
  if (!own) return []
  const at = `${path}.properties[${key}]`
  const findings: FieldError[] = []
  if (!SCALARS.has(own.type)) {
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
    findings.push(invalidField(`${at}.type`, own.type ?? '', detail))
  }
  if (own.default !== undefined || items.required?.includes(key)) return findings
  const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
  return [...findings, requiredField(`${at}.default`, detail)]
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

function checkJunctors(part: StructuralSchema, structure: StructuralSchema, path: string): FieldError[] {
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (part[name] ?? []).map((child, index) => ({ child, at: `${path}.${name}[${index}]` })),
  )
  const all = part.not ? [...lists, { child: part.not, at: `${path}.not` }] : lists
  return all
    .filter(({ at }) => !isIntOrStringPattern(part, structure, at))
    .flatMap(({ child, at }) => checkNested(child, structure, at))
}

/** `anyOf: [{type: integer}, {type: string}]`, alone or first in allOf, repeats int-or-string. */
function isIntOrStringPattern(part: StructuralSchema, structure: StructuralSchema, at: string): boolean {
  if (!structure['x-kubernetes-int-or-string']) return false
  const repeats = (anyOf: readonly StructuralSchema[] = []): boolean =>
    JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]'
  if (at.endsWith('.allOf[0]')) return repeats(part.allOf?.[0]?.anyOf)
  return /\.anyOf\[[01]\]$/.test(at) && repeats(part.anyOf)
}

function checkNested(part: StructuralSchema, structure: StructuralSchema | undefined, path: string): FieldError[] {
  const findings = STRUCTURE.filter(([name]) => part[name] !== undefined && part[name] !== false).map(
    ([name, detail]) => forbiddenField(`${path}.${name}`, detail),
  )
  for (const [name, child] of Object.entries(part.properties ?? {})) {
    const at = `${path}.properties[${name}]`
    const own = structure && ownProperty(structure, name)
    if (name === 'metadata') findings.push(forbiddenField(at, 'must not be specified in a nested context'))
    if (!own) findings.push(requiredField(structuralPath(at), `because it is defined in ${at}`))
    findings.push(...checkNested(child, own, at))
  }
  if (part.items) findings.push(...checkNested(part.items, structure?.items, `${path}.items`))
  return [...findings, ...checkJunctors(part, structure ?? {}, path), ...checkPattern(part, path)]
}

/** The structural path of a field inside a junctor. */
function structuralPath(path: string): string {
  return path.replaceAll(/\.(?:allOf|anyOf|oneOf)\[\d+\]|\.not(?=\.|$)/g, '')
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
  if (!pattern || isPattern(pattern)) return []
  const detail = `must be a valid regular expression, but isn't: error parsing regexp: ${pattern}`
  return [invalidField(`${path}.pattern`, pattern, detail)]
}
