/** Login as browser and server speak of it: paths, bodies, answers, and where somebody goes afterwards. */
import type { z } from 'zod'
import type { loggedOutSchema, loginViewSchema, loginWaySchema, sessionViewSchema } from './schemas/login'

export const LOGIN_PAGE = '/login'
export const SESSION_PATH = '/api/v1/session'
export const RENEW_PATH = '/api/v1/session/renew'
export const LOGIN_PATH = '/api/v1/login'
export const OIDC_START_PATH = '/auth/oidc/start'
export const OIDC_CALLBACK_PATH = '/auth/oidc/callback'

export type LoginWay = z.infer<typeof loginWaySchema>

/** GET /api/v1/session: who is asking, and until when. */
export type SessionView = z.infer<typeof sessionViewSchema>

/** GET /api/v1/login: what the login page shows to who is not known yet. */
export type LoginView = z.infer<typeof loginViewSchema>

/** Answer to a logout. */
export type LoggedOut = z.infer<typeof loggedOutSchema>

/** Why a login at the identity provider did not succeed; the word stands in the address of the login page. */
export const loginProblems = {
  denied: 'The identity provider did not let you in. Try again, or ask whoever runs it.',
  stale: 'This login took too long, or was begun in another window. Begin again.',
  often: 'There were too many logins like this one. Try again in some minutes.',
  unavailable: 'The identity provider does not answer. Try again in a moment, or log in with a token.',
  unfit:
    'The identity provider did not say who you are in a way that this console accepts. The console’s log says what is missing.',
  crowded: 'You are in more groups than a session can hold. Ask for fewer groups in the token.',
  busy: 'The console cannot reach what it needs to let you in: its API server or its shared store. Try again in a moment.',
  forbidden:
    'This console may not act as you: its own account lacks the right to impersonate you. Ask whoever runs it.',
} as const
export type LoginProblem = keyof typeof loginProblems

/** The sentence of a problem; undefined for a word that is none. */
export function loginProblemText(word: string | undefined): string | undefined {
  return word !== undefined && Object.hasOwn(loginProblems, word) ? loginProblems[word as LoginProblem] : undefined
}

/** An address of the console and of nobody else, without its login page; `/` for anything that is not. */
export function ownPath(wanted: string | undefined | null): string {
  if (!wanted?.startsWith('/') || wanted.length > 2000) return '/'
  // Browsers read a backslash as a slash, and leave out tabs and line ends: `/\t/evil.example` is another host.
  if (/^\/[/\\]/.test(wanted) || /[\p{Cc}\s\\]/u.test(wanted)) return '/'
  const path = wanted.split(/[?#]/, 1)[0] ?? ''
  // `/.//evil.example` is `//evil.example` once its dots are resolved, which the next reader may take for a host.
  if (/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))/i.test(path)) return '/'
  const reserved = [LOGIN_PAGE, '/api', '/auth', '/live'].some(
    (start) => path === start || path.startsWith(`${start}/`),
  )
  return reserved ? '/' : wanted
}

/** The address of the login page that leads back to `path`. */
export function loginAddress(path: string, problem?: LoginProblem): string {
  const back = ownPath(path)
  const parts = [
    ...(back === '/' ? [] : [`returnTo=${encodeURIComponent(back)}`]),
    ...(problem ? [`problem=${problem}`] : []),
  ]
  return parts.length === 0 ? LOGIN_PAGE : `${LOGIN_PAGE}?${parts.join('&')}`
}
