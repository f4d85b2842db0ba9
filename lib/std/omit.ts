import { setField } from './fields'

/**
 * The object without the named fields. Built field by field: an object that a field is deleted from becomes a hash
 * table, which every copy and reading of it pays for.
 */
export function omit<T extends object, K extends keyof T>(object: T, ...names: readonly K[]): Omit<T, K> {
  if (!names.some((name) => Object.hasOwn(object, name))) return { ...object }
  const rest = {}
  const keep = (name: string | symbol): void => {
    if (!names.includes(name as K)) setField(rest, name, object[name as keyof T])
  }
  for (const name of Object.keys(object)) keep(name)
  for (const symbol of Object.getOwnPropertySymbols(object)) keep(symbol)
  return rest as Omit<T, K>
}
