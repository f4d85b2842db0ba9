/** How the BFF says no. */
import { KubeError } from '@/lib/kube/errors'
import { type Outcome, type Problem, problemAbout, type ProblemReason } from '@/lib/view/problems'
import { StoreUnavailable } from '../shared/store'

interface RefusalDetail {
  /** JSON path of the offending field. */
  field?: string | undefined
  plan?: unknown
  retryAfterSeconds?: number | undefined
  changed?: Outcome | undefined
  headers?: Readonly<Record<string, string>>
}

/** Thrown by actions and guards; becomes the problem that is answered. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly status: number, readonly reason: ProblemReason, message: string, readonly more: RefusalDetail = {},
  ) {
    super(message)
  }

  /** The body of the answer. */
  problem(requestId: string): Problem {
    const { field, plan, changed, retryAfterSeconds } = this.more
    return {
      ...problemAbout(this.reason, { detail: this.message, requestId, status: this.status }),
      ...(field !== undefined && { field }), ...(plan !== undefined && { plan }),
      ...(changed && { changed }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }
  }
}

/** Makes a refusal from its parts. `message` tells the reader what to do next. */
export function refuse(status: number, reason: ProblemReason, message: string, more: RefusalDetail = {}): Refusal {
  return new Refusal(status, reason, message, more)
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

/** Each of the API server's answers in a calm sentence. */
function fromApiServer(error: KubeError, asConsole: boolean): Refusal {
  const { code, status: { details } } = error
  const message = withStop(error.message)
  const field = details?.causes?.[0]?.field
  switch (code) {
    case 0:
      return refuse(503, 'Unreachable', 'The API server does not answer. Try again when the console is live.')
    case 401:
      return asConsole
        ? refuse(
            502,
            'CredentialsRefused',
            'The API server does not accept the console’s own credentials. Whoever runs the console has to renew them.',
          )
        : refuse(401, 'Unauthorized', 'The API server does not accept your credentials any more. Log in again.')
    case 403:
      return refuse(403, 'Forbidden', `The API server refused: ${message}`)
    case 404:
      return refuse(404, 'NotFound', `The API server refused: ${message}`)
    case 409:
      return error.reason === 'AlreadyExists'
        ? refuse(409, 'AlreadyExists', `The API server refused: ${message}`, { field })
        : refuse(
            409,
            'Conflict',
            `Somebody changed it at the same time: ${message} Look at it again, then decide anew.`,
            { field },
          )
    case 410:
      return refuse(
        410,
        'Expired',
        'What was asked for has changed too much since it was begun to be read. Begin anew.',
      )
    case 429:
      return refuse(429, 'TooManyRequests', 'The API server has too much to do at present. Try again in a moment.', {
        retryAfterSeconds: details?.retryAfterSeconds ?? BUSY_SECONDS,
      })
    case 503:
      return refuse(
        503,
        'Unreachable',
        `The API server cannot serve this at present: ${message} Try again in a moment.`,
        { retryAfterSeconds: details?.retryAfterSeconds },
      )
    case 504:
      return refuse(504, 'Timeout', 'The API server did not finish in time.')
    default:
      return code >= 500
        ? refuse(502, 'ApiServerFailed', `The API server failed (${code}): ${message} Try again in a moment.`)
        : refuse(code === 400 ? 400 : 422, code === 400 ? 'Invalid' : 'Refused', `The API server refused: ${message}`, {
            field,
          })
  }
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
