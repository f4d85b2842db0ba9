/** Parses a scenario. Reports all problems at once, each with its field and line. */
import type { z } from 'zod'
import { linesOfPaths, readDocument, type YamlPath } from '../../kube/yaml-document'
import { message, type Message } from '../../messages/message'
import { ownField } from '../../std/fields'
import {
  type Assertion,
  assertionKinds,
  assertionName,
  type StepAction,
  type Scenario,
  scenarioShape,
  type Step,
  stepTime,
  verbs,
} from './scenario'

/** Longer files are rejected before they are parsed. */
export const MAX_SCENARIO_LENGTH = 512 * 1024
/** Maximum number of problems reported; the last one counts the others. */
const MAX_PROBLEMS = 50

export type ReadScenario = { scenario: Scenario } | { problems: readonly Message[] }

interface Problem {
  path: YamlPath
  what: Message
}

/** Needed to distinguish a missing field from one of another type. */
const SHOWING_INPUT = { reportInput: true }

/** Never throws. */
export function readScenario(text: string): ReadScenario {
  if (text.length > MAX_SCENARIO_LENGTH) {
    return { problems: [message('rehearsal.input.tooLong', { limit: { bytes: MAX_SCENARIO_LENGTH } })] }
  }
  const read = readDocument(text, '1.2')
  if ('refused' in read) return { problems: [message('rehearsal.input.noYaml', { why: firstLine(read.refused) })] }
  const [repeated] = read.repeatedLines
  if (repeated !== undefined) return { problems: [message('rehearsal.input.repeatedKey', { line: repeated })] }
  const outcome = scenarioIn(read.value)
  if ('scenario' in outcome) return outcome
  const lines = linesOfPaths(
    text,
    outcome.problems.map(({ path }) => path),
  )
  return {
    problems: outcome.problems
      .slice(0, MAX_PROBLEMS)
      .map(({ path, what }, index) =>
        message('rehearsal.input.at', { line: lines[index] ?? 1, field: fieldOf(path), problem: what }),
      ),
  }
}

/** The parser adds an excerpt in further lines. */
const firstLine = (text: string): string => text.split('\n', 1)[0]!.replace(/:$/, '')

function scenarioIn(value: unknown): { scenario: Scenario } | { problems: Problem[] } {
  const shape = scenarioShape.safeParse(value, SHOWING_INPUT)
  if (!shape.success) return { problems: problemsIn(shape.error, []) }
  const { metadata, spec } = shape.data
  const problems: Problem[] = []
  const steps = spec.steps.flatMap((given, index) => stepIn(given, index, problems))
  const assertions = spec.assertions.flatMap((given, index) => assertionIn(given, index, problems))
  checkTimes(steps, spec.duration, problems)
  if (problems.length > 0) return { problems }
  const { duration: durationMs, settleWithin: settleWithinMs, seed, timing } = spec
  return { scenario: { ...metadata, durationMs, settleWithinMs, seed, timing, steps, assertions } }
}

/** Steps must be sorted by time, so that a scenario can be read from top to bottom. */
function checkTimes(steps: readonly Step[], durationMs: number, problems: Problem[]): void {
  let latest = 0
  for (const { index, atMs } of steps) {
    const path = ['spec', 'steps', index, 'at']
    if (atMs < latest) {
      problems.push({ path, what: message('rehearsal.input.backwards', { at: { ms: atMs }, before: { ms: latest } }) })
    }
    if (atMs > durationMs) {
      const args = { at: { ms: atMs }, duration: { ms: durationMs } }
      problems.push({ path, what: message('rehearsal.input.afterEnd', args) })
    }
    latest = Math.max(latest, atMs)
  }
}

function stepIn(given: unknown, index: number, problems: Problem[]): Step[] {
  const path = ['spec', 'steps', index]
  const parts = partsOf(given, ['at'], { path, problems })
  const time = parts && stepTime.safeParse(parts.own, SHOWING_INPUT)
  if (time && !time.success) problems.push(...problemsIn(time.error, path))
  const action = parts && taggedIn(parts.rest, verbs, { path, problems, unknown: 'verb' })
  return time?.success && action ? [{ index, atMs: time.data.at, action: action as StepAction }] : []
}

