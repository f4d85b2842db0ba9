/** Runs recorded sessions with a real API server against any URL and reports differences. */
import { readFileSync } from 'node:fs'
import { compareResponse } from './compare-response'
import { type Bindings, fillValue } from './placeholders'
import { atPointer, missingParts, type RecordedCase, type RecordedStep } from './recorded-case'
import { type Received, send, sendWatch, type Target } from './requests'

export type { Target } from './requests'

export interface Outcome {
  name: string
  topic: string
  /** The first difference; absent when the case passes. */
  reason?: string
  /** The parts of a control plane that the case needs and the server lacks: it was not run. */
  skipped?: readonly string[]
}

/** Runs every case of a file, one after the other. */
export async function runExchanges(
  file: string,
  target: Target,
  only: (one: RecordedCase) => boolean = () => true,
): Promise<Outcome[]> {
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase)
    .filter(only)
  const outcomes: Outcome[] = []
  for (const [index, one] of cases.entries()) {
    const skipped = missingParts(one.needs, target.parts)
    const { name, topic } = one
    outcomes.push(
      skipped.length > 0
        ? { name, topic, skipped }
        : await runCase(one, target, `${process.pid.toString(36)}${index.toString(36)}`),
    )
  }
  return outcomes
}

/** Values of the placeholders of a case before its first step. */
export function bindingsOf(target: Target, unique: string): Bindings {
  return {
    values: new Map([
      ['u', unique],
      ['ns', `ex-${unique}`],
      ['viewertoken', target.viewerToken],
    ]),
  }
}

/** Runs one case in its own namespace. `unique` distinguishes runs on the same server. */
export async function runCase(one: RecordedCase, target: Target, unique: string): Promise<Outcome> {
  const bindings = bindingsOf(target, unique)
  const { name, topic } = one
  for (const step of one.steps) {
    // A step that cannot be played at all, or a server that hangs up, is a difference like any other.
    const reason = await playStep(step, target, bindings, judge).catch((error: unknown) => `: ${String(error)}`)
    if (reason !== undefined) return { name, topic, reason: `step ${step.id}${reason}` }
  }
  return { name, topic }
}

function judge(step: RecordedStep, received: Received, bindings: Bindings): string | undefined {
  return step.response && !step.setup ? compareResponse(step, step.response, received, bindings) : undefined
}

/** Runs a step and the steps during it; returns the first difference of a response. */
export async function playStep(
  step: RecordedStep,
  target: Target,
  bindings: Bindings,
  judge: (step: RecordedStep, received: Received, bindings: Bindings) => string | undefined,
): Promise<string | undefined> {
  if (step.op === 'sleep') {
    await sleep((step.seconds ?? 0) * 1000)
    return undefined
  }
  let inner: string | undefined
  const received = await perform(step, target, bindings, async () => {
    for (const child of step.during ?? []) inner ??= await playStep(child, target, bindings, judge)
  })
  if (inner !== undefined) return inner
  for (const [name, pointer] of Object.entries(step.capture ?? {})) {
    const value = atPointer(received.body, pointer)
    if (typeof value === 'string') bindings.values.set(name, value)
  }
  return judge(step, received, bindings)
}

function perform(
  step: RecordedStep,
  target: Target,
  bindings: Bindings,
  during: () => Promise<void>,
): Promise<Received> {
  switch (step.op) {
    case 'watch':
      return sendWatch(target, step, bindings, during)
    case 'await':
      return awaitUntil(step, target, bindings)
    default:
      return send(target, step.request as NonNullable<typeof step.request>, bindings)
  }
}

async function awaitUntil(step: RecordedStep, target: Target, bindings: Bindings): Promise<Received> {
  const deadline = Date.now() + (step.timeout ?? 10) * 1000
  for (;;) {
    const received = await send(target, step.request as NonNullable<typeof step.request>, bindings)
    const reached = holds(step, received, bindings)
    if (reached || Date.now() > deadline) return { ...received, reached }
    await sleep(150)
  }
}

function holds({ until = {} }: RecordedStep, received: Received, bindings: Bindings): boolean {
  const { status, pointer, where } = until
  if (status !== undefined && received.status !== status) return false
  if (where && !elementsAt(received.body, where.list).some((one) => hasAll(one, fillValue(where.match, bindings)))) {
    return false
  }
  if (pointer === undefined) return true
  const value = atPointer(received.body, pointer)
  if (!('equals' in until)) return Boolean(value)
  return JSON.stringify(value) === JSON.stringify(fillValue(until.equals, bindings))
}

function elementsAt(body: unknown, list: string): unknown[] {
  const found = atPointer(body, list)
  return Array.isArray(found) ? found : []
}

function hasAll(element: unknown, match: unknown): boolean {
  return Object.entries(match as object).every(
    ([name, value]) => JSON.stringify((element as Record<string, unknown>)[name]) === JSON.stringify(value),
  )
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
