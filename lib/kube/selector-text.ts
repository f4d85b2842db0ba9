/** Selectors as they are written in a query: `app=web,tier in (a,b),!old` and `metadata.name=web`. */
import { err, ok, type Result } from '@/lib/std/result'
import { type LabelOperator, type LabelRequirement, problemOf } from './selector'

/** One requirement on one field of an object. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

const TOKENS = /\s*(==|!=|[(),=!<>]|[^\s(),=!<>]+)/y
const SYMBOLS = new Set(['(', ')', ',', '=', '==', '!=', '!', '<', '>'])
const OPERATORS = 'in, notin, =, ==, !=, gt, lt'

/** Thrown inside this file only, to leave the recursive descent. */
class ParseFailure extends Error {}

class Tokens {
  private readonly tokens: string[] = []
  private position = 0

  constructor(text: string) {
    TOKENS.lastIndex = 0
    for (let match = TOKENS.exec(text); match; match = TOKENS.exec(text)) this.tokens.push(match[1]!)
  }
  peek(): string {
    return this.tokens[this.position] ?? ''
  }
  take(): string {
    const token = this.peek()
    this.position += 1
    return token
  }
  atEnd(): boolean {
    return this.position >= this.tokens.length
  }
  atWord(): boolean {
    return !this.atEnd() && !SYMBOLS.has(this.peek())
  }
}

/**
 * Parses a label selector. An empty text is the empty list, which matches everything. The error is the text that
 * kube-apiserver answers with (400).
 */
export function parseLabelSelector(text: string): Result<LabelRequirement[]> {
  try {
    return ok(parseRequirements(new Tokens(text)))
  } catch (error) {
    if (error instanceof ParseFailure) return err(error.message)
    throw error
  }
}

function parseRequirements(tokens: Tokens): LabelRequirement[] {
  const requirements: LabelRequirement[] = []
  while (!tokens.atEnd()) {
    if (!tokens.atWord() && tokens.peek() !== '!') {
      throw new ParseFailure(`found '${tokens.peek()}', expected: !, identifier, or 'end of string'`)
    }
    requirements.push(parseRequirement(tokens))
    if (tokens.atEnd()) break
    const separator = tokens.take()
    if (separator !== ',') throw new ParseFailure(`found '${separator}', expected: ',' or 'end of string'`)
    if (!tokens.atWord() && tokens.peek() !== '!') {
      throw new ParseFailure(`found '${tokens.peek()}', expected: identifier after ','`)
    }
  }
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const negated = tokens.peek() === '!'
  if (negated) tokens.take()
  if (!tokens.atWord()) throw refuse(`found '${tokens.peek()}', expected: identifier`)
  const key = tokens.take()
  const bare = tokens.atEnd() || tokens.peek() === ','
  const requirement =
    negated || bare
      ? { key, operator: negated ? ('DoesNotExist' as const) : ('Exists' as const), values: [] }
      : { key, ...parseComparison(tokens) }
  const problem = problemOf(requirement)
  if (problem) throw refuse(problem)
  return requirement
}

function parseComparison(tokens: Tokens): Pick<LabelRequirement, 'operator' | 'values'> {
  const word = tokens.take()
  const operator = operatorOf(word)
  if (!operator) throw refuse(`found '${word}', expected: ${OPERATORS}`)
  const values = word === 'in' || word === 'notin' ? parseValueSet(tokens) : [parseValue(tokens)]
  return { operator, values }
}

function operatorOf(word: string): LabelOperator | undefined {
  switch (word) {
    case 'in':
    case '=':
    case '==':
      return 'In'
    case 'notin':
    case '!=':
      return 'NotIn'
    case '>':
      return 'Gt'
    case '<':
      return 'Lt'
    default:
      return undefined
  }
}

function parseValue(tokens: Tokens): string {
  if (tokens.atEnd() || tokens.peek() === ',') return ''
  if (!tokens.atWord()) throw refuse(`found '${tokens.peek()}', expected: identifier`)
  return tokens.take()
}

function parseValueSet(tokens: Tokens): string[] {
  const open = tokens.take()
  if (open !== '(') throw refuse(`found '${open}' expected: '('`)
  const values = new Set<string>()
  if (tokens.peek() === ')') values.add('')
  for (;;) {
    const token = tokens.take()
    if (token === ')') return [...values].toSorted()
    if (token === ',') {
      if (tokens.peek() === ',' || tokens.peek() === ')') values.add('')
    } else if (token === '' || SYMBOLS.has(token)) throw refuse(`found '${token}', expected: ',', ')' or identifier`)
    else {
      values.add(token)
      if (tokens.peek() !== ',' && tokens.peek() !== ')') throw refuse(`found '${tokens.peek()}', expected: ',' or ')'`)
    }
  }
}

const refuse = (problem: string): ParseFailure => new ParseFailure(`unable to parse requirement: ${problem}`)

/**
 * Parses a field selector; `\\`, `\,` and `\=` stand for themselves in values. The error is the text that
 * kube-apiserver answers with (400).
 */
export function parseFieldSelector(text: string): Result<FieldRequirement[]> {
  const requirements: FieldRequirement[] = []
  for (const part of splitUnescaped(text)) {
    if (part === '' || part === '=' || part === '==') continue
    const match = /^(.*?)(!=|==|=)((?:[^\\,=]|\\[\\,=])*)$/.exec(part)
    if (!match) return err(`invalid selector: '${text}'; can't understand '${part}'`)
    requirements.push({
      field: match[1]!,
      operator: match[2] === '!=' ? '!=' : '=',
      value: match[3]!.replaceAll(/\\([\\,=])/g, '$1'),
    })
  }
  return ok(requirements)
}

function splitUnescaped(text: string): string[] {
  return text.match(/(?:[^\\,]|\\.)+/g) ?? []
}

/** True when every requirement holds; `read` gives the text of a field, empty when it has none. */
export function matchesFields(requirements: readonly FieldRequirement[], read: (field: string) => string): boolean {
  return requirements.every(({ field, operator, value }) => (read(field) === value) === (operator === '='))
}
