/** Validates the schema of a definition, beyond being structural. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from '../field-error'
import { ownProperty, type StructuralSchema, type ValidationRule } from '../schema'
import { pruneUnknown } from '../schema-prune'
import { validateSchema } from '../schema-validate'
import { type RuleProblem, ruleProblems } from './rules'
import { validateStructural } from './structural'
import { validateRules } from './validate-rules'

/** All errors of the schema of a version; `path` is its path. */
export function validateDefinitionSchema(schema: StructuralSchema, path: string): FieldError[] {
  const findings = [...checkKeywords(schema, path, true), ...validateStructural(schema, path)]
  // Defaults and rules can only be judged by a schema that makes sense.
  if (findings.length > 0) return findings
  return [...checkDefaults(schema, path), ...checkRules(schema, path)]
}

const UNSUPPORTED = ['$ref', 'id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies'] as const
const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']

function checkKeywords(schema: StructuralSchema, path: string, correlatable: boolean): FieldError[] {
  const given = schema as Readonly<Record<string, unknown>>
  const findings = UNSUPPORTED.filter((name) => given[name] !== undefined).map((name) =>
    forbiddenField(`${path}.${name}`, `${name} is not supported`),
  )
  findings.push(...checkValues(schema, path))
  const validations = schema['x-kubernetes-validations'] ?? []
  for (const [index, rule] of validations.entries()) {
    findings.push(...checkRuleFields(rule, `${path}.x-kubernetes-validations[${index}]`, correlatable))
    findings.push(...checkFieldPath(rule.fieldPath, schema, `${path}.x-kubernetes-validations[${index}].fieldPath`))
  }
  for (const { child, at, known } of childrenOf(schema, path)) {
    findings.push(...checkKeywords(child, at, correlatable && known))
  }
  return findings
}

