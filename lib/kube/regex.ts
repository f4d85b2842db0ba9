/** Regular expressions that users wrote: matched in linear time, with the syntax of Go (RE2). */
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Patterns come from definitions and rules, of which there are few; a limit keeps a flood of them from staying. */
const REMEMBERED = 1000
const known = new Map<string, Pattern>()

/** `found` caches the results for recent short strings, because the same amounts and names are matched repeatedly. */
interface Pattern {
  re2: RE2JS | undefined
  problem: string | undefined
  found: Map<string, boolean>
}

const MAX_REMEMBERED_LENGTH = 64

function patternOf(text: string): Pattern {
  const remembered = known.get(text)
  if (remembered) return remembered
  if (known.size >= REMEMBERED) known.clear()
  const made: Pattern = { ...compile(text), found: new Map() }
  known.set(text, made)
  return made
}

function compiled(pattern: string): RE2JS | undefined {
  return patternOf(pattern).re2
}

function compile(pattern: string): Pick<Pattern, 're2' | 'problem'> {
  try {
    return { re2: RE2JS.compile(pattern), problem: undefined }
  } catch (error) {
    return { re2: undefined, problem: `error parsing regexp: ${problemOf(error)}` }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof RE2JSSyntaxException) return `${error.getDescription()}: \`${error.getPattern() ?? ''}\``
  return error instanceof Error ? error.message : String(error)
}

/** Says why a pattern cannot be compiled, as Go does; undefined for a valid pattern. */
export function patternProblem(pattern: string): string | undefined {
  return patternOf(pattern).problem
}

/** Reports whether the text contains a match; undefined for an invalid pattern. */
export function patternFound(pattern: string, text: string): boolean | undefined {
  const { re2, found } = patternOf(pattern)
  const remembered = found.get(text)
  if (remembered !== undefined) return remembered
  const answer = re2?.matcher(text).find()
  if (answer === undefined || text.length > MAX_REMEMBERED_LENGTH) return answer
  if (found.size >= REMEMBERED) found.clear()
  found.set(text, answer)
  return answer
}

/** Returns the first `limit` matches, or all if it is negative; undefined for an invalid pattern. */
export function patternMatches(pattern: string, text: string, limit = -1): string[] | undefined {
  const matcher = compiled(pattern)?.matcher(text)
  if (!matcher) return undefined
  const found: string[] = []
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '')
  return found
}
