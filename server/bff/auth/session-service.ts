/** Begins, renews and ends sessions. */
import { message } from '@/lib/messages/message'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { KubeError } from '@/lib/kube/errors'
import type { Identity } from '@/lib/kube/rbac/attributes'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { LOGIN_PAGE, type LoginProblem } from '@/lib/view/login'
import type { KubeClient } from '@/server/kube/client'
import type { Logger } from '@/server/runtime/controller'
import type { AuthMetrics } from '../metrics-hooks'
import { UserQuota } from '../shared/user-quota'
import { StoreUnavailable } from '../shared/store'
import { addressesBehind } from './address'
import type { LoginAttempts } from './login-attempts'
import type { Confirmations } from './oidc/confirmations'
import { type Confirmation, described, type Provider } from './oidc/provider'
import {
  codeOf,
  loginRequired,
  partsOf,
  reviewRefused,
  storeUnavailable,
  tokenInvalid,
  tooManyGroups,
  tooManyLogins,
  unreadableSession,
} from './refusals'
import { mustBeAbleToActAs, reviewToken } from './reviews'
import type { Session, SessionCookie } from './session-cookie'
import type { Sessions } from './sessions'
import type { LoginSettings } from './settings'
import { endOfToken, type WatchedTokens } from './watched-tokens'

export interface SessionServiceParts {
  client: KubeClient
  clock: Clock
  log: Logger
  metrics: AuthMetrics
  settings: LoginSettings
  attempts: LoginAttempts
  cookie: SessionCookie
  sessions: Sessions
  tokens: WatchedTokens
  oidc?: { provider: Provider; confirmations: Confirmations }
}

/** A session and the `Set-Cookie` headers for it. */
export interface StartedSession {
  session: Session
  cookies: readonly string[]
}

/** Limit of the stored data for the sessions of one user, in characters: some hundred sessions. */
const SHARE = 1_000_000
/** Stored characters of a session besides its token. */
const BESIDES = 1000

export class SessionService {
  readonly #quota: UserQuota

  constructor(private readonly parts: SessionServiceParts) {
    this.#quota = new UserQuota({ clock: parts.clock, mostCharacters: SHARE })
  }

  /**
   * Returns the current session of this request. Rejects with a Refusal (401, or 503 while its validity is unknown).
   */
  async sessionOf(request: IncomingMessage): Promise<Session> {
    const { cookie, sessions, metrics } = this.parts
    const shown = await cookie.read(request)
    if (shown === 'none') throw loginRequired()
    if (shown === 'unreadable') {
      metrics.sessionRefused('forged')
      throw unreadableSession()
    }
    const session = await this.#current(shown)
    sessions.track(session)
    return session
  }

  /**
   * Logs in with a token. Rejects with a Refusal: 401 for a wrong token, 429 for too many wrong tokens or too many
   * logins of one user, 502 or 503 while the validity is unknown.
   */
  async logIn(request: IncomingMessage, token: string): Promise<StartedSession> {
    const { metrics } = this.parts
    try {
      const begun = await this.#logInWith(request, token)
      metrics.login('token', 'done')
      return begun
    } catch (error) {
      metrics.login('token', (partsOf(error)?.code ?? 500) < 500 ? 'refused' : 'failed')
      throw error instanceof StoreUnavailable ? storeUnavailable() : error
    }
  }

