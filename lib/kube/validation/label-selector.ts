import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import { emptyOrNull } from '../go-encoding'
import type { PodTemplate } from '../kinds'
import type { LabelSelectorLike } from '../selector'
import { checkLabelValue, checkQualifiedName } from './formats'
import { validateLabels } from './object-meta'

/** Validates a label selector. */
export function validateLabelSelector(selector: LabelSelectorLike | undefined, field: string): FieldError[] {
  const expressions = selector?.matchExpressions ?? []
  return [
    ...validateLabels(selector?.matchLabels, `${field}.matchLabels`),
    ...expressions.flatMap((expression, index) => checkExpression(expression, `${field}.matchExpressions[${index}]`)),
  ]
}

type Expression = NonNullable<LabelSelectorLike['matchExpressions']>[number]

function checkExpression({ key, operator, values = [] }: Expression, field: string): FieldError[] {
  return [
    ...checkOperator(operator, values, field),
    ...checkQualifiedName(key ?? '').map((problem) => invalidField(`${field}.key`, key ?? '', problem)),
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalidField(`${field}.values[${index}]`, value, problem)),
    ),
  ]
}

function checkOperator(operator: string, values: readonly string[], field: string): FieldError[] {
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
    default:
      return [invalidField(`${field}.operator`, operator ?? '', 'not a valid selector operator')]
  }
}

/** The finding that a selector does not match the labels of its template, which are repeated as they were sent. */
export function unmatchedLabels(template: PodTemplate | undefined): FieldError {
  const labels = template?.metadata?.labels ?? emptyOrNull(template?.metadata, 'labels')
  return invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')
}
