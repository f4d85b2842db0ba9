/** How the BFF says no. */
import { KubeError } from '@/lib/kube/errors'
import type { Message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
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

/** Thrown by actions and guards; becomes the problem that is answered. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number, readonly reason: ProblemReason, detail: Message | string, readonly more: RefusalDetail = {},
  ) {
    super(english.of(detail))
  }

  /** The body of the answer. */
  problem(requestId: string): Problem {
    const { field, plan, workloads, changed, retryAfterSeconds } = this.more
    return {
      ...problemAbout(this.reason, { detail: this.message, requestId, status: this.status }),
      ...(field !== undefined && { field }), ...(plan !== undefined && { plan }),
      ...(workloads && { workloads: [...workloads] }),
      ...(changed && { changed }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }
  }
}

/** Makes a refusal from its parts. `detail` tells the reader what to do next. */
export function refuse(status: number, reason: ProblemReason, detail: Message | string, more: RefusalDetail = {}): Refusal {
  return new Refusal(status, reason, detail, more)
}

/**
 * The refusal for anything thrown; undefined for what nobody foresaw. `asConsole`: not a user was refused, but the
 * console.
 */
export function refusalOf(error: unknown, asConsole = false): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) {
    return refuse(503, 'StoreUnavailable', error.message, { retryAfterSeconds: STORE_RETRY_SECONDS })
  }
  return error instanceof KubeError ? fromApiServer(error, asConsole) : undefined
}

const STORE_RETRY_SECONDS = 5
const BUSY_SECONDS = 5

interface Told {
  status: number
  reason: ProblemReason
  /** `message`: what the API server says, as a sentence. */
  text: (message: string) => string
}

const refused = (message: string): string => `The API server refused: ${message}`

/** Each of the API server's answers in a calm sentence, by its code; 0: there was none. */
const TOLD: Readonly<Record<number, Told>> = {
  0: {
    status: 503, reason: 'Unreachable',
    text: () => 'The API server does not answer. Try again when the console is live.',
  },
  400: { status: 400, reason: 'Invalid', text: refused },
  401: {
    status: 401, reason: 'Unauthorized',
    text: () => 'The API server does not accept your credentials any more. Log in again.',
  },
  403: { status: 403, reason: 'Forbidden', text: refused },
  404: { status: 404, reason: 'NotFound', text: refused },
  409: {
    status: 409, reason: 'Conflict',
    text: (message) => `Somebody changed it at the same time: ${message} Look at it again, then decide anew.`,
  },
  410: {
    status: 410, reason: 'Expired',
    text: () => 'What was asked for has changed too much since it was begun to be read. Begin anew.',
  },
  429: {
    status: 429, reason: 'TooManyRequests',
    text: () => 'The API server has too much to do at present. Try again in a moment.',
  },
  503: {
    status: 503, reason: 'Unreachable',
    text: (message) => `The API server cannot serve this at present: ${message} Try again in a moment.`,
  },
  504: { status: 504, reason: 'Timeout', text: () => 'The API server did not finish in time.' },
}
const THERE_ALREADY: Told = { status: 409, reason: 'AlreadyExists', text: refused }
const OTHERWISE: Told = { status: 422, reason: 'Refused', text: refused }
const OWN_CREDENTIALS: Told = {
  status: 502, reason: 'CredentialsRefused',
  text: () => 'The API server does not accept the console’s own credentials. Whoever runs the console has to renew them.',
}

function fromApiServer(error: KubeError, asConsole: boolean): Refusal {
  const { status, reason, text } = toldAs(error, asConsole)
  const { causes, retryAfterSeconds = status === 429 ? BUSY_SECONDS : undefined } = error.status.details ?? {}
  // Which field is wrong helps whoever sent it; of everything else the object as a whole is meant.
  const field = [400, 409, 422].includes(status) ? causes?.[0]?.field : undefined
  return refuse(status, reason, text(withStop(error.message)), {
    field, ...((status === 429 || reason === 'Unreachable') && { retryAfterSeconds }),
  })
}

function toldAs({ code, reason }: KubeError, asConsole: boolean): Told {
  if (code === 401 && asConsole) return OWN_CREDENTIALS
  if (code === 409 && reason === 'AlreadyExists') return THERE_ALREADY
  const known = TOLD[code]
  if (known || code < 500) return known ?? OTHERWISE
  const text = (message: string): string => `The API server failed (${code}): ${message} Try again in a moment.`
  return { status: 502, reason: 'ApiServerFailed', text }
}

const withStop = (text: string): string => (/[.!?]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`)

/** For what nobody foresaw: no internals leave the server. */
export function internalError(requestId: string, changed?: Outcome): Refusal {
  return refuse(
    500, 'InternalError', `The console’s server failed at this. Its log says why, under the request id ${requestId}.`,
    { changed },
  )
}

const LEFT_BEHIND: Readonly<Record<Outcome, string>> = {
  nothing: 'Nothing was changed.',
  part: 'A part of it was done: look at what is there before you try again.',
  unknown: 'It is not known whether it was done: look before you try again.',
}

/** The refusal of an action, with what was left behind where that is not plain from the refusal itself. */
export function withOutcome(refusal: Refusal, outcome: Outcome, byApiServer: boolean): Refusal {
  if (outcome === 'nothing' && !byApiServer && refusal.status < 500) return refusal
  const { status, reason, message, more } = refusal
  return new Refusal(status, reason, `${message} ${LEFT_BEHIND[outcome]}`, { ...more, changed: outcome })
}
