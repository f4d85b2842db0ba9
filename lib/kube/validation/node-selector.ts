/** The rules of terms that choose nodes. */
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import type { NodeSelectorTerm } from '../kinds'
import { checkLabelValue, checkQualifiedName, checkSubdomain } from './formats'

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
      return [...validateLabelRequirement(requirement, at), ...(withValues ? validateLabelValues(requirement, at) : [])]
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
  return [
    ...validateValues(operator, values, field),
    ...checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)),
  ]
}

function validateLabelValues({ values = [] }: Requirement, field: string): FieldError[] {
  return values.flatMap((value, index) =>
    checkLabelValue(value).map((problem) => invalidField(`${field}.values[${index}]`, value, problem)),
  )
}

function validateValues(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [requiredField(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [requiredField(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  }
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
