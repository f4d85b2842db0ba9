/** Judges the keywords and the rules of a schema, in the order of kube-apiserver. */
import { ownProperty, type StructuralSchema, type ValidationRule } from '../schema'
import {
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidField,
  requiredField,
  unsupportedField,
} from '../field-error'
import { usesOldSelf, rulesProblems } from './rules'
import { checkListOfMaps, checkListType } from './list-keywords'
import { shownRule } from './shown-versions'

export interface SchemaFindings {
  keywords: FieldError[]
  rules: FieldError[]
}

interface Context {
  /** False where rules cannot be judged, and in the parts of a junctor. */
  hasRules: boolean
  /** Path of the outermost part around whose old value cannot be found. */
  uncorrelated?: string
  /** Why there must be no default here. */
  noDefaults?: string
  /** True for what describes the metadata and identity of a resource. */
  inMetadata?: boolean
  below?: true
}

/** What is wrong with the keywords of a schema and its parts, and with the rules of those parts whose keywords are right. */
export function checkSchema(schema: StructuralSchema, path: string, context: Context): SchemaFindings {
  const inside = partsOf(schema, path, context).map(({ child, at, context: own }) => checkSchema(child, at, own))
  const keywords = [
    ...checkKeywords(schema, path, context),
    ...inside.flatMap((found) => found.keywords),
    ...checkTypes(schema, path),
    ...checkListType(schema, path),
    ...checkListOfMaps(schema, path),
    ...rulesOf(schema).flatMap((rule, index) => checkRuleFields(rule, schema, `${path}.${RULES}[${index}]`)),
  ]
  const judged = context.hasRules && keywords.length === 0
  return {
    keywords,
    rules: [...inside.flatMap(({ rules }) => rules), ...(judged ? checkRules(schema, path, context) : [])],
  }
}

const RULES = 'x-kubernetes-validations'
const rulesOf = (schema: StructuralSchema): readonly ValidationRule[] => schema[RULES] ?? []

interface Part {
  child: StructuralSchema
  at: string
  context: Context
}

const IDENTITY = new Set(['metadata', 'kind', 'apiVersion'])

function partsOf(schema: StructuralSchema, path: string, context: Context): Part[] {
  const { properties = {}, items, additionalProperties, not } = schema
  const isRoot = !context.below
  const inside: Context = { ...context, below: true }
  const uncorrelated = context.uncorrelated ?? path
  const named = Object.entries(properties).map(([name, child]): Part => {
    const describes = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && IDENTITY.has(name)
    return {
      child,
      at: `${path}.properties[${name}]`,
      context: {
        ...inside,
        ...(schema['x-kubernetes-map-type'] === 'atomic' && { uncorrelated }),
        ...(describes && { inMetadata: true }),
        ...(describes && isRoot && { noDefaults: `in top-level ${name}` }),
      },
    }
  })
  const values: Part[] =
    typeof additionalProperties === 'object'
      ? [
          {
            child: additionalProperties,
            at: `${path}.additionalProperties`,
            context: {
              ...inside,
              ...(context.inMetadata && { noDefaults: 'inside additionalProperties applying to object metadata' }),
            },
          },
        ]
      : []
  const junctors = (['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
    (schema[name] ?? []).map((child, index) => ({ child, at: `${path}.${name}[${index}]` })),
  )
  const alternatives = [...(not ? [{ child: not, at: `${path}.not` }] : []), ...junctors]
  // A list of schemas is refused, and each of them is judged nevertheless.
  const several = Array.isArray(items) ? (items as StructuralSchema[]) : undefined
  const correlates = schema['x-kubernetes-list-type'] === 'map'
  return [
    ...values,
    ...named,
    ...alternatives.map((part) => ({ ...part, context: { ...inside, hasRules: false } })),
    ...(several ?? []).map((child, index) => ({
      child,
      at: `${path}.items[${index}]`,
      context: { ...inside, hasRules: false },
    })),
    ...(items && !several
      ? [{ child: items, at: `${path}.items`, context: { ...inside, ...(!correlates && { uncorrelated }) } }]
      : []),
  ]
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const

function checkKeywords(schema: StructuralSchema, path: string, { noDefaults, inMetadata }: Context): FieldError[] {
  const given = schema as Readonly<Record<string, unknown>>
  const { uniqueItems, additionalProperties, properties } = schema
  const type: string | undefined = schema.type
  const findings: FieldError[] = []
  if (type && !TYPES.includes(type)) findings.push(unsupportedField(`${path}.type`, type, TYPES))
  if (schema.default !== undefined && noDefaults !== undefined) {
    findings.push(forbiddenField(`${path}.default`, `must not be set ${noDefaults}`))
  }
  for (const name of UNSUPPORTED) {
    if (given[name] !== undefined) findings.push(forbiddenField(`${path}.${name}`, `${name} is not supported`))
  }
  if (type === 'null') {
    findings.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'))
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    findings.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'))
  }
  if (inMetadata && schema['x-kubernetes-embedded-resource']) {
    const detail = 'must not be used inside of resource meta'
    findings.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, detail))
  }
  if (uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    findings.push(forbiddenField(`${path}.uniqueItems`, detail))
  }
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    findings.push(forbiddenField(`${path}.additionalProperties`, detail))
  }
  return findings
}

