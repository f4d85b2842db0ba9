/** Functions of Kubernetes' CEL environment on strings and regular expressions that standard CEL lacks. */
import type { Environment } from '@marcbachmann/cel-js'
import { patternFound, patternMatches } from '../regex'
import { CelArgumentError } from './argument-error'
import { spend } from './budget'
import { formatText } from './format-text'
import { LINEAR_MATCHES } from './instrument'
import { functionsOf } from './functions'

export function registerText(env: Environment): void {
  const add = functionsOf(env)
  add(`string.${LINEAR_MATCHES}(string): bool`, matches)
  add('matches(string, string): bool', matches)
  add('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '')
  add('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern, -1n))
  add('string.findAll(string, int): list<string>', findAll)
  add('string.charAt(int): string', charAt)
  add('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replaceSome(text, from, to, -1n),
  )
  add('string.replace(string, string, int): string', replaceSome)
  add('string.reverse(): string', (text: string) => [...text].toReversed().join(''))
  add('string.format(list<dyn>): string', formatText)
}

function matches(text: string, pattern: string): boolean {
  const found = patternFound(pattern, text)
  if (found === undefined) throw noPattern(pattern)
  return found
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const found = patternMatches(pattern, text, Number(limit))
  if (!found) throw noPattern(pattern)
  return found
}

function noPattern(pattern: string): CelArgumentError {
  return new CelArgumentError(`error parsing regexp: ${pattern}`)
}

function charAt(text: string, at: bigint): string {
  const letters = [...text]
  if (at < 0n || at > letters.length) throw new CelArgumentError(`index out of range: ${at}`)
  return letters[Number(at)] ?? ''
}

/** Ten characters cost as much as a step, as upstream: a chain of replacements may double a text with each. */
const CHARACTERS_PER_STEP = 10

function replaceSome(text: string, from: string, ...[to, times]: [string, bigint]): string {
  spend(text.length / CHARACTERS_PER_STEP)
  if (from === '' && times < 0n) {
    spend(((text.length + 1) * to.length) / CHARACTERS_PER_STEP)
    return text.replaceAll(from, () => to)
  }
  const parts = text.split(from)
  const count = times < 0n ? parts.length - 1 : Math.min(Number(times), parts.length - 1)
  spend((count * to.length) / CHARACTERS_PER_STEP)
  return (
    parts.slice(0, count + 1).join(to)
    + parts
      .slice(count + 1)
      .map((part) => from + part)
      .join('')
  )
}
