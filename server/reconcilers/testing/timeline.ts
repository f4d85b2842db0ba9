/** Records changes of objects over the time of the fake clock, as text that is stored beside the tests. */
import { expect } from 'vitest'
import type { Kind } from '@/lib/kube/kind'
import { keyOf, type KubeObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'
import type { InterpreterContext } from '../shared/interpreter'
import type { Env } from '@/server/testing/start-env'

interface Line {
  atMs: number
  subject: string
  text: string
}

export interface Timeline {
  /** Context for controllers; the timeline observes when they are idle. */
  readonly context: InterpreterContext
  /** Records every change of `facts` of the objects of a kind; a fact is a short text. */
  follow<T extends KubeObject>(kind: Kind<T>, facts: (object: T) => readonly string[]): void
  /** Adds a headline at the current time, for an action of the test. */
  note(text: string): void
  /** Advances time from one timer to the next, each after everything due before it has finished. */
  pass(seconds: number): Promise<void>
  /** Returns all records so far, grouped by second and object. */
  text(): Promise<string>
}

/** Number of checks without activity after which everything counts as idle. */
const STABLE_POLLS = 3
/** Timeout for becoming idle; a fleet of thousands of workloads takes a while, especially on a busy machine. */
const REST_TIMEOUT_MS = 120_000

export function createTimeline(env: Env): Timeline {
  const lines: Line[] = []
  const start = env.clock.now()
  const activity = { open: 0, count: 0 }
  const notify = (subject: string, text: string): void =>
    void lines.push({ atMs: env.clock.now() - start, subject, text })
  const rest = async (): Promise<void> => {
    let [seen, calm] = [-1, 0]
    await env.eventually(
      () => {
        calm = activity.open === 0 && activity.count === seen ? calm + 1 : 0
        seen = activity.count
        expect(calm).toBeGreaterThanOrEqual(STABLE_POLLS)
      },
      { flowMs: 0, timeoutMs: REST_TIMEOUT_MS },
    )
  }
  return {
    context: { ...env.context(), client: observed(env.client, activity) },
    follow: (kind, facts) => {
      env.informers.of(kind).onChange((change) => {
        activity.count += 1
        const before = change.type === 'added' ? [] : facts(change.old)
        const after = change.type === 'deleted' ? ['is gone'] : facts(change.object)
        const { metadata } = change.type === 'deleted' ? change.old : change.object
        for (const fact of after.filter((one) => !before.includes(one))) notify(`${kind.kind} ${keyOf(metadata)}`, fact)
      })
    },
    note: (text) => notify('', `-- ${text}`),
    pass: async (seconds) => {
      const until = env.clock.now() + seconds * 1000
      await rest()
      while (env.clock.now() < until) {
        await env.advance(Math.min(env.clock.nextDue ?? until, until) - env.clock.now())
        await rest()
      }
    },
    text: async () => `${render([...lines, ...(await eventLines(env, start))])}\n`,
  }
}

async function eventLines(env: Env, start: number): Promise<Line[]> {
  return (await env.recordedEvents()).map(
    ({ firstTimestamp = '', involvedObject, type, reason, message, source, count = 1 }) => ({
      atMs: Date.parse(firstTimestamp) - start,
      subject: `~ ${involvedObject.kind} ${keyOf({ namespace: involvedObject.namespace, name: involvedObject.name ?? '' })}`,
      text: `${type} ${reason} from ${source?.component}${count > 1 ? ` (${count} times)` : ''}: ${message}`,
    }),
  )
}

function render(lines: readonly Line[]): string {
  const second = ({ atMs }: Line): number => Math.floor(atMs / 1000)
  const isEvent = ({ subject }: Line): boolean => subject.startsWith('~')
  return lines
    .map((line, index) => ({ line, index }))
    .toSorted(
      (a, b) =>
        second(a.line) - second(b.line)
        || compare(a.line.subject, b.line.subject)
        || (isEvent(a.line) ? compare(a.line.text, b.line.text) : a.index - b.index),
    )
    .map(({ line }) => `${clockText(second(line))}  ${line.subject && `${line.subject}: `}${line.text}`)
    .join('\n')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const clockText = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

interface Activity {
  open: number
  count: number
}

/** Wraps a client to count running requests; watches do not count, because they never end. */
function observed(client: KubeClient, activity: Activity): KubeClient {
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    activity.open += 1
    activity.count += 1
    try {
      return await call
    } finally {
      activity.open -= 1
      activity.count += 1
    }
  }
  return {
    get: (kind, ref) => counted(client.get(kind, ref)),
    list: (kind, options) => counted(client.list(kind, options)),
    watch: (kind, options, signal) => client.watch(kind, options, signal),
    create: (kind, object, options) => counted(client.create(kind, object, options)),
    update: (kind, object, options) => counted(client.update(kind, object, options)),
    patch: (kind, ref, patch, options) => counted(client.patch(kind, ref, patch, options)),
    delete: (kind, ref, options) => counted(client.delete(kind, ref, options)),
    raw: (method, path, body, signal) => counted(client.raw(method, path, body, signal)),
    stream: (path, signal) => client.stream(path, signal),
    member: (name) => observed(client.member(name), activity),
    as: (identity) => observed(client.as(identity), activity),
  }
}
