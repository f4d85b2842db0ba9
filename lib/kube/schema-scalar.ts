/** Checks of texts and numbers against their schema. */
import { type FieldError, invalidField, tooLongField, wrongType } from './field-error'
import { patternFound } from './regex'
import type { StructuralSchema } from './schema'
import { hasFormat } from './string-formats'

/** Position of a value: the path that names the field, and the path that the message repeats. */
export interface At {
  field: string
  /** Equal to `field`, except below `status` of the status subresource, where the real server leaves out `status.`. */
  body: string
  /** The former value; undefined if it is new. */
  old?: unknown
  /**
   * Only parts that are the former object itself count as unchanged, and no items of lists. Enough to see that nothing is
   * wrong; what is found may have been there before.
   */
  isQuick?: boolean
}

/** All findings about a value that is no list and no object; its type is right already. */
export function checkScalar(value: unknown, schema: StructuralSchema, at: At): readonly FieldError[] {
  if (typeof value === 'string') return checkText(value, schema, at)
  return typeof value === 'number' ? checkNumber(value, schema, at) : NONE
}

const NONE: readonly FieldError[] = []

function checkText(value: string, schema: StructuralSchema, at: At): readonly FieldError[] {
  const finding = checkForm(value, schema, at)
  const findings = finding ? [finding] : NONE
  const { format } = schema
  if (format === undefined || hasFormat(value, format)) return findings
  return [
    ...findings,
    wrongType(at.field, value, `${at.body} in body must be of type ${format}: ${JSON.stringify(value)}`),
  ]
}

/** Reports only the first violation of length and pattern. */
function checkForm(value: string, schema: StructuralSchema, at: At): FieldError | undefined {
  const { minLength = 0, maxLength = Infinity, pattern } = schema
  const length = minLength > 0 || maxLength < value.length ? [...value].length : value.length
  if (length > maxLength) return tooLongField(at.field, maxLength)
  if (length < minLength)
    return invalidField(at.field, value, `${at.body} in body should be at least ${minLength} chars long`)
  if (pattern === undefined || patternFound(pattern, value) !== false) return undefined
  return invalidField(at.field, value, `${at.body} in body should match '${pattern}'`)
}

function checkNumber(value: number, schema: StructuralSchema, at: At): FieldError[] {
  const problems = [multipleProblem(value, schema), boundProblem(value, schema)]
  const findings = problems
    .filter((problem) => problem !== undefined)
    .map((problem) => invalidField(at.field, value, `${at.body} in body ${problem}`))
  return fitsFormat(value, schema) ? findings : [...findings, tooLarge(schema, at)]
}

/** The real server does not say where. */
function tooLarge({ type, format }: StructuralSchema, { body }: At): FieldError {
  return invalidField('<nil>', '', `Checked value must be of type ${type} with format ${format} in ${body}`)
}

function boundProblem(value: number, schema: StructuralSchema): string | undefined {
  const { exclusiveMinimum, exclusiveMaximum } = schema
  // A whole number is compared with whole bounds.
  const bound = (given: number): number => (Number.isInteger(value) ? Math.trunc(given) : given)
  const [minimum, maximum] = [bound(schema.minimum ?? -Infinity), bound(schema.maximum ?? Infinity)]
  if (exclusiveMinimum && value <= minimum) return `should be greater than ${minimum}`
  if (value < minimum) return `should be greater than or equal to ${minimum}`
  if (exclusiveMaximum && value >= maximum) return `should be less than ${maximum}`
  return value > maximum ? `should be less than or equal to ${maximum}` : undefined
}

function multipleProblem(value: number, { multipleOf }: StructuralSchema): string | undefined {
  if (multipleOf === undefined || isWhole(value / multipleOf)) return undefined
  return `should be a multiple of ${multipleOf}`
}

/** Fractions such as 0.3 / 0.1 are whole but for the last bits. */
function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient))
}

function fitsFormat(value: number, schema: StructuralSchema): boolean {
  const bound = boundOf(schema)
  return bound === undefined || (value >= -bound - 1 && value <= bound)
}

function boundOf(schema: StructuralSchema): number | undefined {
  if (schema.format === 'int32') return 2 ** 31 - 1
  return schema.format === 'int64' ? Number.MAX_SAFE_INTEGER : undefined
}
