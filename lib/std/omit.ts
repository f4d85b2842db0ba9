/** The object without the named fields. */
export function omit<T extends object, K extends keyof T>(object: T, ...names: readonly K[]): Omit<T, K> {
  const rest = { ...object }
  for (const name of names) delete rest[name]
  return rest
}
