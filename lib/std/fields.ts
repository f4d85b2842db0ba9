/**
 * Access to objects whose field names come from requests. `__proto__`, `constructor` and the like are ordinary names
 * and never reach a prototype. `plain-keys.test.ts` requires these functions where a name is computed.
 */

/** True for an object that is no list. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an own field of the object; undefined for inherited ones. */
export function ownField<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined
export function ownField(fields: object, name: string): unknown
export function ownField(fields: object, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Compiles `ownField` for one name and the objects of a parser: whether their prototype has it is checked once. */
export function ownFieldReader<T>(name: string): (fields: Readonly<Record<string, T>>) => T | undefined {
  return name in Object.prototype ? (fields) => ownField(fields, name) : (fields) => fields[name]
}

/** Sets an own field. A plain assignment to `__proto__` would replace the object's prototype. */
export function setField(fields: object, name: string | symbol, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, ...PLAIN })
  else (fields as Record<string | symbol, unknown>)[name] = value
}

/** Deletes an own field; returns whether it existed. */
export function removeField(fields: object, name: string): boolean {
  return Object.hasOwn(fields, name) && delete (fields as Record<string, unknown>)[name]
}

const PLAIN = { enumerable: true, writable: true, configurable: true }
