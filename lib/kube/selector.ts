/** Label selectors of objects, and matching. The text forms are in `selector-text.ts`. */
import { ownField, ownFieldReader } from '@/lib/std/fields'
import { err, ok, type Result } from '@/lib/std/result'
import { checkLabelValue, checkQualifiedName } from './validation/formats'

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'

/** One requirement on one label; a selector matches when all of its requirements do. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/** `metav1.LabelSelector`. */
export interface LabelSelectorLike {
  matchLabels?: Readonly<Record<string, string>>
  matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[]
}

type Labels = Readonly<Record<string, string>>

/** True when the labels meet every requirement. An absent label meets `NotIn` and `DoesNotExist`. */
export function matchesRequirements(requirements: readonly LabelRequirement[], labels: Labels = {}): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, ownField(labels, requirement.key)))
}

/** Compiles `matchesRequirements` for the labels of many objects. */
export function compileRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const reads = requirements.map(({ key }) => ownFieldReader<string>(key))
  return (labels) => {
    for (let index = 0; index < reads.length; index += 1)
      if (!matchesRequirement(requirements[index]!, reads[index]!(labels))) return false
    return true
  }
}

function matchesRequirement({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && isAmong(values, value)
    case 'NotIn':
      return value === undefined || !isAmong(values, value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compareIntegers(value, values[0], (a, b) => a > b)
    case 'Lt':
      return compareIntegers(value, values[0], (a, b) => a < b)
  }
}

/** Caches the sets of long lists of values, because selectors are matched against every object. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()
const FEW = 8

function isAmong(values: readonly string[], value: string): boolean {
  if (values.length <= FEW) return values.includes(value)
  const known = sets.get(values) ?? new Set(values)
  sets.set(values, known)
  return known.has(value)
}

const INTEGER = /^[+-]?[0-9]+$/

function compareIntegers(
  a: string | undefined,
  b: string | undefined,
  holds: (a: bigint, b: bigint) => boolean,
): boolean {
  if (a === undefined || b === undefined || !INTEGER.test(a) || !INTEGER.test(b)) return false
  return holds(BigInt(a.replace('+', '')), BigInt(b.replace('+', '')))
}

/**
 * The requirements of a selector, in a fixed order: labels by key, then expressions. Fails with the reason when an
 * operator is unknown, a value list does not suit its operator, or a key or value is malformed.
 */
export function requirementsOf(selector: LabelSelectorLike): Result<LabelRequirement[]> {
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all: LabelRequirement[] = labels.map(([key, value]) => ({ key, operator: 'In', values: [value] }))
  for (const { key = '', operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isSelectorOperator(operator)) return err(`${JSON.stringify(operator)} is not a valid label selector operator`)
    all.push({ key, operator, values })
  }
  const problem = all.map(problemOf).find((text) => text !== undefined)
  return problem === undefined ? ok(all) : err(problem)
}

function isSelectorOperator(operator: string): operator is 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' {
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)
}

/** What makes a requirement invalid, in kube-apiserver's words. */
export function problemOf({ key, operator, values }: LabelRequirement): string | undefined {
  const badKey = checkQualifiedName(key)
  if (badKey.length > 0) return `<nil>: Invalid value: ${JSON.stringify(key)}: ${badKey.join('; ')}`
  const badCount = problemWithCount(operator, values)
  if (badCount) return `values: Invalid value: ${JSON.stringify(values)}: ${badCount}`
  if ((operator === 'Gt' || operator === 'Lt') && !INTEGER.test(values[0]!)) {
    const rule = "for 'Gt', 'Lt' operators, the value must be an integer"
    return `values[0]: Invalid value: ${JSON.stringify(values[0])}: ${rule}`
  }
  for (const [index, value] of values.entries()) {
    const bad = checkLabelValue(value)
    if (bad.length > 0) return `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${bad.join('; ')}`
  }
  return undefined
}

function problemWithCount(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty"
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? undefined : 'values set must be empty for exists and does not exist'
    case 'Gt':
    case 'Lt':
      return values.length === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required"
  }
}

/**
 * Reports whether the selector matches the labels. An empty selector matches every object, an invalid one matches none.
 * The meaning of an absent selector depends on the field, so callers handle it.
 */
export function matchesLabelSelector(selector: LabelSelectorLike, labels: Labels | undefined): boolean {
  const requirements = requirementsOf(selector)
  return requirements.ok && matchesRequirements(requirements.value, labels)
}