function checkValues(schema: StructuralSchema, path: string): FieldError[] {
  const findings: FieldError[] = []
  const { type, uniqueItems, additionalProperties, properties } = schema
  const listType = schema['x-kubernetes-list-type']
  if ((type as string | undefined) === 'null') {
    findings.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'))
  } else if (type && !TYPES.includes(type)) findings.push(unsupportedField(`${path}.type`, type, TYPES))
  if (uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    findings.push(forbiddenField(`${path}.uniqueItems`, detail))
  }
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    findings.push(forbiddenField(`${path}.additionalProperties`, detail))
  }
  if (additionalProperties === false) {
    findings.push(forbiddenField(`${path}.additionalProperties`, 'additionalProperties cannot be set to false'))
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    findings.push(unsupportedField(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
  }
  const mapType = schema['x-kubernetes-map-type']
  if (mapType !== undefined && !['atomic', 'granular'].includes(mapType)) {
    findings.push(unsupportedField(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  return findings
}

interface Child {
  child: StructuralSchema
  at: string
  /** True when the same part can be found in the object before a change. */
  known: boolean
}

function childrenOf(schema: StructuralSchema, path: string): Child[] {
  const { properties = {}, items, additionalProperties, not } = schema
  const named = Object.entries(properties).map(([name, child]) => ({
    child,
    at: `${path}.properties[${name}]`,
    known: true,
  }))
  const junctors = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (schema[name] ?? []).map((child, index) => ({ child, at: `${path}.${name}[${index}]`, known: false })),
  )
  return [
    ...named,
    ...(items ? [{ child: items, at: `${path}.items`, known: schema['x-kubernetes-list-type'] === 'map' }] : []),
    ...(typeof additionalProperties === 'object'
      ? [{ child: additionalProperties, at: `${path}.additionalProperties`, known: true }]
      : []),
    ...(not ? [{ child: not, at: `${path}.not`, known: false }] : []),
    ...junctors,
  ]
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function checkRuleFields(rule: ValidationRule, path: string, correlatable: boolean): FieldError[] {
  const { rule: text = '' } = rule
  const findings: FieldError[] = []
  if (text.trim() === '') findings.push(requiredField(`${path}.rule`, 'rule is not specified'))
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
    findings.push(unsupportedField(`${path}.reason`, rule.reason, REASONS))
  }
  if (rule.message !== undefined && rule.message.trim() === '') {
    findings.push(invalidField(`${path}.message`, rule.message, 'must be non-empty if specified'))
  }
  if (rule.message?.includes('\n')) {
    findings.push(invalidField(`${path}.message`, rule.message, 'must not contain line breaks'))
  }
  if (text.includes('\n') && !rule.message) {
    findings.push(requiredField(`${path}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (/\boldSelf\b/.test(text) && !correlatable) {
    const within = path.replace(/\.x-kubernetes-validations\[\d+\]$/, '')
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`
    findings.push(invalidField(`${path}.rule`, text, detail))
  }
  return findings
}

/** A rule may blame a field inside: by names, or by keys of maps in brackets. */
function checkFieldPath(fieldPath: string | undefined, schema: StructuralSchema, path: string): FieldError[] {
  if (!fieldPath) return []
  const problems = [
    ...(fieldPath.trim() === '' ? ['must be non-empty if specified'] : []),
    ...(fieldPath.includes('\n') ? ['must not contain line breaks'] : []),
    ...(leadsSomewhere(fieldPath, schema) ? [] : ['must be a valid path']),
  ]
  return problems.map((problem) => invalidField(path, fieldPath, problem))
}

const PATH_STEP = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)*)'\]/y

function leadsSomewhere(fieldPath: string, schema: StructuralSchema): boolean {
  let at: StructuralSchema | undefined = schema
  PATH_STEP.lastIndex = 0
  while (at !== undefined && PATH_STEP.lastIndex < fieldPath.length) {
    const step = PATH_STEP.exec(fieldPath)
    if (!step) return false
    const name = step[1] ?? step[2] ?? ''
    const values: StructuralSchema['additionalProperties'] = at.additionalProperties
    at = ownProperty(at, name) ?? (step[1] === undefined && typeof values === 'object' ? values : undefined)
  }
  return at !== undefined
}

/** Rejects defaults that are invalid or contain fields that pruning would remove. */
function checkDefaults(schema: StructuralSchema, path: string): FieldError[] {
  const own = schema.default === undefined ? [] : checkDefault(schema, `${path}.default`)
  return [...own, ...childrenOf(schema, path).flatMap(({ child, at }) => checkDefaults(child, at))]
}

function checkDefault(schema: StructuralSchema, path: string): FieldError[] {
  const { default: value } = schema
  const pruned = pruneUnknown(value, schema).value
  const kept = deepEqual(pruned, value) ? [] : [invalidField(path, value, 'must not have unknown fields')]
  const found = validateSchema(value, schema, path)
  return [...kept, ...found, ...validateRules(schema, { value, old: undefined, field: path }, found)]
}

function checkRules(schema: StructuralSchema, path: string): FieldError[] {
  return ruleProblems(schema).map((problem) => {
    const rule = ruleAt(schema, problem)
    const at = `${[path, ...problem.path].join('.')}.x-kubernetes-validations[${problem.index}].${problem.part}`
    return invalidField(at, rule && shownRule(rule), problem.detail)
  })
}

/** A rule as kube-apiserver repeats it in a refusal. */
function shownRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): object {
  return {
    Rule: rule,
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  }
}

function ruleAt(schema: StructuralSchema, { path, index }: RuleProblem): ValidationRule | undefined {
  const place = path.reduce((part: StructuralSchema | undefined, step) => stepInto(part, step), schema)
  return place?.['x-kubernetes-validations']?.[index]
}

function stepInto(schema: StructuralSchema | undefined, step: string): StructuralSchema | undefined {
  if (step === 'items') return schema?.items
  if (step !== 'additionalProperties') return schema && ownProperty(schema, step.slice('properties['.length, -1))
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}
