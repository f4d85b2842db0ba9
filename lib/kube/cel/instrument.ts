/** Makes a parsed expression safe to run: loops are counted, and patterns are matched in linear time. */
import { spend } from './budget'

/** The used part of a parsed expression. */
interface Node {
  op: string
  args: unknown
  /** The type that the checker found. */
  checkedType?: { kind: string; name: string }
  meta: { alternate?: Node }
  /** Position in the text of the expression. */
  start: number
  end: number
}

interface Loop {
  step: Node
  condition?: (accumulated: unknown) => boolean
}

/** The name under which `matches` with a linear-time engine is registered. */
export const LINEAR_MATCHES = 'matchesLinear'

/** How the names of types of schemas begin. */
export const SCHEMA_TYPE = 'object_'

/** Changes the nodes in place; an expression is instrumented once, right after parsing. */
export function instrument(root: unknown): void {
  if (!isNode(root)) return
  if (root.op === 'rcall') useLinearMatches(root)
  const { alternate } = root.meta
  if (alternate?.op === 'comprehension') countLoop(alternate.args as Loop)
  for (const child of childrenOf(root)) instrument(child)
}

/** The fields of every `has` in an expression. */
export function askedFor(root: unknown): Pick<Node, 'start' | 'end'>[] {
  if (!isNode(root)) return []
  const [name, [field] = []] = root.op === 'call' ? (root.args as [string, Node[]?]) : []
  return [...(name === 'has' && field ? [field] : []), ...childrenOf(root).flatMap(askedFor)]
}

/**
 * A selection in a checked expression of a field that its type cannot have, such as one of a time: the library accepts any
 * field of types that are registered without fields. Those of schemas have fields.
 */
export function plainSelection(root: unknown): { summary: string; node: Node } | undefined {
  if (!isNode(root)) return undefined
  const [target] = root.op === '.' ? (root.args as [Node]) : []
  const { kind, name } = target?.checkedType ?? { kind: '', name: '' }
  if (kind === 'message' && !name.startsWith(SCHEMA_TYPE)) return { summary: `Cannot index type '${name}'`, node: root }
  for (const child of childrenOf(root)) {
    const found = plainSelection(child)
    if (found) return found
  }
  return undefined
}

function useLinearMatches(call: Node): void {
  const args = call.args as [string, ...unknown[]]
  if (args[0] === 'matches') args[0] = LINEAR_MATCHES
}

/** The loop condition is evaluated before every iteration. */
function countLoop(loop: Loop): void {
  const { condition } = loop
  const steps = sizeOf(loop.step)
  loop.condition = (accumulated) => {
    spend(steps)
    return condition ? condition(accumulated) : true
  }
}

function sizeOf(node: unknown): number {
  return isNode(node) ? childrenOf(node).reduce((sum: number, child) => sum + sizeOf(child), 1) : 0
}

/** The parts of a node; some are no nodes. */
export function childrenOf(node: Node): unknown[] {
  return Array.isArray(node.args) ? node.args.flat(2) : [node.args]
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value
}
