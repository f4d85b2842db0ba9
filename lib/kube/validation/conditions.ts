/** The rules of conditions in a status, as kube-apiserver has them for kinds that use its common type. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from '../field-error'
import { checkQualifiedName } from './formats'

interface Condition {
  type?: string
  status?: string
  observedGeneration?: number
  lastTransitionTime?: string | null
  reason?: string
  message?: string
}

const STATUSES = ['False', 'True', 'Unknown']
const MAX_REASON_LENGTH = 1024
const MAX_MESSAGE_LENGTH = 32 * 1024
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const REASON_RULE =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', "
  + "and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  "
  + "or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"

/** Each type occurs once, with a status, a reason and the time of its last change. */
export function validateConditions(conditions: readonly Condition[], field: string): FieldError[] {
  const isRepeated = repeats()
  return conditions.flatMap((condition, index) => [
    ...(isRepeated(condition.type ?? '') ? [duplicateField(`${field}[${index}].type`, condition.type ?? '')] : []),
    ...validateCondition(condition, `${field}[${index}]`),
  ])
}

function validateCondition(condition: Condition, field: string): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition
  const negative = 'must be greater than or equal to zero'
  return [
    ...checkQualifiedName(type).map((problem) => invalidField(`${field}.type`, type, problem)),
    ...(STATUSES.includes(status) ? [] : [unsupportedField(`${field}.status`, status, STATUSES)]),
    ...(observedGeneration < 0 ? [invalidField(`${field}.observedGeneration`, observedGeneration, negative)] : []),
    ...(lastTransitionTime ? [] : [requiredField(`${field}.lastTransitionTime`)]),
    ...validateReason(reason, `${field}.reason`),
    ...(message.length > MAX_MESSAGE_LENGTH ? [tooLongField(`${field}.message`, MAX_MESSAGE_LENGTH)] : []),
  ]
}

function validateReason(reason: string, field: string): FieldError[] {
  if (reason === '') return [requiredField(field)]
  return [
    ...(REASON.test(reason) ? [] : [invalidField(field, reason, REASON_RULE)]),
    ...(reason.length > MAX_REASON_LENGTH ? [tooLongField(field, MAX_REASON_LENGTH)] : []),
  ]
}
