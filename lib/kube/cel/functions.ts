import type { Environment } from '@marcbachmann/cel-js'

/** Adds one function by its signature, `string.find(string): string`; all are synchronous. */
export type AddFunction = (signature: string, handler: (...args: never[]) => unknown) => void

export function functionsOf(env: Environment): AddFunction {
  return (signature, handler) => void env.registerFunction(signature, handler, { async: false } as object)
}

/** Namespaces of functions such as `sets.contains`. */
export abstract class Library {
  abstract readonly name: string
}
