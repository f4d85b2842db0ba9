/** Login with an identity provider: authorization code flow with PKCE, state and nonce. */
import { message } from '@/lib/messages/message'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as oidc from 'openid-client'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { loginAddress, type LoginProblem, OIDC_CALLBACK_PATH, OIDC_START_PATH, ownPath } from '@/lib/view/login'
import type { Logger } from '@/server/runtime/controller'
import { problemAnswer, send } from '../../http/answers'
import { textOf } from '../../http/language'
import { type Refusal, refuse } from '../../http/refusal'
import { requestIdOf } from '../../http/request-id'
import type { LoginAttempts } from '../login-attempts'
import { type CookieSettings, cookieName, cookiesOf, isSecure, setCookie } from '../cookies'
import type { StartedSession } from '../session-service'
import type { Sealer } from '../sealing'
import { type Confirmation, described, type LoginChecks, problemOf, type Provider } from './provider'

/** A login in progress, as kept in the browser: sealed, usable once, for ten minutes. */
interface Underway extends LoginChecks {
  returnTo: string
  begunAt: EpochMs
}

export interface LoginFlowOptions {
  provider: Provider
  sealer: Sealer
  clock: Clock
  log: Logger
  cookies: CookieSettings
  /** The address of the console for browsers. */
  publicUrl: string
  /** Begins the session, or returns why it is refused. */
  begin(request: IncomingMessage, confirmation: Confirmation): Promise<StartedSession | LoginProblem>
  /** Failed logins by address. */
  attempts: LoginAttempts
  addressOf(request: IncomingMessage): string
  /** Called for every login that returned from the provider or could not start. */
  onAttempt(outcome: 'done' | LoginProblem): void
}

const BASE_NAME = 'evenkeel-login'
const LASTS_MS = 600_000

/**
 * Returns a handler of `/auth/oidc/…` that resolves to false for other paths. Every failure leads to the login page
 * with a message.
 */
export function createLoginFlow(
  options: LoginFlowOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    const [path, query = ''] = (request.url ?? '').split(/\?(.*)/s, 2)
    if (path !== OIDC_START_PATH && path !== OIDC_CALLBACK_PATH) return false
    const url = new URL(`${path}?${query}`, options.publicUrl)
    if (request.method !== 'GET') {
      await send(response, problemAnswer(takesGet(path), requestIdOf(request), textOf(request)), request)
      return true
    }
    const answer =
      url.pathname === OIDC_START_PATH ? await leave(options, request, url) : await comeBack(options, request, url)
    response
      .writeHead(303, {
        location: answer.location,
        'set-cookie': [...answer.cookies],
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .end()
    return true
  }
}

const takesGet = (path: string): Refusal =>
  refuse(405, 'MethodNotAllowed', message('api.refused.method', { path, methods: ['GET'] }), {
    headers: { allow: 'GET' },
  })

interface Redirect {
  location: string
  cookies: readonly string[]
}

async function leave(options: LoginFlowOptions, request: IncomingMessage, url: URL): Promise<Redirect> {
  const returnTo = ownPath(url.searchParams.get('returnTo'))
  const elsewhere = publicStart(options, request, url)
  if (elsewhere !== undefined) return { location: elsewhere, cookies: [] }
  const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
  try {
    const location = await options.provider.loginUrl(checks)
    const underway: Underway = { ...checks, returnTo, begunAt: options.clock.now() }
    return {
      location: location.href,
      cookies: [keptCookie(options, request, await options.sealer.seal('oidc-login', underway))],
    }
  } catch (error) {
    return failed(options, { returnTo, error, cookies: [] })
  }
}

/**
 * Returns the public address to start at, if different: the provider returns the browser to the public address, and the
 * cookie is bound to the host name. Redirects only once, because a proxy may hide the host name that the browser uses.
 */
function publicStart(
  { publicUrl }: LoginFlowOptions,
  { headers: { host } }: IncomingMessage,
  url: URL,
): string | undefined {
  if (host === new URL(publicUrl).host || url.searchParams.has('moved')) return undefined
  const start = new URL(`${url.pathname}${url.search}`, publicUrl)
  start.searchParams.set('moved', '1')
  return start.href
}

async function comeBack(options: LoginFlowOptions, request: IncomingMessage, url: URL): Promise<Redirect> {
  const gone = [keptCookie(options, request, '')]
  const underway = await underwayOf(options, request)
  if (!underway || url.searchParams.get('state') !== underway.state) {
    options.onAttempt('stale')
    return { location: loginAddress(underway?.returnTo ?? '/', 'stale'), cookies: gone }
  }
  const { returnTo } = underway
  const address = options.addressOf(request)
  // Each return costs a request to the provider, and each failed one a log line.
  if (options.attempts.isGuessing(address)) {
    options.onAttempt('often')
    return { location: loginAddress(returnTo, 'often'), cookies: gone }
  }
  try {
    const begun = await options.begin(request, await options.provider.confirm(url, underway))
    options.onAttempt(typeof begun === 'string' ? begun : 'done')
    if (typeof begun === 'string') return { location: loginAddress(returnTo, begun), cookies: gone }
    return { location: returnTo, cookies: [...gone, ...begun.cookies] }
  } catch (error) {
    options.attempts.wrong(address)
    return failed(options, { returnTo, error, cookies: gone })
  }
}

function failed(
  { log, onAttempt }: LoginFlowOptions,
  { returnTo, error, cookies }: { returnTo: string; error: unknown; cookies: readonly string[] },
): Redirect {
  const problem = problemOf(error)
  onAttempt(problem)
  log.warn({ reason: described(error), problem }, 'login with the identity provider failed')
  return { location: loginAddress(returnTo, problem), cookies }
}

async function underwayOf(
  { sealer, clock, cookies }: LoginFlowOptions,
  request: IncomingMessage,
): Promise<Underway | undefined> {
  const sealed = cookiesOf(request).get(cookieName(BASE_NAME, request, cookies))
  const underway = sealed ? await sealer.open<Underway>('oidc-login', sealed) : undefined
  return underway && clock.now() < underway.begunAt + LASTS_MS ? underway : undefined
}

/** SameSite Lax, because the provider redirects the browser from another site. */
function keptCookie({ cookies }: LoginFlowOptions, request: IncomingMessage, value: string): string {
  return setCookie(cookieName(BASE_NAME, request, cookies), value, {
    path: '/',
    sameSite: 'Lax',
    secure: isSecure(request, cookies),
    maxAgeSeconds: value === '' ? 0 : LASTS_MS / 1000,
  })
}
