/** Operators that label selectors and node selectors share. */
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error'
import { checkLabelValue, checkQualifiedName } from './formats'

/** Checks how many values the operator takes. An operator that is none of these is invalid. */
export function validateSetOperator(
  operator: string | undefined,
  values: readonly string[],
  field: string,
): FieldError[] {
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

/** Checks the name of a label. */
export function validateLabelKey(key: string, field: string): FieldError[] {
  return checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem))
}

/** Checks each value of a label. */
export function validateLabelValues(values: readonly string[], field: string): FieldError[] {
  return values.flatMap((value, index) =>
    checkLabelValue(value).map((problem) => invalidField(`${field}.values[${index}]`, value, problem)),
  )
}
