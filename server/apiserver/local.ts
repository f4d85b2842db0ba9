/**
 * Access for in-process callers: the same path through access, admission and verbs as over HTTP, without sockets and
 * text. Input is copied as by JSON; output is the store's own objects.
 */
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import { impersonationHeaders } from '@/lib/kube/rbac/impersonation'
import { freezeDeeply } from '@/lib/std/freeze'
import { copyAsJson } from '@/lib/std/json-copy'
import { authenticated } from './access/caller'
import { type Answer, type Call, type Caller, isStream, type Reply } from './call'
import { openLocalText, openLocalWatch } from './local-watch'
import { BODY_LIMIT, bodyTooLarge, refusal } from './refusal'

export interface LocalOptions {
  /** The caller, which is known and needs no credential. */
  caller: Pick<Caller, 'user' | 'groups'>
  /** Freezes delivered objects, so that a reader's change fails. For tests. */
  freeze?: boolean
}

export interface LocalRequest {
  method: string
  /** With its query. */
  path: string
  userAgent: string
  body?: unknown
  contentType?: string
  /** Whom to act as, which the caller must be allowed to. */
  as?: Identity
  signal?: AbortSignal
}

export interface LocalAnswer {
  code: number
  /** An object of the store, or a text. Never change it. */
  body: unknown
  retryAfterSeconds?: number
}

export interface LocalLine {
  type: string
  object: unknown
}

/** One caller's way in. */
export interface Local {
  /** Rejects when the server is closed. */
  call(request: LocalRequest): Promise<LocalAnswer>
  /** The lines of a watch until it ends or the request's signal aborts; otherwise the answer. */
  watch(request: LocalRequest): Promise<LocalAnswer | { lines: AsyncIterable<LocalLine> }>
  /** A text piece by piece, as it is made; else the refusal. */
  stream(request: LocalRequest): Promise<LocalAnswer | { chunks: AsyncIterable<string> }>
  close(): Promise<void>
}

export interface LocalServer {
  handle(call: Call): Promise<Answer>
  /** Called for internal errors. */
  onFault(error: unknown, request: string): void
  isClosed(): boolean
}

/** Opens a way in. */
export function openLocal(server: LocalServer, { caller, freeze = false }: LocalOptions): Local {
  const known = authenticated(caller)
  const handOut = freeze ? freezeDeeply<unknown> : (value: unknown): unknown => value
  let closed = false
  const ask = (request: LocalRequest): Promise<Answer> => {
    if (closed || server.isClosed()) return Promise.reject(new Error('the server is closed'))
    return attempt(server, request, known)
  }
  return {
    call: async (request) => {
      const answer = await abortable(ask(request), request.signal)
      if (isStream(answer)) throw new Error('a watch is no single answer')
      return answerOf(answer, handOut)
    },
    watch: async (request) => {
      const answer = await abortable(ask(request), request.signal)
      return isStream(answer) ? { lines: openLocalWatch(answer, handOut, request.signal) } : answerOf(answer, handOut)
    },
    stream: async (request) => {
      const answer = await abortable(ask(request), request.signal)
      if (isStream(answer)) return { chunks: openLocalText(answer, request.signal) }
      return answer.status >= 400 ? answerOf(answer, handOut) : { chunks: piecesOf(answer.text ?? '') }
    },
    close: () => {
      closed = true
      return Promise.resolve()
    },
  }
}

async function attempt(server: LocalServer, request: LocalRequest, caller: Caller): Promise<Answer> {
  try {
    return await server.handle(callOf(request, caller))
  } catch (error) {
    if (!(error instanceof KubeError)) server.onFault(error, `${request.method} ${request.path}`)
    return refusal(error)
  }
}

function callOf({ method, path, userAgent, body, contentType, as }: LocalRequest, caller: Caller): Call {
  const acting = as ? impersonationHeaders(as) : {}
  const mark = path.indexOf('?')
  const value = body === undefined ? undefined : copyIn(body)
  const text = (): string => (value === undefined ? '' : JSON.stringify(value))
  return {
    method,
    path: mark < 0 ? path : path.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1)),
    headers: {
      'user-agent': userAgent,
      accept: 'application/json',
      ...acting,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    caller,
    value,
    distinctHeaders: () => acting,
    body: () => Promise.resolve(text()),
    bytes: () => Promise.resolve(Buffer.from(text())),
    warn: () => undefined,
    readsWarnings: false,
  }
}

/** Throws 413 for what HTTP would not take either. */
function copyIn(body: unknown): unknown {
  const { value, mostBytes } = copyAsJson(body)
  if (mostBytes > BODY_LIMIT && Buffer.byteLength(JSON.stringify(value)) > BODY_LIMIT) throw bodyTooLarge()
  return value
}

function answerOf(reply: Reply, handOut: (value: unknown) => unknown): LocalAnswer {
  const retry = reply.headers?.['Retry-After']
  return {
    code: reply.status,
    body: handOut(bodyOf(reply)),
    ...(retry !== undefined && { retryAfterSeconds: Number(retry) }),
  }
}

async function* piecesOf(text: string | Iterable<string>): AsyncGenerator<string> {
  yield* typeof text === 'string' ? [text] : text
}

function bodyOf({ object, text, type, value }: Reply): unknown {
  if (object) return object()
  if (text === undefined) return copyAsJson(value).value
  const whole = typeof text === 'string' ? text : [...text].join('')
  return type === undefined || type.includes('json') ? JSON.parse(whole) : whole
}

function abortable<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? untilAborted(answer, signal) : answer
}

async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([answer, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