function assertionIn(given: unknown, index: number, problems: Problem[]): Assertion[] {
  const path = ['spec', 'assertions', index]
  const parts = partsOf(given, ['name'], { path, problems })
  const named = parts && assertionName.safeParse(parts.own, SHOWING_INPUT)
  if (named && !named.success) problems.push(...problemsIn(named.error, path))
  const assertion = parts && taggedIn(parts.rest, assertionKinds, { path, problems, unknown: 'assertion' })
  return named?.success && assertion ? [{ ...(assertion as Assertion), name: named.data.name ?? assertion.kind }] : []
}

type Entries = [key: string, value: unknown][]

/** Splits the fields of a list entry into those in `own` and all others. */
function partsOf(
  given: unknown,
  own: readonly string[],
  { path, problems }: Pick<Place, 'path' | 'problems'>,
): { own: object; rest: Entries } | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push({ path, what: message('rehearsal.input.type', { expected: 'object' }) })
    return undefined
  }
  const entries = Object.entries(given)
  return {
    own: Object.fromEntries(entries.filter(([key]) => own.includes(key))),
    rest: entries.filter(([key]) => !own.includes(key)),
  }
}

interface Place {
  path: YamlPath
  problems: Problem[]
  unknown: 'verb' | 'assertion'
}

/** Requires exactly one of the names of `schemas`, and parses its value with that schema. */
function taggedIn(
  given: Entries,
  schemas: Readonly<Record<string, z.ZodType>>,
  { path, problems, unknown }: Place,
): { kind: string; given: unknown } | undefined {
  const known = Object.keys(schemas)
  const strange = given.filter(([key]) => ownField(schemas, key) === undefined)
  for (const [key] of strange) {
    const what = message(`rehearsal.input.unknown.${unknown}`, { key: shown(key), known })
    problems.push({ path: [...path, key], what })
  }
  if (strange.length > 0) return undefined
  const [first] = given
  if (first === undefined || given.length > 1) {
    problems.push({ path, what: message(`rehearsal.input.one.${unknown}`, { count: given.length, known }) })
    return undefined
  }
  const [kind, value] = first
  // An entry without details is written as `nothingDeletedEverywhere:`.
  const parsed = ownField(schemas, kind)!.safeParse(value ?? {}, SHOWING_INPUT)
  if (parsed.success) return { kind, given: parsed.data }
  problems.push(...problemsIn(parsed.error, [...path, kind]))
  return undefined
}

const problemsIn = ({ issues }: z.ZodError, below: YamlPath): Problem[] =>
  issues.flatMap((issue) => {
    const path = [...below, ...(issue.path as (string | number)[])]
    if (issue.code !== 'unrecognized_keys') return [{ path, what: problemOf(issue) }]
    return issue.keys.map((key) => ({
      path: [...path, key],
      what: message('rehearsal.input.unknownField', { key: shown(key) }),
    }))
  })

const CUSTOM = ['duration', 'share', 'quantity', 'address', 'clusters', 'manifest', 'replicasOrShare'] as const
type Custom = (typeof CUSTOM)[number]
const isCustom = (text: string): text is Custom => (CUSTOM as readonly string[]).includes(text)

function problemOf(issue: z.core.$ZodIssue): Message {
  if (isCustom(issue.message)) return message(`rehearsal.input.${issue.message}`)
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? message('rehearsal.input.missing')
        : message('rehearsal.input.type', { expected: issue.expected })
    case 'invalid_value':
      return message('rehearsal.input.value', { allowed: issue.values.map(String) })
    case 'too_small':
      return message('rehearsal.input.tooSmall', { minimum: Number(issue.minimum) })
    case 'too_big':
      return message('rehearsal.input.tooBig', { maximum: Number(issue.maximum) })
    default:
      return message('rehearsal.input.invalid')
  }
}

/** Truncates user-defined names for messages. */
export const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Returns `spec.steps[2].at`. */
function fieldOf(path: YamlPath): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shown(key)}`)).join('')
  return text.replace(/^\./, '') || '.'
}
