/** Sending recorded requests to a server. */
import { Agent, type Dispatcher } from 'undici'
import { fill, fillValue, type Bindings } from './placeholders'
import type { RecordedRequest, RecordedStep } from './recorded-case'

/** Address and user of requests. */
export interface Target {
  url: string
  adminToken: string
  viewerToken: string
  /** Components beside a plain API server (`karmada-webhook`, `gc`, …); all if absent. */
  parts?: readonly string[]
  /** Connections to a server whose certificate needs an authority of its own. */
  dispatcher?: Dispatcher
}

export interface Received {
  status: number
  headers: Headers
  text: string
  /** Undefined if it is not JSON. */
  body: unknown
  events?: { type: string; object: unknown }[]
  end?: string
  reached?: boolean
}

const shared = new Agent({ allowH2: false })

/** Sends one request and reads the whole answer. */
export async function send(target: Target, request: RecordedRequest, bindings: Bindings): Promise<Received> {
  const { statusCode, headers, body } = await ask(target, request, bindings)
  const text = await body.text()
  return { status: statusCode, headers: headersOf(headers), text, body: parsed(text) }
}

/** Opens a watch, runs `during`, and collects events until there are enough or the time is over. */
export async function sendWatch(
  target: Target,
  step: RecordedStep,
  bindings: Bindings,
  during: () => Promise<void>,
): Promise<Received> {
  const abort = new AbortController()
  const response = await ask(target, step.request as RecordedRequest, bindings, abort.signal)
  const head = { status: response.statusCode, headers: headersOf(response.headers), text: '', body: undefined }
  if (head.headers.get('content-length') !== null) {
    const text = await response.body.text()
    return { ...head, text, body: parsed(text), events: [], end: 'not a stream' }
  }
  const events: { type: string; object: unknown }[] = []
  const timer = setTimeout(() => abort.abort(), (step.maxSeconds ?? 1) * 1000 + 500)
  const reading = gather(response.body, events, step.stopAfter ?? Number.POSITIVE_INFINITY)
  await new Promise((resolve) => setTimeout(resolve, 150))
  await during()
  const end = await reading
  clearTimeout(timer)
  abort.abort()
  return { ...head, events, end }
}

async function gather(
  body: AsyncIterable<Uint8Array>,
  events: { type: string; object: unknown }[],
  stopAfter: number,
): Promise<string> {
  let pending = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      pending += decoder.decode(chunk, { stream: true })
      const lines = pending.split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) events.push(JSON.parse(line) as { type: string; object: unknown })
      if (events.length >= stopAfter) return `client stopped after ${stopAfter} events`
    }
    return 'server closed'
  } catch {
    return 'client timeout'
  }
}

/** The path is sent unchanged: the handling of `//` and `..` is part of the comparison. */
function ask(
  target: Target,
  request: RecordedRequest,
  bindings: Bindings,
  signal?: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { method, path, query } = request
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, fill(String(value), bindings)])
  const body = bodyOf(request, bindings)
  return (target.dispatcher ?? shared).request({
    origin: target.url,
    path: `${fill(path, bindings)}${pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''}`,
    method: method as Dispatcher.HttpMethod,
    headers: headerLines(target, request, bindings, body !== undefined),
    body,
    signal,
    headersTimeout: 30_000,
    bodyTimeout: 90_000,
  })
}

function bodyOf({ body, rawBody, base64Body }: RecordedRequest, bindings: Bindings): Uint8Array | undefined {
  if (base64Body !== undefined) return Buffer.from(base64Body, 'base64')
  if (rawBody !== undefined) return Buffer.from(fill(rawBody, bindings))
  return body === undefined ? undefined : Buffer.from(JSON.stringify(fillValue(body, bindings)))
}

/** Names and values alternate; a header with a list of values is sent once for each. */
function headerLines(target: Target, request: RecordedRequest, bindings: Bindings, hasBody: boolean): string[] {
  const own = request.headers ?? {}
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const defaults: Record<string, string> = {
    Accept: 'application/json',
    ...(hasBody && { 'Content-Type': 'application/json' }),
    ...authorization(target, request.user),
  }
  const usual = Object.entries(defaults).filter(([name]) => !named.has(name.toLowerCase()))
  return [...usual, ...Object.entries(own)].flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, fill(one, bindings)]),
  )
}

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}

function authorization(target: Target, user: RecordedRequest['user']): Record<string, string> {
  switch (user) {
    case 'anonymous':
      return {}
    case 'badtoken':
      return { Authorization: 'Bearer no-such-token' }
    case 'viewer':
      return { Authorization: `Bearer ${target.viewerToken}` }
    default:
      return { Authorization: `Bearer ${target.adminToken}` }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
