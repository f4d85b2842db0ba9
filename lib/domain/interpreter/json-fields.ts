/** Reads JSON leniently that was not validated against a schema. */
import type { Fields } from './shape'

/** Returns `value` if it is an object, otherwise an empty one. */
export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Returns the entries of `value` if it is a list, otherwise none. */
export function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn) : []
}
