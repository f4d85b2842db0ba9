/** Fails to compile when a union is not handled completely; throws when a value slipped past the types. */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case: ${JSON.stringify(value)}`)
}
