/** Errors of the evaluator in the words of Go's CEL, as in kube-apiserver. */
import { LINEAR_MATCHES } from './instrument'

/** A failure as the evaluator throws it. */
interface Located {
  summary: string
  range?: { start: number }
  node?: { op?: string; args?: unknown }
}

const REWORDED: readonly [RegExp, string][] = [
  [/^Unknown variable: (.*)$/s, "undeclared reference to '$1' (in container '')"],
  [/^No such key: (.*)$/s, "undefined field '$1'"],
  [/^Cannot index type '(.*)'$/s, "type '$1' does not support field selection"],
  [/^no such overload: (\S+) (\S+) (\S+)$/, "found no matching overload for '_$2_' applied to '($1, $3)'"],
  [/^no such overload: (!|-)(\S+)$/, "found no matching overload for '$1_' applied to '($2)'"],
  [
    /^found no matching overload for '([^']+)\.(\w+)\((.*)\)'$/s,
    "found no matching overload for '$2' applied to '$1.($3)'",
  ],
  [/^found no matching overload for '(\w+)\((.*)\)'$/s, "found no matching overload for '$1' applied to '($2)'"],
]

/** Why an expression could not be compiled, with the place where. */
export function compilationText(expression: string, error: unknown): string {
  const located = locate(error)
  const { summary } = located
  const { line, column, text } = placeOf(expression, startOf(expression, located))
  const pointer = `${'.'.repeat(column)}^`
  return `compilation failed: ERROR: <input>:${line}:${column + 1}: ${reword(summary)}\n | ${text}\n | ${pointer}`
}

/** Why an expression gave no value. */
export function evaluationText(error: unknown): string {
  const { summary } = locate(error)
  return summary
    .replace(/^No such key: index out of bounds, index (-?\d+).*$/, 'index out of bounds: $1')
    .replace(/^No such key: /, 'no such key: ')
    .replace(/^found no matching overload.*/s, 'no such overload')
    .replace(/^modulo by zero/, 'modulus by zero')
}

const OPERATORS = new Set(['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', 'in', '&&', '||'])

/** An operation is where its operator is, a call where its parenthesis opens, a field where its dot is. */
function startOf(expression: string, { range, node }: Located): number {
  const start = range?.start ?? 0
  const [first, second] = Array.isArray(node?.args) ? (node.args as { end?: number }[]) : []
  if (node?.op && OPERATORS.has(node.op) && first?.end !== undefined) return expression.indexOf(node.op, first.end)
  if (node?.op === 'call') return expression.indexOf('(', start)
  if (node?.op === 'rcall' && second?.end !== undefined) return expression.indexOf('(', second.end)
  return node?.op === '.' && first?.end !== undefined ? expression.indexOf('.', first.end) : start
}

function reword(summary: string): string {
  const plain = renamed(summary.replaceAll(LINEAR_MATCHES, 'matches'))
  const rule = REWORDED.find(([pattern]) => pattern.test(plain))
  return rule ? plain.replace(rule[0], rule[1]) : plain
}

/** Names of types of the evaluator as Go's CEL writes them. */
const TYPES: readonly [RegExp, string][] = [
  [/\bgoogle\.protobuf\.Timestamp\b/g, 'timestamp'],
  [/\bgoogle\.protobuf\.Duration\b/g, 'duration'],
  [/\b(list|map)<([^<>]*)>/g, '$1($2)'],
  [/\boptional<([^<>]*)>/g, 'optional_type($1)'],
]

function renamed(summary: string): string {
  const next = TYPES.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), summary)
  return next === summary ? summary : renamed(next)
}

function locate(error: unknown): Located {
  if (typeof error !== 'object' || error === null) return { summary: String(error) }
  const { message = '', summary = message, range, node } = error as Partial<Error & Located>
  return { summary, ...(range && { range }), ...(node && { node }) }
}

function placeOf(expression: string, start: number): { line: number; column: number; text: string } {
  const before = expression.slice(0, start).split('\n')
  const text = expression.split('\n')[before.length - 1] ?? ''
  return { line: before.length, column: before.at(-1)?.length ?? 0, text }
}
