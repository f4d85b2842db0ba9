/** The browser's side of `/api/v1`: problem details, keys that keep an action from being done twice, waits where the server asks for them. */
import type { WorkloadRef } from '@/lib/view/model'
import type { Problem } from '@/lib/view/problems'
import { errorText } from '../messages/error-text'

/** A refusal of the server in the language of the reader, or no response (`code` 0). */
export class ActionFailure extends Error {
  override readonly name = 'ActionFailure'
  readonly code: number
  readonly reason: string
  readonly field: string | undefined
  /** With reason `PlanOutdated`: the plan as it would be now, of the kind that was sent. */
  readonly plan: unknown
  /** With reason `TooManyWorkloads`: what a selection chooses. */
  readonly workloads: readonly WorkloadRef[] | undefined
  /** Names the occurrence in the server's log. */
  readonly instance: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor({
    status,
    reason,
    detail,
    field,
    plan,
    workloads,
    instance,
    retryAfterSeconds,
  }: Pick<Problem, 'status' | 'reason' | 'detail'> & Partial<Problem>) {
    super(detail)
    this.code = status
    this.reason = reason
    this.field = field
    this.plan = plan
    this.workloads = workloads
    this.instance = instance
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface ApiClientParts {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  /** Resolves after so long. */
  wait: (ms: number) => Promise<void>
  /** Another text each time. */
  newKey: () => string
}

export interface Ask {
  method?: string
  body?: unknown
  signal?: AbortSignal | undefined
  /** The version that the reader saw: an order about another one is refused. */
  ifMatch?: string
}

export interface ApiClient {
  /** Sends a read request. Repeats it once when the server requests a short delay. Throws ActionFailure. */
  ask<T>(path: string, ask?: Ask): Promise<T>
  /** Sends an order, under one key however often it has to be sent. Throws ActionFailure. */
  order<T>(path: string, ask?: Ask): Promise<T>
  /** The pieces of a text as they come, until it ends or is aborted. Throws ActionFailure. */
  open(path: string, signal: AbortSignal): AsyncGenerator<string>
  /** Called when the session is no longer valid. */
  onLoginRequired(handler: (failure: ActionFailure) => void): () => void
}

/** Browsers refuse larger bodies (64 KiB) on requests that outlive their page; multi-byte characters are allowed for. */
const KEEPALIVE_LIMIT = 16_384
/** After no answer, and while the server still works on what was sent before. */
const WAITS_MS = [500, 2000]
/** A question is repeated when the server asks for a wait, not when it is silent: the page shows that by itself. */
const ONCE_MORE = ['asked'] as const
/** Longer waits are the reader's business. */
const MAX_WAIT_SECONDS = 5

export function createApiClient({ fetch, wait, newKey }: ApiClientParts): ApiClient {
  const handlers = new Set<(failure: ActionFailure) => void>()

  const once = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await reach(() => fetch(path, init), init)
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok && (body !== undefined || response.status === 204)) return body as T
    throw new ActionFailure(isProblem(body) ? body : unexplained(response))
  }

  async function* open(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const init = { ...initOf('GET', undefined), signal }
    const response = await reach(() => fetch(path, init), init)
    if (!response.ok || !response.body) {
      const body: unknown = await response.json().catch(() => undefined)
      throw reported(new ActionFailure(isProblem(body) ? body : unexplained(response)), handlers)
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reach(() => reader.read(), init)
      if (done) return
      yield value
    }
  }

  const patiently = async <T>(path: string, init: RequestInit, waits: readonly (number | 'asked')[]): Promise<T> => {
    for (let tried = 0; ; tried += 1) {
      try {
        return await once<T>(path, init)
      } catch (error) {
        const pause = error instanceof ActionFailure ? pauseAfter(error, waits[tried]) : undefined
        if (pause === undefined) throw reported(error, handlers)
        await wait(pause)
      }
    }
  }

  return {
    ask: (path, { method = 'GET', body, signal } = {}) =>
      patiently(path, { ...initOf(method, body), signal: signal ?? null }, ONCE_MORE),
    order: (path, { method = 'POST', body, ifMatch } = {}) => {
      const init = initOf(method, body)
      const headers = {
        ...init.headers,
        'idempotency-key': newKey(),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      }
      // Leaving the page right after the click must not call the order back; browsers do that for small bodies only.
      return patiently(path, { ...init, headers, keepalive: (init.body ?? '').length < KEEPALIVE_LIMIT }, WAITS_MS)
    },
    open,
    onLoginRequired: (handler) => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}

function initOf(
  method: string,
  body: unknown,
): { method: string; headers: Record<string, string>; body: string | null } {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

/** How long to wait before the same is sent again; undefined: not at all. `next` is absent once it was sent often enough. */
function pauseAfter(
  { code, reason, retryAfterSeconds = 1 }: ActionFailure,
  next: number | 'asked' | undefined,
): number | undefined {
  const isShort = retryAfterSeconds <= MAX_WAIT_SECONDS
  if (next === undefined) return undefined
  if (code === 0) return next === 'asked' ? undefined : next
  return isShort && (code === 429 || reason === 'StillRunning') ? retryAfterSeconds * 1000 : undefined
}

function reported(error: unknown, handlers: ReadonlySet<(failure: ActionFailure) => void>): unknown {
  if (error instanceof ActionFailure && error.code === 401) for (const handler of handlers) handler(error)
  return error
}

async function reach<T>(send: () => Promise<T>, { signal, method }: RequestInit): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (signal?.aborted === true) throw error
    const detail = errorText()(method === 'GET' ? 'errors.noAnswerToQuery' : 'errors.noAnswerToAction')
    throw new ActionFailure({ status: 0, reason: 'Unreachable', detail })
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'reason' in body && 'detail' in body
}

function unexplained({ status, statusText }: Response): Pick<Problem, 'status' | 'reason' | 'detail'> {
  return {
    status,
    reason: 'Unexplained',
    detail: errorText()('errors.unexplained', { status: String(status), statusText }),
  }
}
