/** The sentences of everybody who is not let in. */
import { KubeError } from '@/lib/kube/errors'
import { Refusal, refuse } from '../http/refusal'
import { StoreUnavailable } from '../shared/store'
import type { EndReason, LoginReason } from './authenticator'

const no = (reason: LoginReason, message: string): Refusal => refuse(401, reason, message)

export const sentences = {
  nobody: 'Nobody is logged in. Log in first.',
  unreadable: 'This browser shows a session that this console did not make, or whose secret is no longer in use. Log '
    + 'in again.',
  idle: 'Your session ended because nothing was done for a while. Log in again.',
  expired: 'Your session has reached its longest time. Log in again.',
  loggedOut: 'You logged out. Log in again.',
  revoked: 'Your session was ended by an administrator. Log in again if you still may.',
  tokenEnded: 'The token with which you logged in is not accepted any more. Log in with a new one.',
  providerEnded: 'Your identity provider ended your session. Log in again.',
  providerSilent: 'Your identity provider could not confirm your session in time. Log in again.',
} as const

export const loginRequired = (): Refusal => no('LoginRequired', sentences.nobody)
export const unreadableSession = (): Refusal => no('LoginRequired', sentences.unreadable)
export const tokenInvalid = (): Refusal =>
  no('TokenInvalid', 'The API server does not accept this token: it is wrong, has expired, or was revoked.')

/** A session that ended, with the sentence that was given for it. */
export function sessionEnded(why: EndReason, message: string): Refusal {
  return no(why === 'idle' || why === 'expired' ? 'SessionExpired' : 'SessionRevoked', message)
}

export function tooManyAttempts(seconds: number): Refusal {
  return refuse(
    429, 'TooManyRequests', `Too many wrong tokens from this address. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: seconds },
  )
}

export function tooManyLogins(seconds: number): Refusal {
  return refuse(
    429, 'TooManyRequests', 'You have logged in too often to be let in once more. End sessions that you do not use, and '
    + `try again in ${Math.ceil(seconds / 60)} minutes.`,
    { retryAfterSeconds: seconds },
  )
}

export const tooManyGroups = (): Refusal =>
  refuse(
    403, 'Forbidden',
    'You are in more groups than a session can hold. Log in with an account or a token of fewer groups.',
  )

/** While nobody can tell whether a session was ended. */
export const storeAway = (): Refusal => refuse(
  503, 'StoreUnavailable',
  'The console cannot tell at present whether your session was ended: its shared store does not answer. Try again in a moment.',
)

/** What the API server says when it should say who somebody is. Rethrows what is no answer of it. */
export function reviewRefused(error: unknown): Refusal {
  if (error instanceof StoreUnavailable) return storeAway()
  if (!(error instanceof KubeError)) throw error
  if (error.code === 401) {
    return refuse(
      502, 'CredentialsRefused',
      'The API server does not accept the console’s own credentials, so nobody can log in. Whoever runs the console must renew them.',
    )
  }
  if (error.code === 403) {
    return refuse(
      502, 'CredentialsRefused',
      'The console’s own account may not review tokens or act as you, so nobody can log in. Whoever runs the console must grant it both: “create tokenreviews”, and “impersonate” for users and groups.',
    )
  }
  if (error.code === 400) {
    return refuse(
      403, 'Forbidden',
      'Your name or a group of yours holds characters that no request can carry. Log in with another account.',
    )
  }
  return refuse(
    503, 'Unreachable', 'The API server does not answer, so nobody can say who you are. Try again in a moment.',
  )
}

/** The HTTP status and the word of what was thrown; undefined for what is no refusal. */
export function partsOf(error: unknown): { code: number; reason: string } | undefined {
  return error instanceof Refusal ? { code: error.status, reason: error.reason } : undefined
}
