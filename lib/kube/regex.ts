/** Regular expressions that users wrote: matched in linear time, with the syntax of Go (RE2). */
import { RE2JS } from 're2js'

/** Patterns come from definitions and rules, of which there are few; a limit keeps a flood of them from staying. */
const REMEMBERED = 1000
const known = new Map<string, RE2JS | undefined>()

function compiled(pattern: string): RE2JS | undefined {
  if (known.has(pattern)) return known.get(pattern)
  if (known.size >= REMEMBERED) known.clear()
  const made = compile(pattern)
  known.set(pattern, made)
  return made
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

/** True when the pattern is found anywhere in the text; undefined for something that is no pattern. */
export function patternFound(pattern: string, text: string): boolean | undefined {
  return compiled(pattern)?.matcher(text).find()
}

/** The first `limit` matches, all when it is negative; undefined for something that is no pattern. */
export function patternMatches(pattern: string, text: string, limit = -1): string[] | undefined {
  const matcher = compiled(pattern)?.matcher(text)
  if (!matcher) return undefined
  const found: string[] = []
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '')
  return found
}
