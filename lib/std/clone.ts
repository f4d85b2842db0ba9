import { setField } from './fields'

/** A deep copy of a JSON value, sharing nothing with it. */
export function cloneJson<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null) return value
  const fields = {}
  for (const name of Object.keys(value)) setField(fields, name, copy((value as Record<string, unknown>)[name]))
  return fields
}
