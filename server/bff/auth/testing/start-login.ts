/** Login on a free port, over an API server of its own, with browsers that keep cookies. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import { onTestFinished } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { configMap } from '@/lib/kube/kinds/config-map'
import type { Clock } from '@/lib/std/clock'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { type ApiServer, createMemoryStore as createObjects, startApiServer } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { clientOver } from '@/server/kube/rest-client'
import { createLogger } from '@/server/telemetry/logger'
import type { Answered, EndpointCall } from '../../http/endpoint'
import { refusalOf } from '../../http/refusal'
import { noBffMetrics } from '../../metrics-hooks'
import { createMemoryStore } from '../../shared/memory-store'
import type { SharedStore } from '../../shared/store'
import { call, type Called, type CallOptions } from '../../testing/call'
import type { Ended } from '../gatekeeper'
import { createLogin, type Login } from '../login'
import type { LoginSettings } from '../settings'

export const ADMIN = { token: 'admin-token', user: 'admin', groups: ['system:masters'] }
export const JANE = { token: 'jane-token', user: 'jane', groups: ['shop'] }
export const JOE = { token: 'joe-token', user: 'joe', groups: ['lab'] }

export const SECRET = 's'.repeat(32)
export const IDLE_MS = 30 * 60_000
export const LASTS_MS = 12 * 3_600_000

export const settings: LoginSettings = {
  required: true, readOnly: false, proxies: new BlockList(), idleMs: IDLE_MS, lastsMs: LASTS_MS, secrets: [SECRET],
}

export interface StartedLogin {
  url: string
  clock: FakeClock
  client: KubeClient
  server: ApiServer
  login: Login
  ended: Ended[]
  browser(): Browser
}

export interface LoginSetup {
  settings?: Partial<LoginSettings>
  /** Default: one of its own. */
  store?: (clock: Clock) => SharedStore
  /** Default: one that stands still until the test moves it. */
  clock?: Clock
  /** An API server that is there already, for a second instance of the console. */
  beside?: StartedLogin
  /** What the console is to the API server. Default: an administrator. */
  caller?: { user: string; groups: readonly string[] }
}

/** Starts it, until the test is finished. `/whoami` answers whom the gatekeeper lets in, `/read` what that one reads. */
export async function startLogin(setup: LoginSetup = {}): Promise<StartedLogin> {
  const fake = setup.beside?.clock ?? createFakeClock()
  const clock = setup.clock ?? fake
  const server = setup.beside?.server ?? await startServer(clock)
  const client = clientOver(server.local({ caller: setup.caller ?? ADMIN }))
  const store = setup.store?.(clock) ?? createMemoryStore({ clock, onError: (error) => { throw error } })
  const login = createLogin({
    client, clock, store, log: createLogger({ level: 'silent' }), settings: { ...settings, ...setup.settings }, metrics: noBffMetrics,
  })
  const ended: Ended[] = []
  login.gatekeeper.onEnded((one) => void ended.push(one))
  const http = createServer((request, response) => void answer(login, request, response))
  await new Promise<void>((resolve) => {
    http.listen(setup.settings?.publicUrl === undefined ? 0 : Number(new URL(setup.settings.publicUrl).port), '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    login.gatekeeper.close()
    http.closeAllConnections()
    http.close()
    await client.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, clock: fake, client, server, login, ended, browser: () => new Browser(url) }
}

async function startServer(clock: Clock): Promise<ApiServer> {
  const store = createObjects()
  const server = await startApiServer({
    store, kinds: allKinds, host: '127.0.0.1', port: 0, clock, random: () => 0.5, uid: randomUUID, tokens: [ADMIN, JANE, JOE],
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  return server
}

async function answer(login: Login, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (await login.handle(request, response)) return
    const { body, status = 200, headers = {} } = await perform(login, request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers as Record<string, string[]> }).end(JSON.stringify(body))
  } catch (error) {
    const { status: code, reason, message } = refusalOf(error) ?? { status: 500, reason: 'InternalError', message: String(error) }
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ reason, message }))
  }
}

async function perform(login: Login, request: IncomingMessage): Promise<Answered<unknown>> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/whoami') {
    const { identity, via, key } = await login.gatekeeper.identify(request)
    return { body: { ...identity, via, key } }
  }
  if (path === '/read') {
    const { client } = await login.gatekeeper.identify(request)
    return { body: await client.list(configMap, { namespace: 'default' }) }
  }
  const found = login.endpoints.find((one) => one.method === request.method && new RegExp(`^${one.path.replace(/\{\w+\}/, '[^/]+')}$`).test(path))
  if (!found) return { status: 404, body: {} }
  const principal = 'open' in found ? undefined : await login.gatekeeper.identify(request)
  const chunks = await request.toArray() as Buffer[]
  const text = Buffer.concat(chunks).toString()
  const body = found.body?.parse(JSON.parse(text))
  const asked = { request, body, principal, params: { user: decodeURIComponent(path.split('/').at(-1) ?? '') }, concerns: () => undefined }
  const answered = await found.perform(asked as unknown as EndpointCall)
  return isAnswered(answered) ? answered : { body: answered }
}

const isAnswered = (value: unknown): value is Answered<unknown> => typeof value === 'object' && value !== null && 'body' in value

/** One browser: keeps the cookies that it is given and shows them to the same site. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The last `Set-Cookie` of each name, as it came. */
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

  /** Who the console says that this is. */
  whoAmI(): Promise<Called> {
    return this.ask('/whoami')
  }

  #take(line: string): void {
    const [pair = ''] = line.split(';', 1)
    const name = pair.slice(0, pair.indexOf('='))
    this.told.set(name, line)
    if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(name.length + 1))
  }
}
