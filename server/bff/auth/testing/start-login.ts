/** A login on a free port, with its own API server and with browsers that keep cookies. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { allKinds } from '@/lib/kube/kinds'
import { configMap } from '@/lib/kube/kinds/config-map'
import { serviceAccount } from '@/lib/kube/kinds/service-account'
import type { Clock } from '@/lib/std/clock'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { type ApiServer, createMemoryStore as createObjects, startApiServer } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { clientOver } from '@/server/kube/rest-client'
import type { Logger } from '@/server/runtime/controller'
import { createLogger } from '@/server/telemetry/logger'
import { createBff } from '../..'
import type { AuditDraft } from '../../audit/audit'
import { type AnyEndpoint, endpoint } from '../../http/endpoint'
import { noBffMetrics } from '../../metrics-hooks'
import { createMemoryStore } from '../../shared/memory-store'
import type { SharedStore } from '../../shared/store'
import { call, type Called, type CallOptions } from '../../testing/call'
import { FedInformers } from '../../testing/fed-informers'
import type { Ended } from '../authenticator'
import { createLogin, type Login } from '../login'
import type { LoginSettings } from '../settings'

export const ADMIN = { token: 'admin-token', user: 'admin', groups: ['system:masters'] }
export const JANE = { token: 'jane-token', user: 'jane', groups: ['shop'] }
/** A token of the maximum accepted length. */
export const LONG = { token: 'l'.repeat(16_000), user: 'long', groups: [] as string[] }
export const JOE = { token: 'joe-token', user: 'joe', groups: ['lab'] }

export const SECRET = 's'.repeat(32)
export const IDLE_MS = 30 * 60_000
export const LASTS_MS = 12 * 3_600_000

export const settings: LoginSettings = {
  required: true,
  readOnly: false,
  proxies: new BlockList(),
  idleMs: IDLE_MS,
  lastsMs: LASTS_MS,
  secrets: [SECRET],
}

export interface StartedLogin {
  url: string
  clock: FakeClock
  client: KubeClient
  server: ApiServer
  login: Login
  ended: Ended[]
  /** Audit records besides those of the API. */
  audited: AuditDraft[]
  /** The status codes of answered requests, including those whose client disconnected. */
  codes: number[]
  /** Errors that the console logged as its own faults. */
  faults: object[]
  browser(): Browser
}

export interface LoginSetup {
  settings?: Partial<LoginSettings>
  /** Default: a store of its own. */
  store?: (clock: Clock) => SharedStore
  /** Default: a clock that advances only when the test moves it. */
  clock?: Clock
  /** An API server that is already running, for a second instance of the console. */
  beside?: StartedLogin
  /** The identity of the console at the API server. Default: an administrator. */
  caller?: { user: string; groups: readonly string[] }
}

/** Starts the login until the test ends. Besides the real operations it serves `/api/v1/whoami` and `/api/v1/read`. */
export async function startLogin(setup: LoginSetup = {}): Promise<StartedLogin> {
  const fake = setup.beside?.clock ?? createFakeClock()
  const clock = setup.clock ?? fake
  const server = setup.beside?.server ?? (await startServer(clock))
  const client = clientOver(server.local({ caller: setup.caller ?? ADMIN }))
  const store =
    setup.store?.(clock)
    ?? createMemoryStore({
      clock,
      onError: (error) => {
        throw error
      },
    })
  const audited: AuditDraft[] = []
  const login = createLogin({
    audit: { record: (draft) => void audited.push(draft) },
    client,
    clock,
    store,
    log: createLogger({ level: 'silent' }),
    settings: { ...settings, ...setup.settings },
    metrics: noBffMetrics,
  })
  const ended: Ended[] = []
  const codes: number[] = []
  const faults: object[] = []
  const silent = createLogger({ level: 'silent' })
  const log: Logger = { ...silent, child: () => log, error: (fields) => void faults.push(fields) }
  login.authenticator.onEnded((one) => void ended.push(one))
  const bff = createBff({
    client,
    clock,
    informers: new FedInformers(),
    log,
    random: Math.random,
    figures: { ...noBffMetrics, httpRequest: (_method, _route, code) => void codes.push(code) },
    allowedHosts: ['console.example'],
    about: { mode: 'embedded', server: server.url, reconcilers: () => [] },
    authenticator: login.authenticator,
    endpoints: [...login.endpoints, ...probes()],
  })
  const http = createServer(
    (request, response) => void login.handle(request, response).then((ours) => ours || bff.handle(request, response)),
  )
  await new Promise<void>((resolve) => {
    const { publicUrl } = setup.settings ?? {}
    http.listen(publicUrl === undefined || setup.beside ? 0 : Number(new URL(publicUrl).port), '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    bff.close()
    login.authenticator.close()
    http.closeAllConnections()
    http.close()
    await client.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, clock: fake, client, server, login, ended, audited, codes, faults, browser: () => new Browser(url) }
}

async function startServer(clock: Clock): Promise<ApiServer> {
  const store = createObjects()
  const server = await startApiServer({
    store,
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock,
    random: () => 0.5,
    uid: randomUUID,
    tokens: [ADMIN, JANE, JOE, LONG],
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  return server
}

/** Endpoints for tests besides the real operations. */
function probes(): AnyEndpoint[] {
  const probe = {
    method: 'GET',
    kind: 'query',
    tag: 'api.tag.session',
    summary: 'api.endpoint.session',
    response: z.unknown(),
  } as const
  return [
    endpoint({
      ...probe,
      path: '/api/v1/whoami',
      perform: async ({ principal: { identity, via, key } }) => ({ ...identity, via, key }),
    }),
    endpoint({
      ...probe,
      path: '/api/v1/read',
      perform: ({ principal }) => principal.client.list(configMap, { namespace: 'default' }),
    }),
  ]
}

/** One browser: keeps its cookies and sends them to the same site. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The last `Set-Cookie` of each name, verbatim. */
  readonly told = new Map<string, string>()

  constructor(private readonly site: string) {}

  async ask(path: string, options: CallOptions = {}): Promise<Called> {
    const url = new URL(path, this.site)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const called = await call(url.href, { ...options, headers: { ...(cookie && { cookie }), ...options.headers } })
    for (const line of [called.headers['set-cookie'] ?? []].flat()) this.#take(line)
    return called
  }

  logIn(token: string): Promise<Called> {
    return this.ask('/api/v1/session', { body: { token } })
  }

  logOut(): Promise<Called> {
    return this.ask('/api/v1/session', { method: 'DELETE' })
  }

  /** Returns the user that the console sees. */
  whoAmI(): Promise<Called> {
    return this.ask('/api/v1/whoami')
  }

  #take(line: string): void {
    const [pair = ''] = line.split(';', 1)
    const name = pair.slice(0, pair.indexOf('='))
    this.told.set(name, line)
    if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(name.length + 1))
  }
}

/** Returns the cookie of a browser that has exactly one. */
export function theCookie(browser: Browser): [name: string, value: string] {
  const [first] = browser.cookies
  if (!first) throw new Error('the browser has no cookie')
  return first
}

/** Returns a browser with a logged-in user. */
export async function loggedIn(started: StartedLogin, { token } = JANE): Promise<Browser> {
  const browser = started.browser()
  expect(await browser.logIn(token)).toMatchObject({ status: 201 })
  return browser
}

/** Returns the token of a service account, valid for an hour. */
export async function accountToken({ client }: StartedLogin, name: string): Promise<string> {
  await client.create(serviceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'default', name },
  })
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [], expirationSeconds: 3600 },
  }
  const { body } = await client.raw('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, request)
  return (body as { status: { token: string } }).status.token
}
