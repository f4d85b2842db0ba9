/** Removes nulls, because a null field is absent in Lua. */
export function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls) as T
  const kept = Object.entries(value).filter(([, child]) => child !== null && child !== undefined)
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutNulls(child as unknown)])) as T
}
