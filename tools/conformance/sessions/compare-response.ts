/** Compares a response with the recorded one. All permitted differences are defined here. */
import { type Bindings, difference, fill } from './placeholders'
import { atPointer, type RecordedResponse, type RecordedStep } from './recorded-case'
import type { Received } from './requests'

/** Returns where and how a response differs from the recorded one; undefined if it does not. Binds placeholders. */
export function compareResponse(
  step: RecordedStep,
  expected: RecordedResponse,
  received: Received,
  bindings: Bindings,
): string | undefined {
  if (expected.status !== received.status) {
    return `: status ${received.status} instead of ${expected.status}: ${received.text.slice(0, 300)}`
  }
  if (expected.reached === true && received.reached === false) return ': the awaited state was not reached'
  return compareHeaders(step, expected, received, bindings) ?? compareBody(step, expected, received, bindings)
}

/** Headers whose presence and absence both matter. */
const TELLING = ['Retry-After', 'Allow', 'Location', 'WWW-Authenticate']
/** Headers whose value is a hash of the content: only that they are there counts. */
const HASHES = new Set(['Etag'])

function compareHeaders(
  step: RecordedStep,
  expected: RecordedResponse,
  received: Received,
  bindings: Bindings,
): string | undefined {
  const { 'Content-Type': type, Warning: warning, ...others } = expected.headers ?? {}
  const media = (text: unknown): string =>
    String(text ?? '')
      .split(';')[0]
      ?.trim() ?? ''
  if (type !== undefined && media(type) !== media(received.headers.get('content-type'))) {
    return ` Content-Type: ${received.headers.get('content-type')} instead of ${String(type)}`
  }
  const warnings = [warning ?? []]
    .flat()
    .map((text) => fill(text, bindings))
    .join(', ')
  if (warnings !== (received.headers.get('warning') ?? '')) {
    return ` Warning: ${received.headers.get('warning')} instead of ${warnings}`
  }
  const names = new Set([...Object.keys(others), ...TELLING])
  for (const name of names) {
    if (name === 'Transfer-Encoding' && step.op !== 'watch') continue
    if (HASHES.has(name) && received.headers.has(name)) continue
    const found = difference([others[name] ?? null].flat()[0], received.headers.get(name), bindings, ` ${name}`)
    if (found) return found
  }
  return undefined
}

