/**
 * Sends requests to any API server over HTTP or TLS. A case is a function that throws when a response differs from an
 * API server's.
 */
import { AssertionError, match, partialDeepStrictEqual, strictEqual } from 'node:assert/strict'
import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { randomBytes } from 'node:crypto'

/** Address and credentials of a server, with the rights of a cluster administrator. */
export interface Target {
  url: string
  headers?: Readonly<Record<string, string>>
  tls?: {
    ca?: string | Buffer
    cert?: string | Buffer
    key?: string | Buffer
    servername?: string
    rejectUnauthorized?: boolean
  }
  /** What takes part besides the API server itself. */
  has: {
    /** Garbage collection and the end of namespaces. */
    controllers: boolean
    /** The server reaches this machine's loopback addresses. */
    loopback: boolean
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Fields of responses that cases inspect. Missing fields are undefined and fail the case. */
export interface Json {
  kind: string
  message: string
  uid: string
  metadata: {
    name: string
    uid: string
    resourceVersion: string
    creationTimestamp: string
    deletionTimestamp: string
    continue: string
    annotations: Record<string, string>
    managedFields: { manager: string }[]
    ownerReferences: unknown
  }
  spec: Fields & { template: { spec: { containers: { name: string }[] } } }
  status: Fields
  data: Record<string, string>
  details: { causes: { field: string }[] }
  items: Json[]
  columnDefinitions: Json[]
  rows: { cells: unknown[] }[]
  name: string
  groups: Json[]
  resources: Json[]
  resource: string
  versions: Json[]
  paths: Record<string, { serverRelativeURL: string }>
  components: { schemas: Record<string, Fields> }
  major: string
  minor: string
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Json
  text: string
}

export interface SendOptions {
  body?: unknown
  /** `application/json` unless the method is PATCH. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

export interface WatchEvent {
  type: string
  object: Json
}

export interface Watch {
  /** The next events; rejects when the stream ends before, or after ten seconds. */
  next(count: number): Promise<WatchEvent[]>
  /** Resolves once the server has ended the stream. */
  ended(): Promise<void>
  stop(): void
}

export interface Api {
  target: Target
  /** A namespace of the case's own. */
  namespace: string
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** Sends and expects this status. Answers the body. */
  expect(status: number, method: string, path: string, options?: SendOptions): Promise<Json>
  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<Watch>
  /** An unused name. */
  fresh(prefix: string): string
  /** Undone when the case is over, last first. */
  later(undo: () => Promise<unknown>): void
}

const TIMEOUT_MS = 10_000

/** Runs a case in its own namespace, and deletes its objects. */
export async function runCase(target: Target, run: (api: Api) => Promise<void>): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  const api = createApi(target, undo)
  await api.expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name: api.namespace } } })
  undo.push(() => api.send('DELETE', `/api/v1/namespaces/${api.namespace}`))
  try {
    await run(api)
  } finally {
    for (const step of undo.toReversed()) await step()
  }
}

function createApi(target: Target, undo: (() => Promise<unknown>)[]): Api {
  const send: Api['send'] = async (method, path, options = {}) => {
    const response = await respond(target, method, path, options)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    return { status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) }
  }
  return {
    target,
    namespace: fresh('conformance'),
    send,
    expect: async (status, method, path, options) => {
      const answer = await send(method, path, options)
      if (answer.status !== status) {
        throw new AssertionError({
          message: `${method} ${path}: ${answer.status} ${answer.text}`,
          actual: answer.status,
          expected: status,
        })
      }
      return answer.body
    },
    watch: async (path, headers = {}) => readWatch(await respond(target, 'GET', path, { headers })),
    fresh,
    later: (step) => void undo.push(step),
  }
}

function fresh(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`
}

function respond(target: Target, method: string, path: string, options: SendOptions): Promise<IncomingMessage> {
  const url = new URL(path, target.url)
  const { body, type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json', headers } = options
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    Accept: 'application/json',
    'User-Agent': 'conformance/1.0',
    ...target.headers,
    ...(text !== undefined && { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  const open = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const request: ClientRequest = open(url, { method, headers: all, ...target.tls }, resolve)
    request.on('error', reject)
    request.end(text)
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {} as Json
  }
}

function readWatch(response: IncomingMessage): Watch {
  strictEqual(response.statusCode, 200)
  const events: WatchEvent[] = []
  let pending = ''
  let over = false
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) events.push(JSON.parse(line) as WatchEvent)
  })
  for (const end of ['end', 'error', 'close'])
    response.on(end, () => {
      over = true
    })
  return {
    next: async (count) => {
      await until(
        () => events.length >= count || over,
        () => `${events.length} of ${count} events: ${JSON.stringify(events)}`,
      )
      if (events.length < count) throw new Error(`the stream ended after ${events.length} of ${count} events`)
      return events.splice(0, count)
    },
    ended: () =>
      until(
        () => over,
        () => 'the stream goes on',
      ),
    stop: () => response.destroy(),
  }
}

/** Looks again and again until it is so; rejects after ten seconds. */
export async function until(
  look: () => boolean | Promise<boolean>,
  found: () => string = () => 'not in time',
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(found())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Throws unless all expected values are present; there may be more. */
export function includes(actual: unknown, expected: unknown): void {
  partialDeepStrictEqual(actual, expected)
}

/** Throws unless the answer is a refusal of this reason, as a Status. */
export function refused({ status, body }: Answer, code: number, reason: string, message?: string | RegExp): void {
  includes(body, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...(reason !== '' && { reason }) })
  strictEqual(status, code)
  if (typeof message === 'string') strictEqual(body.message, message)
  else if (message) match(String(body.message), message)
}
