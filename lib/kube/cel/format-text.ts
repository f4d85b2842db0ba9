/** `'%s has %d'.format([name, count])` */
import { CelArgumentError } from './argument-error'

/** Fills the verbs `%s %d %f %e %b %o %x %X %%`. Throws when verbs and values do not fit each other. */
export function formatText(pattern: string, values: readonly unknown[]): string {
  let next = 0
  return pattern.replaceAll(/%(?:\.(\d+))?(.)/gs, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%'
    if (next >= values.length) throw new CelArgumentError(`index ${next} out of range`)
    return formatOne(verb, values[next++], precision === undefined ? 6 : Number(precision))
  })
}

function formatOne(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(value)
    case 'd':
      return String(value)
    case 'f':
      return Number(value).toFixed(precision)
    case 'e':
      return Number(value).toExponential(precision)
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : (value as bigint).toString(2)
    case 'o':
      return (value as bigint).toString(8)
    case 'x':
      return hex(value)
    case 'X':
      return hex(value).toUpperCase()
    default:
      throw new CelArgumentError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`)
  }
}

function hex(value: unknown): string {
  if (typeof value !== 'string') return (value as bigint).toString(16)
  return [...value].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')).join('')
}

/** A value as `%s` shows it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (value instanceof Map) {
    return `{${[...value]
      .map(([key, child]) => `${textOf(key)}: ${textOf(child)}`)
      .toSorted()
      .join(', ')}}`
  }
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z')
  return String(value)
}
