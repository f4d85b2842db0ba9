/** The rules of terms that choose nodes. */
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { NodeSelectorTerm } from '../kinds'
import { checkSubdomain } from './formats'
import { validateLabelKey, validateLabelValues, validateSetOperator } from './set-operators'

type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number]

/** Labels and fields of one term; values of labels only if asked, because no node has to match a wish. */
export function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: string,
  withValues = false,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) => {
      const at = `${field}.matchExpressions[${index}]`
      return [
        ...validateLabelRequirement(requirement, at),
        ...(withValues ? validateLabelValues(requirement.values ?? [], at) : []),
      ]
    }),
    ...matchFields.flatMap((requirement, index) =>
      validateFieldRequirement(requirement, `${field}.matchFields[${index}]`),
    ),
  ]
}

/** A wish: its weight, and its term. */
export function validatePreferredTerms(
  terms: readonly { weight?: number; preference?: NodeSelectorTerm }[],
  field: string,
): FieldError[] {
  return terms.flatMap(({ weight = 0, preference }, index) => [
    ...validateWeight(weight, `${field}[${index}].weight`),
    ...validateNodeSelectorTerm(preference ?? {}, `${field}[${index}].preference`),
  ])
}

/** How much a preference counts beside the others. */
export function validateWeight(weight: number, field: string): FieldError[] {
  return weight < 1 || weight > 100 ? [invalidField(field, weight, 'must be in the range 1-100')] : []
}

function validateLabelRequirement(
  { key = '', operator = '', values = [] }: Partial<Requirement>,
  field: string,
): FieldError[] {
  return [...validateOperator(operator, values, field), ...validateLabelKey(key, field)]
}

function validateOperator(operator: string, values: readonly string[], field: string): FieldError[] {
  if (operator !== 'Gt' && operator !== 'Lt') return validateSetOperator(operator, values, field)
  return values.length === 1
    ? []
    : [requiredField(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
}

const ONE_VALUE = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"

/** Nodes have one field that can be chosen by: their name. */
function validateFieldRequirement(
  { key = '', operator = '', values = [] }: Partial<Requirement>,
  field: string,
): FieldError[] {
  const known = operator === 'In' || operator === 'NotIn'
  const findings = known ? [] : [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  if (known && values.length !== 1) findings.push(requiredField(`${field}.values`, ONE_VALUE))
  if (key !== 'metadata.name') return [...findings, invalidField(`${field}.key`, key, 'not a valid field selector key')]
  return [
    ...findings,
    ...values.flatMap((value, index) =>
      checkSubdomain(value).map((problem) => invalidField(`${field}.values[${index}]`, value, problem)),
    ),
  ]
}
