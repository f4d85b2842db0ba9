/** Login paths, bodies and answers that browser and server share, and the page to open after a login. */
import type { z } from 'zod'
import type { loggedOutSchema, loginViewSchema, loginWaySchema, sessionViewSchema } from './schemas/login'

export const LOGIN_PAGE = '/login'
export const SESSION_PATH = '/api/v1/session'
export const RENEW_PATH = '/api/v1/session/renew'
export const LOGIN_PATH = '/api/v1/login'
export const OIDC_START_PATH = '/auth/oidc/start'
export const OIDC_CALLBACK_PATH = '/auth/oidc/callback'

export type LoginWay = z.infer<typeof loginWaySchema>

/** GET /api/v1/session: the current user, and the end of the session. */
export type SessionView = z.infer<typeof sessionViewSchema>

/** Control plane of which this one is a twin, and the time of the copy. */
export type TwinMark = NonNullable<SessionView['twin']>

/** What the composition root tells every page. */
export type SessionMarks = Pick<SessionView, 'twin' | 'controlPlanes'>

export type ControlPlaneLink = NonNullable<SessionView['controlPlanes']>[number]

/** GET /api/v1/login: content of the login page before a login. */
export type LoginView = z.infer<typeof loginViewSchema>

/** Answer to a logout. */
export type LoggedOut = z.infer<typeof loggedOutSchema>

/** Why a login at the identity provider failed; part of the URL of the login page, and of `login.problem.<word>`. */
const LOGIN_PROBLEMS = ['denied', 'stale', 'often', 'unavailable', 'unfit', 'crowded', 'busy', 'forbidden'] as const
export type LoginProblem = (typeof LOGIN_PROBLEMS)[number]

export const isLoginProblem = (word: string | null): word is LoginProblem =>
  LOGIN_PROBLEMS.includes(word as LoginProblem)

/**
 * Returns `wanted` if it is a page of this console other than the login page, otherwise `/`, to prevent an open
 * redirect.
 */
export function ownPath(wanted: string | undefined | null): string {
  if (!wanted?.startsWith('/') || wanted.length > 2000) return '/'
  // Browsers treat a backslash as a slash and ignore tabs and line ends, so `/\t/evil.example` is another host.
  if (/^\/[/\\]/.test(wanted) || /[\p{Cc}\s\\]/u.test(wanted)) return '/'
  const path = wanted.split(/[?#]/, 1)[0] ?? ''
  // `/.//evil.example` becomes `//evil.example` after resolving dots, which may be read as a host.
  if (/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))/i.test(path)) return '/'
  const reserved = [LOGIN_PAGE, '/api', '/auth', '/live'].some(
    (start) => path === start || path.startsWith(`${start}/`),
  )
  return reserved ? '/' : wanted
}

/** Returns the URL of the login page that leads back to `path`. */
export function loginAddress(path: string, problem?: LoginProblem): string {
  const back = ownPath(path)
  const parts = [
    ...(back === '/' ? [] : [`returnTo=${encodeURIComponent(back)}`]),
    ...(problem ? [`problem=${problem}`] : []),
  ]
  return parts.length === 0 ? LOGIN_PAGE : `${LOGIN_PAGE}?${parts.join('&')}`
}
