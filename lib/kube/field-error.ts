/** Field errors, in the words of kube-apiserver. */
import { kubeError, type KubeError, type StatusCause } from './errors'
import type { Kind } from './kind'

/** One finding. `message` is what follows the field in the answer's text. */
export interface FieldError {
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'InternalError'
  field: string
  message: string
}

/** The field is missing. */
export function requiredField(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: `Required value${detail && `: ${detail}`}` }
}

/** The value breaks a rule. */
export function invalidField(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${quote(value)}${detail && `: ${detail}`}` }
}

/** The value has the wrong type; `typeName` is that of the value. */
export function wrongType(field: string, typeName: string, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, message: `Invalid value: ${quote(typeName)}: ${detail}` }
}

/** Reports a value that is not one of the supported values. */
export function unsupportedField(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const list = supported.map(quote).join(', ')
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${quote(value)}: supported values: ${list}`,
  }
}

/** Reports a value that is not one of the supported ones. What is absent has a default. */
export function validateChoice(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [unsupportedField(field, value, supported)]
}

/** Reports a value that occurs twice in a set. */
export function duplicateField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${quote(value)}` }
}

/** The field may not be set or changed. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` }
}

/** The referenced object or value does not exist. */
export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${quote(value)}` }
}

/** The server cannot judge the field. */
export function internalFieldError(field: string, detail: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${detail}` }
}

/** The text is longer than `limit` bytes. */
export function tooLongField(field: string, limit: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${limit} bytes` }
}

/** The list holds more than `limit` items. */
export function tooManyItems(field: string, count: number, limit: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${count}: must have at most ${limit} item${limit === 1 ? '' : 's'}`,
  }
}

/** Go's encoder escapes what HTML could misread; its quotes of texts do not. */
function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return typeof value === 'object' && value !== null ? text.replaceAll(/[<>&]/g, escaped) : text
}

const escaped = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`

/** An object may be wrong in as many places as it has fields; a longer answer helps no client. */
const MAX_TOLD = 1000

/** Each different finding once, in brackets when there are several; undefined when there is none. */
export function textOfFindings(findings: readonly FieldError[]): string | undefined {
  const texts = [...new Set(findings.slice(0, MAX_TOLD).map(({ field, message }) => `${field}: ${message}`))]
  if (findings.length > MAX_TOLD) texts.push(`and ${findings.length - MAX_TOLD} more`)
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts[0]
}

/**
 * The refusal (422) of an object for its findings. Each is a cause; the text lists each different one once, in brackets
 * when there are several.
 */
export function invalidError(
  kind: Pick<Kind, 'kind' | 'group'>,
  name: string,
  errors: readonly FieldError[],
): KubeError {
  const list = textOfFindings(errors) ?? '[]'
  const causes: StatusCause[] = errors
    .slice(0, MAX_TOLD)
    .map(({ reason, message, field }) => ({ reason, message, field }))
  const qualified = kind.group ? `${kind.kind}.${kind.group}` : kind.kind
  return kubeError(422, 'Invalid', `${qualified} ${JSON.stringify(name)} is invalid: ${list}`, {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    kind: kind.kind,
    causes,
  })
}
