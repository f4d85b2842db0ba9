/** Login with an identity provider: out with PKCE, state and nonce, and back with a code. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as oidc from 'openid-client'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { loginAddress, type LoginProblem, OIDC_CALLBACK_PATH, OIDC_START_PATH, ownPath } from '@/lib/view/login'
import type { Logger } from '@/server/runtime/controller'
import { type CookieSettings, cookieName, cookiesOf, isSecure, setCookie } from '../cookies'
import type { Sealer } from '../sealing'
import { type Confirmation, described, type LoginChecks, problemOf, type Provider } from './provider'

/** A login on its way, as the browser carries it: sealed, for one return, for ten minutes. */
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
  /** Where browsers reach the console. */
  publicUrl: string
  /** Begins the session: its `Set-Cookie` headers, or why there is none. */
  begin(request: IncomingMessage, confirmation: Confirmation): Promise<readonly string[] | LoginProblem>
  onAttempt(result: 'done' | 'refused' | 'failed'): void
}

const BASE_NAME = 'evenkeel-login'
const LASTS_MS = 600_000

/** Serves `/auth/oidc/…`; answers false for everything else. Whatever goes wrong leads to the login page with a sentence. */
export function createLoginFlow(options: LoginFlowOptions): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    const url = new URL(request.url ?? '/', options.publicUrl)
    if (url.pathname !== OIDC_START_PATH && url.pathname !== OIDC_CALLBACK_PATH) return false
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET', 'content-type': 'text/plain' }).end('This address takes GET.\n')
      return true
    }
    const answer = await (url.pathname === OIDC_START_PATH ? leave(options, request, url) : comeBack(options, request, url))
    response.writeHead(303, {
      location: answer.location, 'set-cookie': [...answer.cookies], 'cache-control': 'no-store', 'referrer-policy': 'no-referrer',
    }).end()
    return true
  }
}

interface Redirect {
  location: string
  cookies: readonly string[]
}

async function leave(options: LoginFlowOptions, request: IncomingMessage, url: URL): Promise<Redirect> {
  const returnTo = ownPath(url.searchParams.get('returnTo'))
  const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
  try {
    const location = await options.provider.loginUrl(checks)
    const underway: Underway = { ...checks, returnTo, begunAt: options.clock.now() }
    return { location: location.href, cookies: [keptCookie(options, request, await options.sealer.seal('oidc-login', underway))] }
  } catch (error) {
    return failed(options, { returnTo, error, cookies: [] })
  }
}

async function comeBack(options: LoginFlowOptions, request: IncomingMessage, url: URL): Promise<Redirect> {
  const gone = [keptCookie(options, request, '')]
  const underway = await underwayOf(options, request)
  if (!underway || url.searchParams.get('state') !== underway.state) {
    options.onAttempt('refused')
    return { location: loginAddress(underway?.returnTo ?? '/', 'stale'), cookies: gone }
  }
  const { returnTo } = underway
  try {
    const begun = await options.begin(request, await options.provider.confirm(url, underway))
    if (typeof begun !== 'string') {
      options.onAttempt('done')
      return { location: returnTo, cookies: [...gone, ...begun] }
    }
    options.onAttempt('refused')
    return { location: loginAddress(returnTo, begun), cookies: gone }
  } catch (error) {
    return failed(options, { returnTo, error, cookies: gone })
  }
}

function failed({ log, onAttempt }: LoginFlowOptions, { returnTo, error, cookies }: { returnTo: string; error: unknown; cookies: readonly string[] }): Redirect {
  const problem = problemOf(error)
  onAttempt(problem === 'unavailable' || problem === 'unfit' ? 'failed' : 'refused')
  log.warn({ reason: described(error), problem }, 'a login with the identity provider did not succeed')
  return { location: loginAddress(returnTo, problem), cookies }
}

async function underwayOf({ sealer, clock, cookies }: LoginFlowOptions, request: IncomingMessage): Promise<Underway | undefined> {
  const sealed = cookiesOf(request).get(cookieName(BASE_NAME, request, cookies))
  const underway = sealed ? await sealer.open<Underway>('oidc-login', sealed) : undefined
  return underway && clock.now() < underway.begunAt + LASTS_MS ? underway : undefined
}

/** Lax, for the provider sends the browser back from another site. */
function keptCookie({ cookies }: LoginFlowOptions, request: IncomingMessage, value: string): string {
  return setCookie(cookieName(BASE_NAME, request, cookies), value, {
    path: '/', sameSite: 'Lax', secure: isSecure(request, cookies), maxAgeSeconds: value === '' ? 0 : LASTS_MS / 1000,
  })
}
