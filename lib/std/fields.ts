/**
 * Access to objects whose field names come from requests. `__proto__`, `constructor` and the like are names as any
 * other: never a way to a prototype. `plain-keys.test.ts` requires these functions where a name is computed.
 */

/** The value of a field that the object itself has; undefined for what it would inherit. */
export function ownField<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined
export function ownField(fields: object, name: string): unknown
export function ownField(fields: object, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Sets a field of the object itself. An assignment to `__proto__` would exchange the object's prototype instead. */
export function setField(fields: object, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, ...PLAIN })
  else (fields as Record<string, unknown>)[name] = value
}

/** Takes a field of the object itself away; returns whether it was there. */
export function removeField(fields: object, name: string): boolean {
  return Object.hasOwn(fields, name) && delete (fields as Record<string, unknown>)[name]
}

const PLAIN = { enumerable: true, writable: true, configurable: true }
