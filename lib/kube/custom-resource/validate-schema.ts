/** Validates the schema of a definition, beyond being structural, in the order of kube-apiserver. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField } from '../field-error'
import type { StructuralSchema } from '../schema'
import { pruneUnknown } from '../schema-prune'
import { validateSchema } from '../schema-validate'
import { checkSchema } from './check-schema'
import { rulesProblems } from './rules'
import { validateStructural } from './structural'
import { validateRules } from './validate-rules'

/** All errors of the schema of a version; `path` is its path. */
export function validateDefinitionSchema(schema: StructuralSchema, path: string): FieldError[] {
  const nullable = schema.nullable ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')] : []
  const problem = conversionProblem(schema)
  const structural = problem === undefined ? validateStructural(schema, path) : []
  // Defaults and rules can only be judged by a schema that makes sense.
  const isStructural = problem === undefined && structural.length === 0
  const defaults = isStructural ? checkDefaults(schema, path) : []
  const { keywords, rules } = checkSchema(schema, path, { hasRules: isStructural && defaults.length === 0 })
  const findings = [...nullable, ...structural, ...defaults, ...keywords, ...rules]
  return findings.length === 0 && problem !== undefined ? [invalidField(path, '', problem)] : findings
}

const UNSUPPORTED = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']

/** Why a schema cannot be read as a structural one; reported only where nothing else is wrong. */
export function conversionProblem(schema: StructuralSchema): string | undefined {
  const given = schema as Readonly<Record<string, unknown>>
  const unsupported = UNSUPPORTED.find((name) => given[name] !== undefined && given[name] !== '')
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported}' is not supported`
  if (given['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  const { properties = {}, items, additionalProperties, not, allOf = [], anyOf = [], oneOf = [] } = schema
  if (Array.isArray(items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
  for (const child of [not, ...allOf, ...anyOf, ...oneOf, items, ...Object.values(properties), values]) {
    const found = child && conversionProblem(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Rejects defaults that are invalid or contain fields that pruning would remove. Maps have no defaults inside. */
function checkDefaults(schema: StructuralSchema, path: string): FieldError[] {
  const { items, properties = {} } = schema
  return [
    ...(schema.default === undefined ? [] : checkDefault(schema, `${path}.default`)),
    ...(items ? checkDefaults(items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, child]) => checkDefaults(child, `${path}.properties[${name}]`)),
  ]
}

function checkDefault(schema: StructuralSchema, path: string): FieldError[] {
  const { default: value } = schema
  const pruned = pruneUnknown(value, schema).value
  const kept = deepEqual(pruned, value) ? [] : [invalidField(path, value, 'must not have unknown fields')]
  const found = validateSchema(value, schema, path, '')
  if (found.length > 0) return [...kept, ...found]
  const broken = rulesProblems(schema, false).filter(({ part }) => part === 'rule')
  if (broken.length > 0) {
    return [
      ...kept,
      ...broken.map(({ detail }) => invalidField(path, schema.type ?? '', `rule compile error: ${detail}`)),
    ]
  }
  const added = validateRules(schema, { value, old: undefined, field: path }, { found })
  if (added.length > 0) return [...kept, ...added]
  return [...kept, ...validateRules(schema, { value, old: value, field: path }, { found })]
}
