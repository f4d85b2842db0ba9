/**
 * What differs between two versions of an object, field by field. Lists of objects are compared by the key that Kubernetes
 * merges them by, so that a container that was added does not change those after it.
 */
import { deepEqual } from '@/lib/std/equal'

export interface FieldChange {
  /** For people: `spec.template.spec.containers[name=web].image`. */
  path: string
  /** For `applyChanges`. */
  steps: readonly Step[]
  /** Absent: the field was not there. */
  before?: unknown
  /** Absent: the field is gone. */
  after?: unknown
}

/** A field of an object, or an element of a list by its key. */
type Step = string | { key: string; value: unknown }

/** By which field the elements of a list are told apart, in this order. */
const KEYS = ['name', 'key', 'containerPort', 'port', 'mountPath', 'type', 'uid'] as const

type Fields = Readonly<Record<string, unknown>>

/** The fields that differ, in the order of `before`, then what is new. */
export function diffObjects(before: unknown, after: unknown, steps: readonly Step[] = []): FieldChange[] {
  if (deepEqual(before, after)) return []
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      diffObjects(own(before, name), own(after, name), [...steps, name]),
    )
  }
  const key = keyOf(before, after)
  if (key === undefined) {
    const change = { path: pathOf(steps), steps }
    return [{ ...change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
  }
  const [old, next] = [byKey(before as Fields[], key), byKey(after as Fields[], key)]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((value) =>
    diffObjects(old.get(value), next.get(value), [...steps, { key, value }]),
  )
}

/** The field by which both lists are told apart; undefined where they are no such lists. */
function keyOf(before: unknown, after: unknown): string | undefined {
  if (!isList(before) || !isList(after)) return undefined
  return KEYS.find((key) =>
    [before, after].every(
      (list) =>
        new Set(list.map((one) => one[key])).size === list.length && list.every((one) => one[key] !== undefined),
    ),
  )
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Fields[] => Array.isArray(value) && value.length > 0 && value.every(isFields)
const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)
const byKey = (list: readonly Fields[], key: string): Map<unknown, Fields> =>
  new Map(list.map((one) => [one[key], one]))

function pathOf(steps: readonly Step[]): string {
  let path = ''
  for (const step of steps) {
    if (typeof step === 'object') path += `[${step.key}=${String(step.value)}]`
    else path += /^[\w-]+$/.test(step) ? `${path === '' ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`
  }
  return path
}

export interface Rebased {
  object: unknown
  /** Fields that both changed; the edit wins, and its reader is told. */
  conflicts: FieldChange[]
}

/** The edit from `base` to `mine`, made on `theirs`. */
export function rebase(base: unknown, mine: unknown, theirs: unknown): Rebased {
  const changed = new Set(diffObjects(base, theirs).map(({ path }) => path))
  const changes = diffObjects(base, mine)
  const conflicts = changes.filter(({ path }) =>
    [...changed].some((other) => other === path || isWithin(other, path) || isWithin(path, other)),
  )
  return { object: changes.reduce((object, change) => applied(object, change.steps, change.after), theirs), conflicts }
}

const isWithin = (inner: string, outer: string): boolean =>
  inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)

/** A copy with the field set; undefined takes it away. */
function applied(value: unknown, steps: readonly Step[], after: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return after
  if (typeof step === 'object') {
    const list = isList(value) ? value : []
    const at = list.findIndex((one) => one[step.key] === step.value)
    const next = applied(at < 0 ? undefined : list[at], rest, after)
    if (at < 0) return next === undefined ? list : [...list, next]
    return next === undefined ? list.toSpliced(at, 1) : list.toSpliced(at, 1, next as Fields)
  }
  const fields = isFields(value) ? value : {}
  const next = applied(own(fields, step), rest, after)
  const kept = Object.entries(fields).filter(([name]) => name !== step)
  if (next === undefined) return Object.fromEntries(kept)
  // In its place, so that the YAML keeps its order.
  if (Object.hasOwn(fields, step)) {
    return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, name === step ? next : one]))
  }
  return Object.fromEntries([...kept, [step, next]])
}
