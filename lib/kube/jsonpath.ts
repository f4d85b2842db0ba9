/**
 * The JSONPath of printer columns: fields, indexes, `[*]`, and filters that compare a field with a text.
 * `.status.conditions[?(@.type=="Ready")].status` is typical.
 */
import { isFields } from '@/lib/std/fields'

type Step =
  | { kind: 'field'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'all' }
  | { kind: 'filter'; path: readonly Step[]; equal: boolean; value: unknown }

/** A compiled path: all values it selects from an object, in order. */
export type JsonPath = (root: unknown) => unknown[]

const FILTER = /\.?\[\?\(\s*@((?:\.[\w\\.-]+|\['[^']*'\])*)\s*(==|!=)\s*("[^"]*"|'[^']*'|[\w.+-]+)\s*\)\]/.source
const ACCESS = /\.?\[(\*)\]|\.?\[(-?\d+)\]|\.?\['((?:[^'\\]|\\.)*)'\]|\.(\*)|\.((?:[^.[\]\\]|\\.)+)/.source
const STEP = new RegExp(`${FILTER}|${ACCESS}`, 'y')

/** Compiles a path. Throws a SyntaxError for one that this subset cannot express. */
export function compileJsonPath(path: string): JsonPath {
  const steps = parseSteps(path.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, ''))
  return (root) => steps.reduce<unknown[]>((values, step) => values.flatMap((value) => advance(value, step)), [root])
}

/** A missing field of a strict path. */
export class JsonPathMiss extends Error {
  override readonly name = 'JsonPathMiss'
}

/**
 * A path that has to find something: throws a JsonPathMiss for a field that is not there or an index beyond the end.
 * Throws a SyntaxError at once for a path that cannot be read.
 */
export function compileStrictJsonPath(path: string): JsonPath {
  const steps = parseSteps(path.replace(/^\$/, ''))
  return (root) => steps.reduce<unknown[]>((values, step) => values.flatMap((value) => found(value, step)), [root])
}

function found(value: unknown, step: Step): unknown[] {
  const next = advance(value, step)
  if (next.length > 0) return next
  if (step.kind === 'field') throw new JsonPathMiss(`${step.name} is not found`)
  if (step.kind === 'index' && Array.isArray(value)) {
    throw new JsonPathMiss(`array index out of bounds: index ${step.index}, length ${value.length}`)
  }
  return []
}

function parseSteps(path: string): Step[] {
  const steps: Step[] = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex
    const match = STEP.exec(path)
    if (!match) throw new SyntaxError(`cannot read JSONPath ${JSON.stringify(path)} at ${at}`)
    steps.push(stepOf(match))
  }
  return steps
}

function stepOf(match: RegExpExecArray): Step {
  const [, filter, operator, literal, all, index, quoted, wildcard, name] = match
  if (filter !== undefined) {
    const end = STEP.lastIndex
    const step: Step = {
      kind: 'filter',
      path: parseSteps(filter),
      equal: operator === '==',
      value: literalOf(literal!),
    }
    STEP.lastIndex = end
    return step
  }
  if (all !== undefined || wildcard !== undefined) return { kind: 'all' }
  if (index !== undefined) return { kind: 'index', index: Number(index) }
  return { kind: 'field', name: (quoted ?? name!).replaceAll(/\\(.)/g, '$1') }
}

function literalOf(text: string): unknown {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return Number.isNaN(Number(text)) ? text : Number(text)
}

function advance(value: unknown, step: Step): unknown[] {
  switch (step.kind) {
    case 'field':
      return isFields(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
    case 'index':
      return Array.isArray(value) && value.at(step.index) !== undefined ? [value.at(step.index)] : []
    case 'all':
      return Array.isArray(value) ? value : isFields(value) ? Object.values(value) : []
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => passes(item, step)) : []
  }
}

function passes(item: unknown, filter: Extract<Step, { kind: 'filter' }>): boolean {
  const found = filter.path.reduce<unknown[]>((values, step) => values.flatMap((value) => advance(value, step)), [item])
  return found.length > 0 && (found[0] === filter.value) === filter.equal
}
