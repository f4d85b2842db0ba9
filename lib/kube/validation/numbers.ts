/** Counts, ports and shares. */
import { type FieldError, invalidField } from '../field-error'

/** The value is missing, zero or more. */
export function validateCount(value: number | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidField(field, value, 'must be greater than or equal to 0')] : []
}

/** Several counts of one object at once: `field` is the path of the object. */
export function validateCounts(object: object, names: readonly string[], field: string): FieldError[] {
  const values = object as Readonly<Record<string, number | undefined>>
  return names.flatMap((name) => validateCount(values[name], `${field}.${name}`))
}

/** A port that can be reached. */
export function validatePort(value: number | undefined, field: string): FieldError[] {
  const port = value ?? 0
  return port >= 1 && port <= 65_535 ? [] : [invalidField(field, port, 'must be between 1 and 65535, inclusive')]
}

const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for "
  + "validation is '[0-9]+%')"

/** A count, or a share of a count such as `25%`. */
export function validateShare(value: number | string | undefined, field: string): FieldError[] {
  if (typeof value !== 'string') return validateCount(value, field)
  return /^[0-9]+%$/.test(value) ? [] : [invalidField(field, value, PERCENT_RULE)]
}

/** A share is at most the whole. */
export function validateShareOfWhole(value: number | string | undefined, field: string): FieldError[] {
  const findings = validateShare(value, field)
  const beyond = typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100
  return beyond ? [...findings, invalidField(field, value, 'must not be greater than 100%')] : findings
}

const PORT_NAME_RULES: readonly [RegExp, string][] = [
  [/^.{0,15}$/s, 'must be no more than 15 characters'],
  [/^[-a-z0-9]+$/, 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
  [/[a-z]/, 'must contain at least one letter (a-z)'],
  [/^(?!.*--)/, 'must not contain consecutive hyphens'],
  [/^(?!-)/, 'must not begin or end with a hyphen'],
]

/** The name of a port, as IANA writes service names. */
export function validatePortName(value: string, field: string): FieldError[] {
  const broken = PORT_NAME_RULES.filter(([rule]) => !rule.test(value)).map(([, text]) => text)
  if (value.endsWith('-') && !broken.includes('must not begin or end with a hyphen')) {
    broken.push('must not begin or end with a hyphen')
  }
  return broken.map((text) => invalidField(field, value, text))
}

/** A port by its number or by the name that a container gives it; one that is absent is 0. */
export function validatePortOrName(value: number | string = 0, field: string): FieldError[] {
  return typeof value === 'number' ? validatePort(value, field) : validatePortName(value, field)
}
