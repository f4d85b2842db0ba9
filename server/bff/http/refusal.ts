/** Refusals of the BFF, and the problem details built from them. */
import { KubeError } from '@/lib/kube/errors'
import type { Text } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { type Message, message } from '@/lib/messages/message'
import type { WorkloadRef } from '@/lib/view/model'
import { type Outcome, type Problem, problemAbout, type ProblemReason } from '@/lib/view/problems'
import { StoreUnavailable } from '../shared/store'

interface RefusalDetail {
  /** JSON path of the offending field. */
  field?: string | undefined
  plan?: unknown
  workloads?: readonly WorkloadRef[] | undefined
  retryAfterSeconds?: number | undefined
  changed?: Outcome | undefined
  headers?: Readonly<Record<string, string>>
}

/**
 * What happened and what to do next: a text of the API server, a message, or a function that builds the text in the
 * reader's language.
 */
export type Detail = Message | string | ((text: Text) => string)

const render = (detail: Detail, text: Text): string => (typeof detail === 'function' ? detail(text) : text.of(detail))

/** Thrown by actions and guards; becomes the problem in the answer. Its `message`, for logs and audit, is English. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number,
    readonly reason: ProblemReason,
    readonly detail: Detail,
    readonly more: RefusalDetail = {},
  ) {
    super(render(detail, english))
  }

  /** Returns the body of the answer in the language of the reader. */
  problem(requestId: string, text: Text): Problem {
    const { field, plan, workloads, changed, retryAfterSeconds } = this.more
    return {
      ...problemAbout(text, this.reason, { detail: render(this.detail, text), requestId, status: this.status }),
      ...(field !== undefined && { field }),
      ...(plan !== undefined && { plan }),
      ...(workloads && { workloads: [...workloads] }),
      ...(changed && { changed }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }
  }
}

/** Builds a refusal from its parts. */
export function refuse(status: number, reason: ProblemReason, detail: Detail, more: RefusalDetail = {}): Refusal {
  return new Refusal(status, reason, detail, more)
}

/**
 * Returns the refusal for any thrown value; undefined for unexpected errors. `asConsole`: the console was refused, not
 * a user.
 */
export function refusalOf(error: unknown, asConsole = false): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) {
    return refuse(503, 'StoreUnavailable', message('api.refused.store', { cause: error.detail }), {
      retryAfterSeconds: STORE_RETRY_SECONDS,
    })
  }
  return error instanceof KubeError ? fromApiServer(error, asConsole) : undefined
}

const STORE_RETRY_SECONDS = 5
const BUSY_SECONDS = 5

interface ProblemTemplate {
  status: number
  reason: ProblemReason
  /** `message`: the API server's text, as a sentence. */
  detail: (message: string) => Message
}

const refused = (text: string): Message => message('api.refused.byApiServer', { message: text })

/** The problem for each status of the API server; 0: no answer. */
const PROBLEM_BY_STATUS: Readonly<Record<number, ProblemTemplate>> = {
  0: { status: 503, reason: 'Unreachable', detail: () => message('api.refused.noAnswer') },
  400: { status: 400, reason: 'Invalid', detail: refused },
  401: { status: 401, reason: 'Unauthorized', detail: () => message('api.refused.credentials') },
  403: { status: 403, reason: 'Forbidden', detail: refused },
  404: { status: 404, reason: 'NotFound', detail: refused },
  409: { status: 409, reason: 'Conflict', detail: (text) => message('api.refused.conflict', { message: text }) },
  410: { status: 410, reason: 'Expired', detail: () => message('api.refused.expired') },
  429: { status: 429, reason: 'TooManyRequests', detail: () => message('api.refused.busy') },
  503: { status: 503, reason: 'Unreachable', detail: (text) => message('api.refused.unavailable', { message: text }) },
  504: { status: 504, reason: 'Timeout', detail: () => message('api.refused.timeout') },
}
const ALREADY_EXISTS: ProblemTemplate = { status: 409, reason: 'AlreadyExists', detail: refused }
const OTHERWISE: ProblemTemplate = { status: 422, reason: 'Refused', detail: refused }
const OWN_CREDENTIALS: ProblemTemplate = {
  status: 502,
  reason: 'CredentialsRefused',
  detail: () => message('api.refused.ownCredentials'),
}

function fromApiServer(error: KubeError, asConsole: boolean): Refusal {
  const { status, reason, detail } = toldAs(error, asConsole)
  const { causes, retryAfterSeconds = status === 429 ? BUSY_SECONDS : undefined } = error.status.details ?? {}
  // Only these statuses concern a field of the request; others concern the object as a whole.
  const field = [400, 409, 422].includes(status) ? causes?.[0]?.field : undefined
  return refuse(status, reason, detail(withStop(error.message)), {
    field,
    ...((status === 429 || reason === 'Unreachable') && { retryAfterSeconds }),
  })
}

function toldAs({ code, reason }: KubeError, asConsole: boolean): ProblemTemplate {
  if (code === 401 && asConsole) return OWN_CREDENTIALS
  if (code === 409 && reason === 'AlreadyExists') return ALREADY_EXISTS
  const known = PROBLEM_BY_STATUS[code]
  if (known || code < 500) return known ?? OTHERWISE
  const detail = (text: string): Message => message('api.refused.failed', { code: String(code), message: text })
  return { status: 502, reason: 'ApiServerFailed', detail }
}

const withStop = (text: string): string => (/[.!?]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`)

/** Returns the problem for an unexpected error, without internals. */
export function internalError(requestId: string, changed?: Outcome): Refusal {
  return refuse(500, 'InternalError', message('api.refused.internal', { requestId }), { changed })
}

/** Adds to the refusal of an action what the action changed, where the refusal itself does not show it. */
export function withOutcome(refusal: Refusal, outcome: Outcome, byApiServer: boolean): Refusal {
  if (outcome === 'nothing' && !byApiServer && refusal.status < 500) return refusal
  const { status, reason, detail, more } = refusal
  const both = (text: Text): string =>
    text('api.refused.withOutcome', { refusal: render(detail, text), outcome: text(`api.refused.outcome.${outcome}`) })
  return new Refusal(status, reason, both, { ...more, changed: outcome })
}
