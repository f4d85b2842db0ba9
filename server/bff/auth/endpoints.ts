/** The operations on sessions. Login and logout are open: the user is not known yet, or is ending the session. */
import { message } from '@/lib/messages/message'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Identity } from '@/lib/kube/rbac/attributes'
import {
  type LoginView,
  LOGIN_PATH,
  type LoginWay,
  RENEW_PATH,
  SESSION_PATH,
  type SessionView,
  type SessionMarks,
} from '@/lib/view/login'
import { loggedOutSchema, loginViewSchema, sessionViewSchema, tokenLoginBody } from '@/lib/view/schemas/login'
import { type Audited, type Endpoint, endpoint, openEndpoint, type OpenEndpoint } from '../http/endpoint'
import { textOf } from '../http/language'
import { codeOf } from './refusals'
import { Refusal } from '../http/refusal'
import type { StartedSession, SessionService } from './session-service'
import type { Authenticator } from './authenticator'
import type { Principal } from './principal'
import { principalKey } from './principal-key'
import type { Session } from './session-cookie'
import type { Sessions } from './sessions'
import type { LoginSettings } from './settings'

const tag = 'api.tag.session'

/** Without a login, a session can only be read. */
export function localSessionEndpoints(
  authenticator: Authenticator,
  marks: SessionMarks = {},
): (Endpoint | OpenEndpoint)[] {
  const view = (principal: Principal): SessionView => ({
    ...currentUser(principal),
    readOnly: authenticator.readOnly,
    canLogout: false,
    loginWays: [],
    ...marks,
  })
  return [showSession(view), showLogin(async () => ({ required: false, ways: [] }))]
}

export interface SessionEndpointsParts {
  authenticator: Authenticator
  sessionService: SessionService
  sessions: Sessions
  settings: LoginSettings
  /** The host of the identity provider, if configured. */
  provider?: string
  marks?: SessionMarks
}

export function sessionEndpoints(parts: SessionEndpointsParts): (Endpoint | OpenEndpoint)[] {
  const { sessionService, provider } = parts
  const ways: LoginWay[] = provider === undefined ? ['token'] : ['oidc', 'token']
  return [
    showSession((principal) => viewOf(parts, ways, principal)),
    showLogin(async (request): Promise<LoginView> => {
      const notice = await noticeFor(sessionService, request)
      return {
        required: true,
        ways,
        ...(provider !== undefined && { provider }),
        ...(notice !== undefined && { notice }),
      }
    }),
    logIn(parts, ways),
    renew(parts, ways),
    logOut(sessionService),
    endAllOf(parts),
  ]
}

function showSession(view: (principal: Principal) => SessionView): Endpoint {
  return endpoint({
    method: 'GET',
    path: SESSION_PATH,
    kind: 'query',
    tag,
    response: sessionViewSchema,
    summary: 'api.endpoint.session',
    description: 'api.endpoint.session.description',
    perform: ({ principal }) => view(principal),
  })
}

function showLogin(answer: (request: IncomingMessage) => Promise<LoginView>): OpenEndpoint {
  return openEndpoint({
    open: true,
    method: 'GET',
    path: LOGIN_PATH,
    kind: 'query',
    tag,
    response: loginViewSchema,
    summary: 'api.endpoint.login',
    perform: ({ request }) => answer(request),
  })
}

function logIn(parts: SessionEndpointsParts, ways: LoginWay[]): OpenEndpoint {
  return openEndpoint({
    open: true,
    method: 'POST',
    path: SESSION_PATH,
    kind: 'action',
    tag,
    body: tokenLoginBody,
    response: sessionViewSchema,
    summary: 'api.action.logIn',
    description: 'api.endpoint.logIn.description',
    perform: async ({ request, body, concerns }) => {
      const { session, cookies } = await parts.sessionService.logIn(request, body.token)
      concerns(personOf(session.identity))
      return begun(parts, ways, { session, cookies })
    },
  })
}

