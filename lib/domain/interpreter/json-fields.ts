/** Lenient reading of JSON that was not validated against a schema. */
import type { Fields } from './shape'

/** `value` when it is an object, else an empty one. */
export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The entries of `value` when it is a list, else none. */
export function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn) : []
}
