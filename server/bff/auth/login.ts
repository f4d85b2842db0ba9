/** Assembles the login: authenticator, operations on sessions, and the login flow with the identity provider. */
import { message } from '@/lib/messages/message'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Stop } from '@/lib/std/clock'
import { english } from '@/lib/messages/english'
import { type LoginProblem, OIDC_CALLBACK_PATH, type SessionMarks } from '@/lib/view/login'
import type { KubeClient } from '@/server/kube/client'
import type { Logger } from '@/server/runtime/controller'
import type { Audit, AuditDraft } from '../audit/audit'
import type { Endpoint, OpenEndpoint } from '../http/endpoint'
import { type AuthMetrics, noBffMetrics } from '../metrics-hooks'
import type { SharedStore } from '../shared/store'
import { addressesBehind } from './address'
import { createLoginAttempts } from './login-attempts'
import { bearerOf, BearerTokens } from './bearer-tokens'
import type { CookieSettings } from './cookies'
import { SessionService, type SessionServiceParts } from './session-service'
import { localSessionEndpoints, sessionEndpoints } from './endpoints'
import type { Ended, Authenticator } from './authenticator'
import { createLocalAuthenticator } from './local'
import { Confirmations } from './oidc/confirmations'
import { createLoginFlow } from './oidc/login-flow'
import { createProvider } from './oidc/provider'
import type { OidcSettings } from './oidc/settings'
import { principalKey } from './principal-key'
import { createSealer } from './sealing'
import { createSessionCookie, type Session } from './session-cookie'
import { Sessions } from './sessions'
import type { LoginSettings } from './settings'
import { watchTokens } from './watched-tokens'

export interface LoginOptions {
  /** The console's own client: reviews tokens and impersonates users. */
  client: KubeClient
  clock: Clock
  log: Logger
  store: SharedStore
  settings: LoginSettings
  metrics?: AuthMetrics
  /** Records logins through an identity provider; requests to the API are recorded there. */
  audit?: Pick<Audit, 'record'>
  /** The user name until the API server has reported one. */
  user?: string
  /** What every page shows. */
  marks?: SessionMarks
}

export interface Login {
  readonly authenticator: Authenticator
  /** The endpoints of `/api/v1/session`. */
  readonly endpoints: readonly (Endpoint | OpenEndpoint)[]
  /** Serves the login flow under `/auth/oidc/`; resolves to false for every other request. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

/** Creates the login. The caller closes its authenticator. Throws for invalid settings. */
export function createLogin(options: LoginOptions): Login {
  return options.settings.required ? withSessions(options) : withoutSessions(options)
}

/** Without login, too, a request with a token acts as the owner of that token, not as the console. */
function withoutSessions({ client, clock, settings, user, marks }: LoginOptions): Login {
  const local = createLocalAuthenticator({
    client,
    clock,
    readOnly: settings.readOnly,
    ...(user !== undefined && { user }),
  })
  const ended = new HandlerList<Ended>()
  const bearerTokens = new BearerTokens({ client, clock, attempts: createLoginAttempts(clock), onEnded: ended.notify })
  const addressOf = addressesBehind(settings.proxies)
  const authenticator: Authenticator = {
    authenticate: (request) => {
      const token = bearerOf(request)
      return token === undefined ? local.authenticate(request) : bearerTokens.authenticate(token, addressOf(request))
    },
    onEnded: ended.follow,
    addressOf,
    readOnly: settings.readOnly,
    close: () => {
      local.close()
      bearerTokens.close()
    },
  }
  return { authenticator, endpoints: localSessionEndpoints(authenticator, marks), handle: () => Promise.resolve(false) }
}

function withSessions(options: LoginOptions): Login {
  const { client, clock, log, store, settings, audit, marks, metrics = noBffMetrics } = options
  const sealer = createSealer(settings.secrets)
  const cookies = { ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }) }
  const sessions = new Sessions({ store, clock, log, idleMs: settings.idleMs })
  const attempts = createLoginAttempts(clock)
  const addressOf = addressesBehind(settings.proxies)
  const shared = { client, clock, log, store, sealer, sessions }
  const oidc = settings.oidc && openProvider(settings.oidc, settings.publicUrl, shared)
  const sessionService = new SessionService({
    client,
    clock,
    log,
    metrics,
    settings,
    attempts,
    sessions,
    cookie: createSessionCookie(sealer, cookies),
    tokens: watchTokens(shared),
    ...(oidc && { oidc }),
  })
  const ended = new HandlerList<Ended>()
  sessions.onEnded(ended.notify)
  const bearerTokens = new BearerTokens({ client, clock, attempts, onEnded: ended.notify })
  const authenticator: Authenticator = {
    authenticate: async (request) => {
      const token = bearerOf(request)
      if (token !== undefined) return bearerTokens.authenticate(token, addressOf(request))
      const { id, identity, via, expiresAt } = await sessionService.sessionOf(request)
      return { identity, key: principalKey(identity), via, session: { id, expiresAt }, client: client.as(identity) }
    },
    onEnded: ended.follow,
    addressOf,
    readOnly: settings.readOnly,
    close: () => {
      sessions.close()
      bearerTokens.close()
    },
  }
  return {
    authenticator,
    endpoints: sessionEndpoints({
      authenticator,
      sessionService,
      sessions,
      settings,
      ...(oidc && { provider: oidc.provider.host }),
      ...(marks && { marks }),
    }),
    handle: oidc
      ? flowOver({ ...shared, ...oidc, sessionService, audit, metrics, addressOf, cookies })
      : () => Promise.resolve(false),
  }
}

