/**
 * Renders the chart without helm: the part of its template language that the templates keep to. Whatever else they use
 * is an error here, so that they stay simple enough to be tested everywhere.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

type Scope = Readonly<Record<string, unknown>>

/** Objects by template, in the order in which they stand. */
export function renderChart(folder: string, values: object = {}): Record<string, Record<string, unknown>[]> {
  const read = (name: string): Record<string, unknown> =>
    parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
  const { appVersion, version } = read('Chart.yaml')
  const root: Scope = {
    Values: merged(read('values.yaml'), values),
    Chart: { AppVersion: appVersion, Version: version },
    Release: { Name: 'evenkeel', Namespace: 'evenkeel-system' },
    Files: { Get: (name: string) => readFileSync(join(folder, name), 'utf8') },
  }
  const names = readdirSync(join(folder, 'templates'))
  return Object.fromEntries(
    names.map((name) => [name, objectsIn(renderTemplate(readFileSync(join(folder, 'templates', name), 'utf8'), root))]),
  )
}

function objectsIn(text: string): Record<string, unknown>[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error) throw error
    const object: unknown = document.toJS()
    return object === null ? [] : [object as Record<string, unknown>]
  })
}

function merged(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over === undefined ? base : over
  const names = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], over[name])]))
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Node = { text: string } | { expression: string } | { block: string; body: Node[]; otherwise: Node[] }

/** The text of one template. Throws for what is not understood. */
export function renderTemplate(template: string, root: Scope): string {
  const trimmed = template.replace(/\s*\{\{-/g, '{{').replace(/-\}\}\s*/g, '}}')
  const pieces = trimmed.split(/(\{\{.*?\}\})/s).filter((piece) => piece !== '')
  const { nodes, rest } = parseNodes(pieces)
  if (rest.length > 0) throw new Error(`nothing begins what ${String(rest[0])} ends`)
  return nodes.map((node) => renderNode(node, root)).join('')
}

function parseNodes(pieces: readonly string[]): { nodes: Node[]; rest: readonly string[] } {
  const nodes: Node[] = []
  let left = pieces
  while (left[0] !== undefined) {
    const inner = /^\{\{\s*(.*?)\s*\}\}$/s.exec(left[0])?.[1]
    if (inner === 'end' || inner === 'else') return { nodes, rest: left }
    const [piece, ...after] = left as [string, ...string[]]
    left = after
    if (inner === undefined) nodes.push({ text: piece })
    else if (!/^(if|range)\s/.test(inner)) nodes.push({ expression: inner })
    else {
      const block = parseBlock(inner, left)
      nodes.push(block.node)
      left = block.rest
    }
  }
  return { nodes, rest: left }
}

function parseBlock(block: string, pieces: readonly string[]): { node: Node; rest: readonly string[] } {
  const isElse = (piece: string | undefined): boolean => /^\{\{\s*else\s*\}\}$/.test(piece ?? '')
  const body = parseNodes(pieces)
  const otherwise = isElse(body.rest[0]) ? parseNodes(body.rest.slice(1)) : { nodes: [], rest: body.rest }
  if (otherwise.rest.length === 0) throw new Error(`nothing ends {{ ${block} }}`)
  return { node: { block, body: body.nodes, otherwise: otherwise.nodes }, rest: otherwise.rest.slice(1) }
}

function renderNode(node: Node, scope: Scope): string {
  if ('text' in node) return node.text
  if ('expression' in node) return printed(evaluate(node.expression, scope))
  const all = (nodes: Node[], inner: Scope): string => nodes.map((each) => renderNode(each, inner)).join('')
  const [, keyword, rest = ''] = /^(if|range)\s+(.*)$/s.exec(node.block) ?? []
  if (keyword === 'if') return isTrue(evaluate(rest, scope)) ? all(node.body, scope) : all(node.otherwise, scope)
  const [, name, value, source = ''] = /^(\$\w+),\s*(\$\w+)\s*:=\s*(.*)$/.exec(rest) ?? []
  if (name === undefined || value === undefined) {
    throw new Error(`only {{ range $name, $value := … }} is understood, not {{ ${node.block} }}`)
  }
  // Helm goes through maps by key.
  const entries = Object.entries(evaluate(source, scope) as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, each]) => all(node.body, { ...scope, [name]: key, [value]: each })).join('')
}

const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isMap(value) ? Object.keys(value).length > 0 : Boolean(value)

function printed(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`only texts, numbers and booleans can be printed, not ${JSON.stringify(value)}`)
}

const FUNCTIONS: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  quote: (value) => JSON.stringify(printed(value)),
  default: (instead, value) => (isTrue(value) ? value : instead),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (count, text) =>
    `\n${printed(text)
      .split('\n')
      .map((line) => ' '.repeat(count as number) + line)
      .join('\n')}`,
  contains: (part, text) => printed(text).includes(printed(part)),
  join: (separator, list) => (list as unknown[]).join(separator as string),
}

/** A pipeline: the result of each command is the last argument of the next. */
function evaluate(pipeline: string, scope: Scope): unknown {
  let result: unknown
  for (const [index, command] of pipeline.split(/\s*\|\s*/).entries()) {
    const words = command.match(/"[^"]*"|\S+/g) ?? []
    const [head = ''] = words
    const args = words.slice(1).map((word) => valueOf(word, scope))
    if (index > 0) args.push(result)
    const called = FUNCTIONS[head] ?? methodOf(head, scope)
    if (!called && (words.length !== 1 || index > 0)) {
      throw new Error(`{{ ${pipeline} }} uses ${head}, which is not understood`)
    }
    result = called ? called(...args) : valueOf(head, scope)
  }
  return result
}

/** `.Files.Get` is the only one. */
const methodOf = (head: string, scope: Scope): ((...args: unknown[]) => unknown) | undefined =>
  head === '.Files.Get' ? (valueOf(head, scope) as (name: unknown) => string) : undefined

function valueOf(word: string, scope: Scope): unknown {
  if (word.startsWith('"')) return JSON.parse(word)
  if (/^\d+$/.test(word)) return Number(word)
  const path = word.startsWith('$') ? [word] : /^(\.\w+)+$/.test(word) ? word.slice(1).split('.') : undefined
  if (!path) throw new Error(`"${word}" is not understood`)
  return path.reduce<unknown>((at, name) => {
    if (isMap(at) && name in at) return at[name]
    throw new Error(`there is no ${word}`)
  }, scope)
}