function checkTypes(schema: StructuralSchema, path: string): FieldError[] {
  const findings: FieldError[] = []
  const keepsUnknown = (schema as Readonly<Record<string, unknown>>)['x-kubernetes-preserve-unknown-fields']
  if (keepsUnknown === false) {
    findings.push(invalidField(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  }
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return findings
  if (schema.type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified'
    const at = `${path}.type`
    findings.push(schema.type ? invalidField(at, schema.type, detail) : requiredField(at, detail))
  }
  if (!['atomic', 'granular'].includes(mapType)) {
    findings.push(unsupportedField(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  return findings
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']
const LINE_BREAK = /[\n\r]/

function checkRuleFields(rule: ValidationRule, schema: StructuralSchema, path: string): FieldError[] {
  const findings = [...checkTexts(rule, path)]
  if (rule.messageExpression && rule.messageExpression.trim() === '') {
    findings.push(requiredField(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
    findings.push(unsupportedField(`${path}.reason`, rule.reason, REASONS))
  }
  return [...findings, ...checkFieldPath(rule.fieldPath, schema, `${path}.fieldPath`)]
}

/** The first fault of a rule and its message. */
function checkTexts({ rule = '', message = '' }: ValidationRule, path: string): FieldError[] {
  if (rule.trim() === '') return [requiredField(`${path}.rule`, 'rule is not specified')]
  if (message && message.trim() === '') {
    return [invalidField(`${path}.message`, message, 'must be non-empty if specified')]
  }
  if (LINE_BREAK.test(message.trim())) return [invalidField(`${path}.message`, message, 'must not contain line breaks')]
  if (LINE_BREAK.test(rule.trim()) && message.trim() === '') {
    return [requiredField(`${path}.message`, 'message must be specified if rule contains line breaks')]
  }
  return []
}

/** A rule may blame a field inside: by names, or by keys of maps in brackets. */
function checkFieldPath(fieldPath: string | undefined, schema: StructuralSchema, path: string): FieldError[] {
  if (!fieldPath) return []
  const problems = [
    ...(fieldPath.trim() === '' ? ['must be non-empty if specified'] : []),
    ...(LINE_BREAK.test(fieldPath) ? ['must not contain line breaks'] : []),
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
    const values: StructuralSchema['additionalProperties'] = at.additionalProperties
    const isStruct: boolean = at.properties !== undefined
    at = isStruct ? ownProperty(at, step[1] ?? step[2] ?? '') : typeof values === 'object' ? values : undefined
  }
  return at !== undefined
}

/** Compile errors, and rules about an old value that cannot be found. */
function checkRules(schema: StructuralSchema, path: string, context: Context): FieldError[] {
  const rules = rulesOf(schema)
  if (rules.length === 0) return []
  if (!hasRuleType(schema)) return [internalFieldError(`${path}.${RULES}`, NO_RULE_TYPE)]
  const problems = rulesProblems(schema, !context.below)
  return rules.flatMap((rule, index) => {
    const at = `${path}.${RULES}[${index}]`
    const own = problems.filter((problem) => problem.index === index)
    const findings = own.map(({ part, detail }) => invalidField(`${at}.${part}`, shownRule(rule), detail))
    if (usesOldSelf(rule) && !own.some(({ part }) => part === 'rule')) {
      if (context.uncorrelated === undefined) return findings
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${context.uncorrelated}`
      return [...findings, invalidField(`${at}.rule`, rule.rule, detail)]
    }
    if (rule.optionalOldSelf === undefined) return findings
    const detail = 'may not be set if oldSelf is not used in rule'
    return [...findings, invalidField(`${at}.optionalOldSelf`, rule.optionalOldSelf, detail)]
  })
}

const NO_RULE_TYPE =
  'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'

/** Rules can only speak of a value whose type the schema tells. */
function hasRuleType(schema: StructuralSchema): boolean {
  const { type, items, additionalProperties } = schema
  if (schema['x-kubernetes-int-or-string']) return true
  if (type === 'array') return items !== undefined && hasRuleType(items)
  if (type === 'object' && typeof additionalProperties === 'object') return hasRuleType(additionalProperties)
  return type !== undefined
}
