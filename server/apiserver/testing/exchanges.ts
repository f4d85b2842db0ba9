/** Runs recorded sessions with a real API server against any URL and says where the answers differ. */
import { readFileSync } from 'node:fs'
import { type Bindings, difference, fill, fillValue } from './placeholders'
import { atPointer, type RecordedCase, type RecordedResponse, type RecordedStep } from './recorded-case'
import { type Received, send, sendWatch, type Target } from './requests'

export type { Target } from './requests'

export interface Outcome {
  name: string
  topic: string
  /** The first difference; absent when the case passes. */
  reason?: string
}

/** Runs every case of a file, one after the other. */
export async function runExchanges(
  file: string, target: Target, only: (one: RecordedCase) => boolean = () => true,
): Promise<Outcome[]> {
  const cases = readFileSync(file, 'utf8').trim().split('\n').map(
    (line) => JSON.parse(line) as RecordedCase
  ).filter(only)
  const outcomes: Outcome[] = []
  for (const [index, one] of cases.entries()) {
    outcomes.push(await runCase(one, target, `${process.pid.toString(36)}${index.toString(36)}`))
  }
  return outcomes
}

/** Runs one case in a namespace of its own. `unique` tells runs on the same server apart. */
export async function runCase(one: RecordedCase, target: Target, unique: string): Promise<Outcome> {
  const bindings: Bindings = {
    values: new Map([['u', unique], ['ns', `ex-${unique}`], ['viewertoken', target.viewerToken]]),
  }
  const { name, topic } = one
  for (const step of one.steps) {
    const reason = await runStep(step, target, bindings)
    if (reason !== undefined) return { name, topic, reason: `step ${step.id}${reason}` }
  }
  return { name, topic }
}

async function runStep(step: RecordedStep, target: Target, bindings: Bindings): Promise<string | undefined> {
  if (step.op === 'sleep') {
    await sleep((step.seconds ?? 0) * 1000)
    return undefined
  }
  let inner: string | undefined
  const received = await perform(step, target, bindings, async () => {
    for (const child of step.during ?? []) inner ??= await runStep(child, target, bindings)
  })
  if (inner !== undefined) return inner
  for (const [name, pointer] of Object.entries(step.capture ?? {})) {
    const value = atPointer(received.body, pointer)
    if (typeof value === 'string') bindings.values.set(name, value)
  }
  if (!step.response || step.setup) return undefined
  return compare(step, step.response, received, bindings)
}

function perform(
  step: RecordedStep, target: Target, bindings: Bindings, during: () => Promise<void>,
): Promise<Received> {
  switch (step.op) {
    case 'watch': return sendWatch(target, step, bindings, during)
    case 'await': return awaitUntil(step, target, bindings)
    default: return send(target, step.request as NonNullable<typeof step.request>, bindings)
  }
}

async function awaitUntil(step: RecordedStep, target: Target, bindings: Bindings): Promise<Received> {
  const deadline = Date.now() + (step.timeout ?? 10) * 1000
  for (;;) {
    const received = await send(target, step.request as NonNullable<typeof step.request>, bindings)
    if (reached(step, received, bindings) || Date.now() > deadline) return received
    await sleep(150)
  }
}

function reached({ until = {} }: RecordedStep, received: Received, bindings: Bindings): boolean {
  if (until.status !== undefined && received.status !== until.status) return false
  const value = until.pointer === undefined ? true : atPointer(received.body, until.pointer)
  if ('equals' in until) return JSON.stringify(value) === JSON.stringify(fillValue(until.equals, bindings))
  return Boolean(value)
}

function compare(
  step: RecordedStep, expected: RecordedResponse, received: Received, bindings: Bindings,
): string | undefined {
  if (expected.status !== received.status) {
    return `: status ${received.status} instead of ${expected.status}: ${received.text.slice(0, 300)}`
  }
  return compareHeaders(expected, received, bindings) ?? compareBody(step, expected, received, bindings)
}