  /** Begins the session of a user whom the identity provider has confirmed. */
  async begin(request: IncomingMessage, confirmation: Confirmation): Promise<StartedSession | LoginProblem> {
    const { log, client, oidc, clock } = this.parts
    if (!confirmation.identity.ok) {
      log.warn({ reason: confirmation.identity.error }, 'identity provider did not identify the user')
      return 'unfit'
    }
    const identity = confirmation.identity.value
    if (this.#quota.fullUntil(identity.user) !== undefined) return 'often'
    try {
      await mustBeAbleToActAs(client, identity)
      const session = await this.#newSession({
        identity,
        via: 'oidc',
        until: Infinity,
        confirmedUntil: confirmation.until,
      })
      await this.#endShown(request)
      const begun = await this.#notify(request, session)
      await oidc?.confirmations.begin(session, confirmation)
      this.#consumeAttempt(session, confirmation.refreshToken)
      return begun
    } catch (error) {
      log.warn(
        { reason: described(error), at: clock.now() },
        'user authenticated by the identity provider could not log in',
      )
      if (partsOf(error)) return 'crowded'
      if (error instanceof StoreUnavailable) return 'busy'
      if (error instanceof KubeError) return error.code === 403 || error.code === 400 ? 'forbidden' : 'busy'
      throw error
    }
  }

  /** Renews the session of a browser in use. Rejects with a Refusal when there is none. */
  async renew(request: IncomingMessage): Promise<StartedSession> {
    const session = { ...(await this.sessionOf(request)), seenAt: this.parts.clock.now() }
    const begun = await this.#notify(request, session)
    await this.parts.sessions.seen(session)
    return begun
  }

  /** Ends the session of this browser on all instances. Never refuses: a logout always succeeds. */
  async logOut(
    request: IncomingMessage,
  ): Promise<{ cookies: readonly string[]; continueAt?: string; ended?: Session }> {
    const { cookie, oidc, settings } = this.parts
    const shown = await this.#endShown(request)
    const done = { cookies: cookie.remove(request), ...(shown && { ended: shown }) }
    if (shown?.via !== 'oidc' || !oidc || settings.publicUrl === undefined) return done
    const continueAt = await this.#logoutAtProvider(oidc.provider, settings.publicUrl)
    return continueAt === undefined ? done : { ...done, continueAt }
  }

  async #current(shown: Session): Promise<Session> {
    const { sessions, oidc, metrics } = this.parts
    try {
      await sessions.refuseEnded(shown)
      if (shown.via === 'token') return shown
      // A provider that is no longer configured cannot confirm sessions.
      if (!oidc) throw unreadableSession()
      return { ...shown, identity: await oidc.confirmations.identityOf(shown) }
    } catch (error) {
      const { code, reason } = partsOf(error) ?? {}
      const isIdle = codeOf(error) === 'api.auth.idle'
      if (code === 401) metrics.sessionRefused(isIdle ? 'idle' : reason === 'SessionExpired' ? 'expired' : 'revoked')
      throw error
    }
  }

  async #logInWith(request: IncomingMessage, token: string): Promise<StartedSession> {
    const { client, attempts, settings, tokens, sessions } = this.parts
    const address = addressesBehind(settings.proxies)(request)
    attempts.refuseGuessing(address)
    const identity = await this.#reviewed(() => reviewToken(client, token))
    if (!identity) {
      attempts.wrong(address)
      throw tokenInvalid()
    }
    this.#mustHaveRoom(identity)
    await this.#reviewed(() => mustBeAbleToActAs(client, identity))
    const session = await this.#newSession({ identity, via: 'token', until: endOfToken(token) ?? Infinity })
    await this.#endShown(request)
    const begun = await this.#notify(request, session)
    await tokens.keep(session, token)
    this.#consumeAttempt(session, token)
    sessions.track(session)
    return begun
  }

  /** Repeated logins of one user must not fill the store in which all sessions are kept. */
  #mustHaveRoom({ user }: Identity): void {
    const until = this.#quota.fullUntil(user)
    if (until !== undefined) throw tooManyLogins(Math.ceil((until - this.parts.clock.now()) / 1000))
  }

  #consumeAttempt({ identity: { user }, expiresAt }: Session, secret = ''): void {
    this.#quota.add(user, secret.length + BESIDES, expiresAt - this.parts.clock.now())
  }

  async #reviewed<T>(review: () => Promise<T>): Promise<T> {
    try {
      return await review()
    } catch (error) {
      throw reviewRefused(error)
    }
  }

  /** Rejects with StoreUnavailable. */
  async #newSession({
    until,
    ...known
  }: Pick<Session, 'identity' | 'via' | 'confirmedUntil'> & { until: EpochMs }): Promise<Session> {
    const { clock, sessions, settings } = this.parts
    const mark = await sessions.markOf(known.identity.user)
    const now = clock.now()
    const expiresAt = Math.min(now + settings.lastsMs, until)
    return { id: randomUUID(), ...known, ...(mark !== undefined && { mark }), seenAt: now, expiresAt }
  }

  async #notify(request: IncomingMessage, session: Session): Promise<StartedSession> {
    const cookies = await this.parts.cookie.keep(request, session)
    if (!cookies) throw tooManyGroups()
    return { session, cookies }
  }

  /** A new login and a logout end the previous session, so that no other user can continue it. */
  async #endShown(request: IncomingMessage): Promise<Session | undefined> {
    const { cookie, sessions, tokens, oidc, log } = this.parts
    const shown = await cookie.read(request)
    if (typeof shown === 'string' || (await sessions.isOver(shown))) return undefined
    await sessions.end(shown, 'loggedOut', message('api.auth.loggedOut'))
    try {
      await (shown.via === 'token' ? tokens.forget(shown.id) : oidc?.confirmations.forget(shown))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      log.warn({ err: error }, 'failed to delete the stored data of an ended session; it expires by itself')
    }
    return shown
  }

  async #logoutAtProvider(provider: Provider, publicUrl: string): Promise<string | undefined> {
    try {
      return (await provider.logoutUrl(new URL(LOGIN_PAGE, publicUrl).href))?.href
    } catch (error) {
      this.parts.log.warn(
        { reason: described(error) },
        'identity provider does not respond; its own session stays open',
      )
      return undefined
    }
  }
}
