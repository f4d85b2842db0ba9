/** Asks the rules of a schema about an object, and about its change. */
import { deepEqual } from '@/lib/std/equal'
import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { CelFailure } from '../cel'
import type { StructuralSchema } from '../schema'
import { oldItems, typeNameOf } from '../schema-validate'
import { bindingsOf, type CompiledRule, type RuleTree, rulesOf, usesSelf } from './rules'
import { misfitInside, misfitOf } from './rule-misfit'

/** A value, its former value (undefined if new), and its path. */
interface Place {
  value: unknown
  old: unknown
  field: string
}

interface Subject extends Place {
  /** The value did not change, or is an item of a list that did not. */
  isKept: boolean
  /** Tells what is wrong with a value that did not change. */
  warn: ((text: string) => void) | undefined
}

const BLOCKING = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; '
  + 'correct the existing errors to complete validation'

/**
 * The errors of all rules of a schema. `found` are earlier errors: rules need values of the right type, so they are not
 * evaluated then, and one error says so.
 */
export function validateRules(
  schema: StructuralSchema,
  place: Place,
  { found, warn }: { found: readonly FieldError[]; warn?: Subject['warn'] },
): FieldError[] {
  const tree = rulesOf(schema)
  if (!tree) return []
  if (found.some(({ reason }) => BLOCKING.has(reason))) return [invalidField('<nil>', null, NOT_CHECKED)]
  return checkTree(tree, { ...place, isKept: isSame(place), warn })
}

function isSame({ value, old }: Pick<Place, 'value' | 'old'>): boolean {
  return old !== undefined && deepEqual(value, old)
}

function below({ isKept, warn }: Subject, place: Place): Subject {
  return { ...place, isKept: isKept || isSame(place), warn }
}

function checkTree(tree: RuleTree, subject: Subject): FieldError[] {
  const { value, old, field } = subject
  if (value === null || value === undefined) return []
  const own = tree.rules.flatMap((rule) => checkRule(tree, rule, subject))
  if (Array.isArray(value)) return tree.items ? [...own, ...checkItems(tree.items, tree.schema, subject)] : own
  if (typeof value !== 'object') return own
  const inside = Object.entries(value).flatMap(([name, child]) => {
    const named = tree.properties.get(name)
    const rules = named ?? (isNamed(tree.schema, name) ? undefined : tree.values)
    const path = named ? `${field && `${field}.`}${name}` : `${field}[${name}]`
    return rules ? checkTree(rules, below(subject, { value: child, old: fieldOf(old, name), field: path })) : []
  })
  return [...own, ...inside]
}

function isNamed({ properties }: StructuralSchema, name: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, name)
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function checkItems(items: RuleTree, list: StructuralSchema, subject: Subject): FieldError[] {
  const { value, old, field } = subject
  const before = oldItems(list, old)
  return (value as unknown[]).flatMap((item, index) =>
    checkTree(items, below(subject, { value: item, old: before(item), field: `${field}[${index}]` })),
  )
}

function checkRule(tree: RuleTree, rule: CompiledRule, subject: Subject): FieldError[] {
  const { source, program, transition } = rule
  // Transition rules need the old value.
  if (transition && subject.old === undefined && source.optionalOldSelf !== true) return []
  const failed = (failure: CelFailure): FieldError[] => [
    invalidField(subject.field || '<nil>', tree.schema.type ?? '', failureText(source, failure)),
  ]
  const misfit = misfitOf(subject.value, tree.schema)
  if (misfit !== undefined && usesSelf(source)) return failed({ message: misfit, exhausted: false })
  const bindings = bindingsOf(rule, tree.declared!, subject)
  const result = program.run(bindings)
  if (!result.ok) return failed(withMisfit(result.error, subject.value, tree.schema))
  if (result.value === true) return []
  // The root has no name.
  const field = `${subject.field}${source.fieldPath ?? ''}`.replace(/^\./, '') || '<nil>'
  const found = finding({ value: subject.value, field, schema: tree.schema }, source, messageOf(rule, bindings))
  if (transition || !subject.isKept) return [found]
  subject.warn?.(`${found.field}: ${found.message}`)
  return []
}

/** A value inside of another type than its schema's is what an expression fails for. */
function withMisfit(failure: CelFailure, value: unknown, schema: StructuralSchema): CelFailure {
  const inside = failure.exhausted ? undefined : misfitInside(value, schema)
  return inside === undefined ? failure : { ...failure, message: inside }
}

const EXHAUSTED = 'no further validation rules will be run due to call cost exceeds limit'
const NO_OVERLOAD = 'call arguments did not match a supported operator, function or macro signature'

function failureText(source: CompiledRule['source'], { message, exhausted }: CelFailure): string {
  const rule = source.message ?? source.rule.trim()
  if (exhausted) return `'${message}': ${EXHAUSTED} for rule: ${rule}`
  if (message.startsWith('no such overload')) return `'${message}': ${NO_OVERLOAD} for rule: ${rule}`
  return `${message} evaluating rule: ${rule}`
}

function messageOf({ source, message }: CompiledRule, bindings: Record<string, unknown>): string {
  const made = message?.run(bindings)
  if (made?.ok && typeof made.value === 'string' && made.value.trim() !== '' && !made.value.includes('\n')) {
    return made.value.trim()
  }
  return source.message ?? `failed rule: ${source.rule.trim()}`
}

interface Judged {
  value: unknown
  field: string
  schema: StructuralSchema
}

function finding({ value, field, schema }: Judged, { reason }: CompiledRule['source'], message: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message)
    case 'FieldValueRequired':
      return requiredField(field, message)
    case 'FieldValueDuplicate':
      return duplicateField(field, isComposite(value) ? typeNameOf(value) : value)
    default:
      return schema.type === 'object' || schema.type === 'array'
        ? { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
        : invalidField(field, value, message)
  }
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null