type FlowParts = Shared
  & ReturnType<typeof openProvider>
  & Pick<SessionServiceParts, 'metrics'>
  & Pick<LoginOptions, 'audit'>
  & Pick<Authenticator, 'addressOf'> & { sessionService: SessionService; cookies: CookieSettings }

/** Builds the login flow. Failed logins are counted by address, separately from wrong tokens. */
function flowOver({ sessionService, audit, metrics, addressOf, ...parts }: FlowParts): Login['handle'] {
  return createLoginFlow({
    ...parts,
    addressOf,
    attempts: createLoginAttempts(parts.clock),
    begin: async (request, confirmation) => {
      const begun = await sessionService.begin(request, confirmation)
      const outcome = typeof begun === 'string' ? begun : begun.session
      audit?.record({ ...recordOf(request, outcome), address: addressOf(request) })
      return begun
    },
    onAttempt: (outcome) =>
      metrics.login('oidc', outcome === 'done' ? 'done' : FAULTS.has(outcome) ? 'failed' : 'refused'),
  })
}

type Shared = Pick<SessionServiceParts, 'client' | 'clock' | 'log' | 'sessions'>
  & Pick<ConstructorParameters<typeof Confirmations>[0], 'store' | 'sealer'>

function openProvider(oidc: OidcSettings, publicUrl: string | undefined, shared: Shared) {
  if (publicUrl === undefined) {
    throw new Error('login with an identity provider needs the address under which browsers reach the console')
  }
  const redirectUri = new URL(OIDC_CALLBACK_PATH, publicUrl).href
  const provider = createProvider({ ...oidc, redirectUri, now: () => shared.clock.now() })
  return { provider, publicUrl, confirmations: new Confirmations({ ...shared, provider }) }
}

/** Problems that are not the fault of the user. */
const FAULTS: ReadonlySet<LoginProblem> = new Set(['unavailable', 'unfit', 'busy', 'forbidden'])

/** Returns the audit record only for users that the provider knows: others must not be able to fill the log. */
function recordOf(request: IncomingMessage, outcome: Session | LoginProblem): Omit<AuditDraft, 'address'> {
  const what = {
    requestId: String(request.headers['x-request-id'] ?? ''),
    endpoint: `GET ${OIDC_CALLBACK_PATH}`,
    summary: message('api.action.logInByProvider'),
  }
  if (typeof outcome !== 'string') {
    return {
      ...what,
      status: 201,
      who: { identity: outcome.identity, key: principalKey(outcome.identity), via: 'oidc', session: outcome },
    }
  }
  const status = FAULTS.has(outcome) ? 503 : 401
  return {
    ...what,
    status,
    reason: outcome,
    detail: english(`login.problem.${outcome}`),
    who: { identity: { user: '', groups: [] }, key: '', via: 'oidc' },
  }
}

/** A list of handlers. */
class HandlerList<T> {
  readonly #handlers = new Set<(one: T) => void>()

  readonly notify = (one: T): void => {
    for (const handler of this.#handlers) handler(one)
  }

  readonly follow = (handler: (one: T) => void): Stop => {
    this.#handlers.add(handler)
    return () => void this.#handlers.delete(handler)
  }
}