function compareBody(
  step: RecordedStep,
  expected: RecordedResponse,
  received: Received,
  bindings: Bindings,
): string | undefined {
  if (expected.events) return compareStream(step, expected, received, bindings)
  if (expected.text !== undefined) return compareText(expected, received, bindings)
  // Causes are compared as a set, because their order differs between two runs.
  const unstable = (step.unstable ?? [])
    .filter((pointer) => !/\/causes\/\d+\//.test(pointer))
    .map((pointer) => pointer.replace(/^\/body/, ''))
  const body = step.keepManagedFields ? received.body : withoutManagedFields(received.body)
  if (expected.bodyParts) return compareParts(expected.bodyParts, body, unstable, bindings)
  if (expected.bodyPick) return comparePick(step, expected.bodyPick, body, bindings)
  if (expected.bodyShape !== undefined) return shapeDifference(expected.bodyShape, body)
  return (
    difference(settled(without(expected.body, unstable)), settled(without(body, unstable)), bindings)
    ?? listVersionProblem(expected.body, body)
  )
}

/** Order and counts that a server may choose. */
function settled(body: unknown): unknown {
  const { kind, resources } = (body ?? {}) as { kind?: string; resources?: { name: string; verbs?: string[] }[] }
  // Custom groups list `delete` first, in any order.
  if (kind !== 'APIResourceList' || !resources?.some(({ verbs }) => verbs?.[0] === 'delete')) return body
  return { ...(body as object), resources: resources.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** A list is at least as new as each of its items. */
function listVersionProblem(expected: unknown, body: unknown): string | undefined {
  if (atPointer(expected, '/metadata/resourceVersion') !== '{{listrv}}') return undefined
  const newest = Number(atPointer(body, '/metadata/resourceVersion'))
  const items = (atPointer(body, '/items') as unknown[] | undefined) ?? []
  const later = items.find((item) => Number(atPointer(item, '/metadata/resourceVersion')) > newest)
  return later === undefined ? undefined : `: an item is newer than its list (${newest})`
}

function compareStream(
  step: RecordedStep,
  expected: RecordedResponse,
  received: Received,
  bindings: Bindings,
): string | undefined {
  const streamed = (end: string | undefined): boolean => end !== 'not a stream'
  if (streamed(expected.end) !== streamed(received.end)) return ` end: ${received.end} instead of ${expected.end}`
  if (!streamed(expected.end)) return compareBody(step, { ...expected, events: undefined }, received, bindings)
  const closed = (end: string | undefined): boolean => end === 'server closed'
  if (closed(expected.end) !== closed(received.end)) return ` end: ${received.end} instead of ${expected.end}`
  const unstable = step.unstable ?? []
  if (unstable.includes('/events')) {
    const ends = (events: RecordedResponse['events']): number => (events ?? []).filter(marksInitialEnd).length
    return ends(expected.events) === ends(received.events) ? undefined : ': the initial events end once'
  }
  const view = (events: RecordedResponse['events']): unknown =>
    without({ events: (events ?? []).filter(isEssential).map(comparable) }, unstable)
  return difference(view(expected.events), view(received.events), bindings)
}

interface StreamEvent {
  type: string
  object: unknown
}

/** Plain bookmarks may be sent at any time. */
function isEssential(event: StreamEvent): boolean {
  return event.type !== 'BOOKMARK' || marksInitialEnd(event)
}

function marksInitialEnd({ type, object }: StreamEvent): boolean {
  return type === 'BOOKMARK' && JSON.stringify(object).includes('k8s.io/initial-events-end')
}

/** The revision of a bookmark is the server's own business. */
function comparable(event: StreamEvent): unknown {
  const plain = withoutManagedFields(event)
  return event.type === 'BOOKMARK' ? without(plain, ['/object/metadata/resourceVersion']) : plain
}

const HEALTH_LINE = /^\[[+-]\]\S+ /

function compareText(expected: RecordedResponse, received: Received, bindings: Bindings): string | undefined {
  const [wanted, found] = [expected.text ?? '', received.text]
  if (HEALTH_LINE.test(wanted)) return healthDifference(wanted.trimEnd().split('\n'), found.trimEnd().split('\n'))
  const lines = (text: string): string => (expected.lines ? text.split('\n').toSorted().join('\n') : text)
  return difference(lines(wanted), lines(found), bindings, '/text')
}

/** The set of checks is specific to a server; the form of a passed check is not. */
function healthDifference(wanted: readonly string[], found: readonly string[]): string | undefined {
  if (wanted.at(-1) !== found.at(-1)) return `/text: ends with ${found.at(-1)} instead of ${wanted.at(-1)}`
  const odd = found.slice(0, -1).find((line) => !HEALTH_LINE.test(line))
  return odd === undefined ? undefined : `/text: ${odd} is no health check`
}

function compareParts(
  parts: Record<string, unknown>,
  body: unknown,
  unstable: readonly string[],
  bindings: Bindings,
): string | undefined {
  for (const [pointer, value] of Object.entries(parts)) {
    const actual = atPointer(body, pointer)
    if (unstable.includes(pointer)) continue
    if (value === '<absent>' && actual === undefined) continue
    const found = difference(value, actual, bindings, pointer)
    if (found) return found
  }
  return undefined
}

function comparePick(step: RecordedStep, expected: unknown[], body: unknown, bindings: Bindings): string | undefined {
  const { list, where } = step.pick as NonNullable<typeof step.pick>
  const matching = (item: unknown): boolean =>
    Object.entries(where).every(([key, values]) => {
      const wanted = (Array.isArray(values) ? values : [values]).map((value) =>
        typeof value === 'string' ? fill(value, bindings) : value,
      )
      return wanted.includes(atPointer(item, key.startsWith('/') ? key : `/${key}`))
    })
  const key = (item: unknown): string =>
    String(atPointer(item, '/name') ?? atPointer(item, '/metadata/name') ?? atPointer(item, '/resource'))
  const picked = ((atPointer(body, list) as unknown[] | undefined) ?? [])
    .filter(matching)
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return difference(expected, picked, bindings, list)
}

const SHAPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<str>': (value) => typeof value === 'string',
  '<int>': (value) => Number.isInteger(value),
  '<float>': (value) => typeof value === 'number',
  '<bool>': (value) => typeof value === 'boolean',
  '<NoneType>': (value) => value === null,
}

/** Compares names and types only. Every item of a list has the form of the recorded one. */
function shapeDifference(shape: unknown, value: unknown, path = ''): string | undefined {
  if (typeof shape === 'string') return SHAPES[shape]?.(value) ? undefined : `${path}: no ${shape}`
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${path}: no list`
    return firstDifference(value, (item, index) =>
      shape.length > 0 ? shapeDifference(shape[0], item, `${path}/${index}`) : undefined,
    )
  }
  if (typeof value !== 'object' || value === null) return `${path}: no object`
  const extra = Object.keys(value).find((key) => !Object.hasOwn(shape as object, key))
  if (extra !== undefined) return `${path}/${extra} should not be there`
  return firstDifference(Object.entries(shape as object), ([key, child]) =>
    Object.hasOwn(value, key)
      ? shapeDifference(child, (value as Record<string, unknown>)[key], `${path}/${key}`)
      : `${path}/${key} is missing`,
  )
}

function firstDifference<T>(
  items: readonly T[],
  differs: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = differs(item, index)
    if (found) return found
  }
  return undefined
}

function withoutManagedFields(value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(JSON.stringify(value, (key, child: unknown) => (key === 'managedFields' ? undefined : child)))
}

/** A copy without the values at some pointers. */
function without(value: unknown, pointers: readonly string[]): unknown {
  if (pointers.length === 0 || value === undefined) return value
  const copy = structuredClone(value)
  for (const pointer of pointers) {
    const cut = pointer.lastIndexOf('/')
    const parent = atPointer(copy, pointer.slice(0, cut))
    if (typeof parent === 'object' && parent !== null) {
      delete (parent as Record<string, unknown>)[pointer.slice(cut + 1)]
    }
  }
  return copy
}