function renew(parts: SessionEndpointsParts, ways: LoginWay[]): Endpoint {
  return endpoint({
    method: 'POST',
    path: RENEW_PATH,
    kind: 'query',
    tag,
    body: z.strictObject({}),
    response: sessionViewSchema,
    summary: 'api.endpoint.renew',
    perform: async ({ request }) => ({ ...begun(parts, ways, await parts.sessionService.renew(request)), status: 200 }),
  })
}

function logOut(sessionService: SessionService): OpenEndpoint {
  return openEndpoint({
    open: true,
    unlimited: true,
    method: 'DELETE',
    path: SESSION_PATH,
    kind: 'action',
    tag,
    response: loggedOutSchema,
    summary: 'api.action.logOut',
    description: 'api.endpoint.logOut.description',
    perform: async ({ request, concerns }) => {
      const { cookies, continueAt, ended } = await sessionService.logOut(request)
      if (ended) concerns(personOf(ended.identity))
      return { body: continueAt === undefined ? {} : { continueAt }, headers: { 'set-cookie': cookies } }
    },
  })
}

/** Users who may impersonate a user may also end that user's sessions. */
function endAllOf({ sessions, settings }: SessionEndpointsParts): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/{user}',
    kind: 'action',
    tag,
    response: z.object({ user: z.string() }),
    summary: 'api.action.revokeSessions',
    description: 'api.endpoint.revokeSessions.description',
    needs: ({ params: { user = '' } }) => [{ verb: 'impersonate', group: '', resource: 'users', name: user }],
    perform: async ({ params: { user = '' }, principal, concerns }) => {
      concerns(personOf({ user, groups: [] }))
      await sessions.endAllOf(user, message('api.auth.revokedBy', { user: principal.identity.user }), settings.lastsMs)
      return { user }
    },
  })
}

/** Returns the user that an action on sessions concerns, for the audit log. */
function personOf(identity: Identity): Audited {
  return {
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'User', name: identity.user, uid: principalKey(identity) },
  }
}

function begun(parts: SessionEndpointsParts, ways: LoginWay[], { session, cookies }: StartedSession) {
  return { body: sessionView(parts, ways, session), status: 201, headers: { 'set-cookie': cookies } }
}

function viewOf(parts: SessionEndpointsParts, ways: LoginWay[], principal: Principal): SessionView {
  const { session, via } = principal
  const ofBrowser = via === 'token' || via === 'oidc'
  return {
    ...currentUser(principal),
    ...(session && { expiresAt: session.expiresAt }),
    ...(ofBrowser && idleOf(parts.settings)),
    readOnly: parts.authenticator.readOnly,
    canLogout: ofBrowser,
    loginWays: ways,
    ...parts.marks,
  }
}

function sessionView(
  parts: SessionEndpointsParts,
  ways: LoginWay[],
  { identity, via, expiresAt }: Session,
): SessionView {
  return {
    ...currentUser({ identity, via }),
    expiresAt,
    ...idleOf(parts.settings),
    readOnly: parts.authenticator.readOnly,
    canLogout: true,
    loginWays: ways,
    ...parts.marks,
  }
}

function currentUser({ identity: { user, groups }, via }: Pick<Principal, 'identity' | 'via'>) {
  return { user, groups: groups.filter((group) => group !== 'system:authenticated'), via }
}

/**
 * Returns the idle settings with a report interval of a sixth of the idle time: often enough that a browser in use
 * never counts as idle, and rare enough that its cookie is seldom written.
 */
function idleOf({ idleMs }: LoginSettings): Pick<SessionView, 'idle'> {
  return idleMs === undefined
    ? {}
    : { idle: { timeoutMs: idleMs, renewEveryMs: Math.max(1000, Math.floor(idleMs / 6)) } }
}

/** Returns why the session of this browser is invalid; undefined without a session or with a valid one. */
async function noticeFor(sessionService: SessionService, request: IncomingMessage): Promise<string | undefined> {
  try {
    await sessionService.sessionOf(request)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return codeOf(error) === 'api.auth.loginRequired' ? undefined : error.problem('', textOf(request)).detail
  }
}
