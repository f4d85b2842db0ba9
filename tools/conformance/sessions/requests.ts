/** Sending recorded requests to a server. */
import { fill, fillValue, type Bindings } from './placeholders'
import type { RecordedRequest, RecordedStep } from './recorded-case'

/** Where to send requests, and as whom. */
export interface Target {
  url: string
  adminToken: string
  viewerToken: string
  /** What takes part besides a plain API server (`karmada-webhook`, `gc`, …); everything when absent. */
  parts?: readonly string[]
}

export interface Received {
  status: number
  headers: Headers
  text: string
  /** Undefined for what is no JSON. */
  body: unknown
  events?: { type: string; object: unknown }[]
  end?: string
  reached?: boolean
}

/** Sends one request and reads the whole answer. */
export async function send(target: Target, request: RecordedRequest, bindings: Bindings): Promise<Received> {
  const response = await fetch(urlOf(target, request, bindings), initOf(target, request, bindings))
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

/** Opens a watch, runs `during` and gathers events until enough came or the time is up. */
export async function sendWatch(
  target: Target,
  step: RecordedStep,
  bindings: Bindings,
  during: () => Promise<void>,
): Promise<Received> {
  const request = step.request as RecordedRequest
  const abort = new AbortController()
  const response = await fetch(urlOf(target, request, bindings), {
    ...initOf(target, request, bindings),
    signal: abort.signal,
  })
  const head = { status: response.status, headers: response.headers, text: '', body: undefined }
  if (response.headers.get('content-length') !== null) {
    const text = await response.text()
    return { ...head, text, body: parsed(text), events: [], end: 'not a stream' }
  }
  const events: { type: string; object: unknown }[] = []
  const timer = setTimeout(() => abort.abort(), (step.maxSeconds ?? 1) * 1000 + 500)
  const reading = gather(response, events, step.stopAfter ?? Number.POSITIVE_INFINITY)
  await new Promise((resolve) => setTimeout(resolve, 150))
  await during()
  const end = await reading
  clearTimeout(timer)
  abort.abort()
  return { ...head, events, end }
}

async function gather(
  response: Response,
  events: { type: string; object: unknown }[],
  stopAfter: number,
): Promise<string> {
  let pending = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
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

function urlOf(target: Target, { path, query }: RecordedRequest, bindings: Bindings): string {
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, fill(String(value), bindings)])
  return `${target.url}${fill(path, bindings)}${pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''}`
}

function initOf(target: Target, request: RecordedRequest, bindings: Bindings): RequestInit {
  const { method, body, rawBody, headers = {}, user } = request
  const text =
    rawBody !== undefined
      ? fill(rawBody, bindings)
      : body !== undefined
        ? JSON.stringify(fillValue(body, bindings))
        : undefined
  const all: Record<string, string | null> = {
    Accept: 'application/json',
    'User-Agent': '',
    ...(text !== undefined && { 'Content-Type': 'application/json' }),
    ...authorization(target, user),
    ...headers,
  }
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, fill(value, bindings)]])),
  ) as Record<string, string>
  return {
    method,
    headers: sent,
    body: text === undefined ? undefined : new TextEncoder().encode(text),
    redirect: 'manual',
  }
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
