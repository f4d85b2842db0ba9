/** The refusals of login and sessions. */
import { KubeError } from '@/lib/kube/errors'
import { isMessage, type Message, message } from '@/lib/messages/message'
import { Refusal, refuse } from '../http/refusal'
import { StoreUnavailable } from '../shared/store'
import type { EndReason, LoginReason } from './authenticator'

const no = (reason: LoginReason, detail: Message | string): Refusal => refuse(401, reason, detail)

export const loginRequired = (): Refusal => no('LoginRequired', message('api.auth.loginRequired'))
export const unreadableSession = (): Refusal => no('LoginRequired', message('api.auth.unreadable'))
export const tokenInvalid = (): Refusal => no('TokenInvalid', message('api.auth.tokenInvalid'))

/** Returns the refusal for an ended session, with the stated cause. */
export function sessionEnded(why: EndReason, detail: Message | string): Refusal {
  return no(why === 'idle' || why === 'expired' ? 'SessionExpired' : 'SessionRevoked', detail)
}

export function tooManyAttempts(seconds: number): Refusal {
  return refuse(429, 'TooManyRequests', message('api.auth.tooManyAttempts', { after: { ms: seconds * 1000 } }), {
    retryAfterSeconds: seconds,
  })
}

export function tooManyLogins(seconds: number): Refusal {
  return refuse(
    429,
    'TooManyRequests',
    message('api.auth.tooManyLogins', { after: { ms: Math.ceil(seconds / 60) * 60_000 } }),
    { retryAfterSeconds: seconds },
  )
}

export const tooManyGroups = (): Refusal => refuse(403, 'Forbidden', message('api.auth.tooManyGroups'))

/** Returns the refusal while the shared store cannot show whether a session was ended. */
export const storeUnavailable = (): Refusal => refuse(503, 'StoreUnavailable', message('api.auth.storeAway'))

/** Returns the refusal of a login for an error of a review. Rethrows errors that are not from the API server. */
export function reviewRefused(error: unknown): Refusal {
  if (error instanceof StoreUnavailable) return storeUnavailable()
  if (!(error instanceof KubeError)) throw error
  if (error.code === 401) return refuse(502, 'CredentialsRefused', message('api.auth.ownCredentials'))
  if (error.code === 403) return refuse(502, 'CredentialsRefused', message('api.auth.ownPermissions'))
  if (error.code === 400) return refuse(403, 'Forbidden', message('api.auth.badName'))
  return refuse(503, 'Unreachable', message('api.auth.apiServerAway'))
}

/** Returns the HTTP status and reason of a Refusal; undefined for other errors. */
export function partsOf(error: unknown): { code: number; reason: string } | undefined {
  return error instanceof Refusal ? { code: error.status, reason: error.reason } : undefined
}

/** Returns the message code of a refusal's detail, if the detail is a message. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Refusal && isMessage(error.detail) ? error.detail.code : undefined