function compareHeaders(expected: RecordedResponse, received: Received, bindings: Bindings): string | undefined {
  const { 'Content-Type': type, Warning: warning, 'Retry-After': retry, Location: location } = expected.headers ?? {}
  const media = (text: unknown): string => String(text ?? '').split(';')[0]?.trim() ?? ''
  if (type !== undefined && media(type) !== media(received.headers.get('content-type'))) {
    return ` Content-Type: ${received.headers.get('content-type')} instead of ${String(type)}`
  }
  const warnings = (
    Array.isArray(warning) ? warning : warning === undefined ? [] : [warning]
  ).map((text) => fill(text, bindings)).join(', ')
  if (warnings !== (received.headers.get('warning') ?? '')) {
    return ` Warning: ${received.headers.get('warning')} instead of ${warnings}`
  }
  if (retry !== undefined && received.headers.get('retry-after') !== retry) {
    return ` Retry-After: ${received.headers.get('retry-after')}`
  }
  if (location !== undefined && received.headers.get('location') !== location) {
    return ` Location: ${received.headers.get('location')}`
  }
  return undefined
}

function compareBody(
  step: RecordedStep, expected: RecordedResponse, received: Received, bindings: Bindings,
): string | undefined {
  if (expected.events) return compareEvents(step, expected, received, bindings)
  if (expected.text !== undefined) return compareText(expected, received, bindings)
  const unstable = (step.unstable ?? []).map((pointer) => pointer.replace(/^\/body/, ''))
  const body = step.keepManagedFields ? received.body : withoutManagedFields(received.body)
  if (expected.bodyParts) return compareParts(expected.bodyParts, body, unstable, bindings)
  if (expected.bodyPick) return comparePick(step, expected.bodyPick, body, bindings)
  if (expected.bodyShape !== undefined) return shapeDifference(expected.bodyShape, received.body)
  return difference(without(expected.body, unstable), without(body, unstable), bindings)
}

function compareEvents(
  step: RecordedStep, expected: RecordedResponse, received: Received, bindings: Bindings,
): string | undefined {
  const strip = (
    events: RecordedResponse['events']
  ): unknown => (events ?? []).filter(isEssential).map((event) => withoutManagedFields(event))
  const unstable = step.unstable ?? []
  if (unstable.includes('/events')) return undefined
  if (expected.end !== received.end && expected.end === 'server closed') {
    return ` end: ${received.end} instead of ${expected.end}`
  }
  const view = (events: unknown): unknown => without({ events }, unstable)
  return difference(view(strip(expected.events)), view(strip(received.events)), bindings)
}

/** Plain bookmarks come whenever the server likes. */
function isEssential({ type, object }: { type: string; object: unknown }): boolean {
  return type !== 'BOOKMARK' || JSON.stringify(object).includes('k8s.io/initial-events-end')
}

function compareText(expected: RecordedResponse, received: Received, bindings: Bindings): string | undefined {
  const lines = (text: string): string => (expected.lines ? text.split('\n').toSorted().join('\n') : text)
  return difference(lines(expected.text ?? ''), lines(received.text), bindings, '/text')
}

function compareParts(
  parts: Record<string, unknown>, body: unknown, unstable: readonly string[], bindings: Bindings,
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
  const matching = (item: unknown): boolean => Object.entries(where).every(([key, values]) => {
    const wanted = (
      Array.isArray(values) ? values : [values]
    ).map((value) => (typeof value === 'string' ? fill(value, bindings) : value))
    return wanted.includes(atPointer(item, key.startsWith('/') ? key : `/${key}`))
  })
  const key = (item: unknown): string => String(
    atPointer(item, '/name') ?? atPointer(item, '/metadata/name') ?? atPointer(item, '/resource')
  )
  const picked = (
    atPointer(body, list) as unknown[] | undefined ?? []
  ).filter(matching).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return difference(dropHashes(expected), dropHashes(picked), bindings, list)
}

function dropHashes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, child: unknown) => (key === 'storageVersionHash' ? undefined : child)))
}

function shapeDifference(shape: unknown, value: unknown, path = ''): string | undefined {
  if (shape === '<str>') return typeof value === 'string' ? undefined : `${path}: no text`
  if (typeof shape !== 'object' || shape === null) return undefined
  for (const [key, child] of Object.entries(shape)) {
    const actual = (value as Record<string, unknown> | undefined)?.[key]
    if (actual === undefined) return `${path}/${key} is missing`
    const found = shapeDifference(child, actual, `${path}/${key}`)
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
