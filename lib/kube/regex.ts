/** Regular expressions that users wrote: matched in linear time, with the syntax of Go (RE2). */
import { RE2JS } from 're2js'

/** Patterns come from definitions and rules, of which there are few; a limit keeps a flood of them from staying. */
const REMEMBERED = 1000
const known = new Map<string, Pattern>()

/** `found` caches the results for recent short strings, because the same amounts and names are matched repeatedly. */
interface Pattern {
  re2: RE2JS | undefined
  found: Map<string, boolean>
}

const MAX_REMEMBERED_LENGTH = 64

function patternOf(text: string): Pattern {
  const remembered = known.get(text)
  if (remembered) return remembered
  if (known.size >= REMEMBERED) known.clear()
  const made: Pattern = { re2: compile(text), found: new Map() }
  known.set(text, made)
  return made
}

function compiled(pattern: string): RE2JS | undefined {
  return patternOf(pattern).re2
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

/** True when the pattern can be compiled. */
export function isPattern(pattern: string): boolean {
  return compiled(pattern) !== undefined
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
