/** Freezes a JSON value and everything in it. Throws TypeError for a field without a value, which JSON does not have. */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) throw new TypeError(`the field ${name} is there without a value`)
    freezeDeeply(field)
  }
  return value
}
