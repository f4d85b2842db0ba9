/** Finds what an expression reads of its variables, so that the rest of large objects need not be converted. */
import { childrenOf, isNode } from './instrument'

/** A value as a whole, or only these fields of it if it is an object. */
export type Reads = 'all' | Map<string, Reads>

/**
 * Returns what a parsed expression reads of each variable. A variable of a loop with the same name counts as the
 * variable, so that more may be named than is read, never less.
 */
export function readsOf(root: unknown): ReadonlyMap<string, Reads> {
  const variables = new Map<string, Reads>()
  collect(root, variables)
  return variables
}

function collect(node: unknown, into: Map<string, Reads>): void {
  if (!isNode(node)) return
  const path = pathOf(node)
  if (path) return add(into, path)
  for (const child of childrenOf(node)) collect(child, into)
}

/** The names from a variable to what is selected; undefined if this is no chain of selections by fixed names. */
function pathOf(node: unknown): string[] | undefined {
  if (!isNode(node)) return undefined
  if (node.op === 'id') return [node.args as string]
  if (node.op !== '.' && node.op !== '[]') return undefined
  const [target, key] = node.args as [unknown, unknown]
  const name = node.op === '.' ? key : fixedName(key)
  if (typeof name !== 'string') return undefined
  const path = pathOf(target)
  path?.push(name)
  return path
}

const fixedName = (key: unknown): unknown => (isNode(key) && key.op === 'value' ? key.args : undefined)

function add(into: Map<string, Reads>, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return
  const known = into.get(name)
  if (known === 'all') return
  if (rest.length === 0) return void into.set(name, 'all')
  const fields = known ?? new Map<string, Reads>()
  into.set(name, fields)
  add(fields, rest)
}
