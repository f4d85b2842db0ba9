/** Asks the rules of a schema about an object, and about its change. */
import { deepEqual } from '@/lib/std/equal'
import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { CelFailure } from '../cel'
import type { StructuralSchema } from '../schema'
import { oldItems, typeNameOf } from '../schema-validate'
import { bindingsOf, type CompiledRule, type RuleTree, rulesOf } from './rules'

/** A value, its former value (undefined if new), and its path. */
interface Subject {
  value: unknown
  old: unknown
  field: string
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
export function validateRules(schema: StructuralSchema, subject: Subject, found: readonly FieldError[]): FieldError[] {
  const tree = rulesOf(schema)
  if (!tree) return []
  if (found.some(({ reason }) => BLOCKING.has(reason))) return [invalidField('<nil>', null, NOT_CHECKED)]
  return checkTree(tree, subject)
}

function checkTree(tree: RuleTree, subject: Subject): FieldError[] {
  const { value, old, field } = subject
  if (value === null || value === undefined) return []
  const own = tree.rules.flatMap((rule) => checkRule(tree, rule, subject))
  if (Array.isArray(value)) return tree.items ? [...own, ...checkItems(tree.items, tree.schema, subject)] : own
  if (typeof value !== 'object') return own
  const inside = Object.entries(value).flatMap(([name, child]) => {
    const named = tree.properties.get(name)
    const below = named ?? (isNamed(tree.schema, name) ? undefined : tree.values)
    const path = named ? `${field && `${field}.`}${name}` : `${field}[${name}]`
    return below ? checkTree(below, { value: child, old: fieldOf(old, name), field: path }) : []
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

function checkItems(items: RuleTree, list: StructuralSchema, { value, old, field }: Subject): FieldError[] {
  const before = oldItems(list, old)
  return (value as unknown[]).flatMap((item, index) =>
    checkTree(items, { value: item, old: before(item), field: `${field}[${index}]` }),
  )
}

function checkRule(tree: RuleTree, rule: CompiledRule, subject: Subject): FieldError[] {
  const { source, program } = rule
  if (!isAsked(rule, subject)) return []
  const bindings = bindingsOf(rule, tree.declared!, subject)
  const result = program.run(bindings)
  // The root has no name.
  const field = `${subject.field}${source.fieldPath ?? ''}`.replace(/^\./, '') || '<nil>'
  if (!result.ok) return [invalidField(field, shown(subject.value), failureText(source, result.error))]
  return result.value === true ? [] : [finding({ ...subject, field }, source, messageOf(rule, bindings))]
}

/** Transition rules need the old value; other rules ignore unchanged values. */
function isAsked({ source, transition }: CompiledRule, { value, old }: Subject): boolean {
  if (transition) return old !== undefined || source.optionalOldSelf === true
  return old === undefined || !deepEqual(value, old)
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

function finding({ value, field }: Subject, { reason }: CompiledRule['source'], message: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message)
    case 'FieldValueRequired':
      return requiredField(field, message)
    case 'FieldValueDuplicate':
      return duplicateField(field, shown(value))
    default:
      return isComposite(value)
        ? { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
        : invalidField(field, value, message)
  }
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Objects and lists are shown by their type. */
function shown(value: unknown): unknown {
  return isComposite(value) ? typeNameOf(value) : value
}
