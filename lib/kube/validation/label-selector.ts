import { type FieldError, invalidField } from '../field-error'
import { emptyOrNull } from '../go-encoding'
import type { PodTemplate } from '../kinds'
import type { LabelSelectorLike } from '../selector'
import { validateLabels } from './object-meta'
import { validateLabelKey, validateLabelValues, validateSetOperator } from './set-operators'

/** Validates a label selector. */
export function validateLabelSelector(selector: LabelSelectorLike | undefined, field: string): FieldError[] {
  const expressions = selector?.matchExpressions ?? []
  return [
    ...validateLabels(selector?.matchLabels, `${field}.matchLabels`),
    ...expressions.flatMap((expression, index) => checkExpression(expression, `${field}.matchExpressions[${index}]`)),
  ]
}

type Expression = NonNullable<LabelSelectorLike['matchExpressions']>[number]

function checkExpression({ key = '', operator, values = [] }: Expression, field: string): FieldError[] {
  return [
    ...validateSetOperator(operator, values, field),
    ...validateLabelKey(key, field),
    ...validateLabelValues(values, field),
  ]
}

/** The finding that a selector does not match the labels of its template, which are repeated as they were sent. */
export function unmatchedLabels(template: PodTemplate | undefined): FieldError {
  const labels = template?.metadata?.labels ?? emptyOrNull(template?.metadata, 'labels')
  return invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')
}
