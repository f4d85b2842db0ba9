/** Login against a real OpenID provider, over HTTP from the first redirect to the last. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { systemClock } from '@/server/runtime/system-clock'
import { freePort } from '@/server/testing/free-port'
import { createMemoryStore } from '../../shared/memory-store'
import type { SharedStore } from '../../shared/store'
import type { Called } from '../../testing/call'
import { eventually } from '../../testing/start-bff'
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../testing/identity-provider'
import { type Browser, LONG, startLogin, type StartedLogin } from '../testing/start-login'
import type { LoginSettings } from '../settings'
import type { OidcSettings } from './settings'

const CLIENT = { clientId: 'evenkeel', clientSecret: 'only-the-console-knows-this' }
const MINUTE = 60_000
/**
 * Within the last minute of a word of ten minutes. The provider counts in real time, which may have gone on a little.
 */
const SOON = 9.5 * MINUTE

// The provider declares that it is for tests, as here.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.spyOn(console, 'info').mockReturnValue(undefined)
})

interface Setup extends Partial<IdentityProviderOptions> {
  settings?: Partial<OidcSettings>
  store?: SharedStore
}

interface Started extends StartedLogin {
  provider: IdentityProvider
  settings: Partial<LoginSettings>
}

async function start({ settings: ofProvider, store, ...options }: Setup = {}): Promise<Started> {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const provider = await startIdentityProvider({ ...CLIENT, publicUrl, ...options })
  onTestFinished(() => provider.close())
  provider.accounts.set('jane', { groups: ['shop'] })
  const oidc = {
    ...CLIENT,
    issuer: provider.issuer,
    usernameClaim: 'email',
    groupsClaim: 'groups',
    groupsPrefix: 'idp:',
    ...ofProvider,
  }
  const clock = createFakeClock(Date.now())
  const settings = { publicUrl, oidc, idleMs: undefined }
  const login = await startLogin({ settings, clock, ...(store && { store: () => store }) })
  return { ...login, clock, provider, settings }
}

/** Follows redirects and fills in the provider's forms, until the console has the browser again. */
async function logIn(
  { url }: Started,
  browser: Browser,
  { as = 'jane', returnTo = '/fleet' } = {},
): Promise<Called & { at: string }> {
  let at = `${url}/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`
  let answered = await browser.ask(at)
  for (let step = 0; step < 12; step += 1) {
    const { location } = answered.headers
    const form = /<form[^>]* action="([^"]+)"/.exec(answered.text)?.[1]
    if (typeof location === 'string') {
      at = new URL(location, at).href
      if (at.startsWith(url) && !at.includes('/auth/oidc/')) return { ...answered, at: at.slice(url.length) }
      answered = await browser.ask(at)
    } else if (form) {
      const prompt = /name="prompt" value="(\w+)"/.exec(answered.text)?.[1] ?? ''
      answered = await browser.ask(form, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ prompt, login: as, password: 'any' }).toString(),
      })
    } else break
  }
  throw new Error(`the login got stuck at ${at}: ${answered.status} ${answered.text.slice(0, 300)}`)
}

describe('login with an identity provider', () => {
  test('returns to the requested page with the identity of the provider', async () => {
    const started = await start()
    const browser = started.browser()
    expect(await logIn(started, browser, { returnTo: '/workloads?state=held' })).toMatchObject({
      at: '/workloads?state=held',
    })
    expect((await browser.whoAmI()).json).toMatchObject({
      user: 'jane@shop.example',
      groups: ['idp:shop'],
      via: 'oidc',
    })
    expect((await browser.ask('/api/v1/read')).json).toMatchObject({
      detail: expect.stringContaining('User "jane@shop.example" cannot list'),
    })
    expect((await browser.ask('/api/v1/session')).json).toMatchObject({
      via: 'oidc',
      canLogout: true,
      loginWays: ['oidc', 'token'],
    })
    expect((await browser.ask('/api/v1/login')).json).toMatchObject({ provider: new URL(started.provider.issuer).host })
  })

  test('begins at the public address, whichever name the browser came by, and is on record', async () => {
    const started = await start()
    const browser = started.browser()
    const { port } = new URL(started.url)
    const first = await browser.ask(`http://127.0.0.1:${port}/auth/oidc/start?returnTo=/fleet`, {
      headers: { host: `localhost:${port}` },
    })
    expect(first).toMatchObject({
      status: 303,
      headers: { location: `${started.url}/auth/oidc/start?returnTo=%2Ffleet&moved=1` },
    })
    const hidden = await browser.ask(`${started.url}/auth/oidc/start?returnTo=/fleet&moved=1`, {
      headers: { host: 'console.example' },
    })
    expect(String(hidden.headers.location)).toContain(started.provider.issuer)
    await logIn(started, browser)
    await browser.ask(`${started.url}/auth/oidc/callback?code=a&state=b`)
    expect(started.audited).toMatchObject([
      { who: { identity: { user: 'jane@shop.example' }, via: 'oidc' }, status: 201 },
    ])
  })

  test('keeps every token of the provider out of the browser', async () => {
    const started = await start()
    const browser = started.browser()
    const { at } = await logIn(started, browser)
    expect(at).toBe('/fleet')
    const own = [...browser.told].filter(([name]) => name.startsWith('evenkeel'))
    expect(own.map(([, line]) => line.replace(/=[^;]*/, ''))).toEqual([
      expect.stringMatching(/^evenkeel-login-\d+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/),
      expect.stringMatching(/^evenkeel-\d+; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
  })

  test('asks with PKCE, state and nonce, and never for a foreign way back', async () => {
    const { url, browser } = await start()
    const { headers, status } = await browser().ask(`${url}/auth/oidc/start?returnTo=https://evil.example/`)
    const { searchParams } = new URL(String(headers.location))
    expect(status).toBe(303)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      response_type: 'code',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${url}/auth/oidc/callback`,
      scope: 'openid profile email groups offline_access',
    })
    expect(String(headers.location)).not.toContain('evil')
  })

  test('finds groups and mail in the userinfo where the ID token has none', async () => {
    const started = await start({ claimsInUserinfoOnly: true })
    const browser = started.browser()
    await logIn(started, browser)
    expect((await browser.whoAmI()).json).toMatchObject({ user: 'jane@shop.example', groups: ['idp:shop'] })
  })

  test('names people by issuer and subject unless told otherwise', async () => {
    const started = await start({ settings: { usernameClaim: 'sub' } })
    const browser = started.browser()
    await logIn(started, browser)
    expect((await browser.whoAmI()).json).toMatchObject({ user: `${started.provider.issuer}#jane` })
  })

  test('gives no user the groups of the control plane', async () => {
    const started = await start({ settings: { groupsPrefix: '' } })
    started.provider.accounts.set('jane', { groups: ['system:masters', 'shop', ' system:masters', ''] })
    const browser = started.browser()
    await logIn(started, browser)
    expect((await browser.whoAmI()).json).toMatchObject({ groups: ['shop'] })
  })

  test('refuses an address of mail that is not verified', async () => {
    const started = await start()
    started.provider.accounts.set('jane', { groups: [], emailVerified: false })
    const browser = started.browser()
    expect(await logIn(started, browser)).toMatchObject({ at: '/login?returnTo=%2Ffleet&problem=unfit' })
    expect(started.audited).toMatchObject([{ status: 503, reason: 'unfit' }])
    expect(await browser.whoAmI()).toMatchObject({ status: 401 })
  })

  test('that was begun in another browser does not come back here', async () => {
    const started = await start()
    const thief = started.browser()
    const { headers } = await thief.ask(`${started.url}/auth/oidc/start`)
    const state = new URL(String(headers.location)).searchParams.get('state') ?? ''
    const victim = started.browser()
    const answered = await victim.ask(`${started.url}/auth/oidc/callback?code=abc&state=${state}`)
    expect(answered).toMatchObject({ status: 303, headers: { location: '/login?problem=stale' } })
    await victim.ask(`${started.url}/auth/oidc/start`)
    expect(await victim.ask(`${started.url}/auth/oidc/callback?code=abc&state=${state}`)).toMatchObject({
      headers: { location: '/login?problem=stale' },
    })
    expect(started.provider.tokenRequests()).toBe(0)
  })

  test('is refused calmly when the code is wrong, when the provider says no, and when it took too long', async () => {
    const started = await start()
    const back = async (query: string, waitMs = 0) => {
      const browser = started.browser()
      const { headers } = await browser.ask(`${started.url}/auth/oidc/start?returnTo=/fleet`)
      const state = new URL(String(headers.location)).searchParams.get('state') ?? ''
      started.clock.advance(waitMs)
      return (
        await browser.ask(
          `${started.url}/auth/oidc/callback?${query}&state=${state}&iss=${encodeURIComponent(started.provider.issuer)}`,
        )
      ).headers.location
    }
    expect(await back('code=wrong')).toBe('/login?returnTo=%2Ffleet&problem=stale')
    expect(await back('error=access_denied')).toBe('/login?returnTo=%2Ffleet&problem=denied')
    expect(await back('code=abc', 10 * MINUTE)).toBe('/login?problem=stale')
  })

  test('says so when the provider is away, and works again when it is back', async () => {
    const started = await start()
    started.provider.goAway(true)
    const browser = started.browser()
    expect((await browser.ask(`${started.url}/auth/oidc/start?returnTo=/fleet`)).headers.location).toBe(
      '/login?returnTo=%2Ffleet&problem=unavailable',
    )
    started.provider.goAway(false)
    expect(await logIn(started, browser)).toMatchObject({ at: '/fleet' })
  })

  test('ends at the provider, too, on logout', async () => {
    const started = await start()
    const browser = started.browser()
    await logIn(started, browser)
    const { json } = await browser.logOut()
    const { continueAt } = json as { continueAt: string }
    expect(continueAt).toContain(`${started.provider.issuer}/session/end?`)
    expect(new URL(continueAt).searchParams.get('post_logout_redirect_uri')).toBe(`${started.url}/login`)
    expect(continueAt).not.toContain('token')
    expect(await browser.whoAmI()).toMatchObject({ status: 401 })
    expect(await browser.ask(continueAt)).toMatchObject({ status: 200 })
  })
})

describe('the provider’s word on a session', () => {
  test('is asked for again before it runs out, and brings other groups', async () => {
    const started = await start()
    const browser = started.browser()
    await logIn(started, browser)
    await browser.whoAmI()
    started.provider.accounts.set('jane', { groups: ['shop', 'oncall'] })
    started.clock.advance(SOON)
    await eventually(() => expect(started.ended).toMatchObject([{ why: 'changed' }]))
    expect((await browser.whoAmI()).json).toMatchObject({ groups: ['idp:shop', 'idp:oncall'] })
    expect(started.provider.tokenRequests()).toBe(2)
  })

  test('that expired while the user was away is renewed at the next request, once for all requests', async () => {
    const started = await start()
    const browser = started.browser()
    await logIn(started, browser)
    started.clock.advance(12 * MINUTE)
    // The trial provider’s new word is as old as the real time; that it was asked at all is what counts.
    await Promise.all([browser.whoAmI(), browser.whoAmI(), browser.whoAmI()])
    expect(started.provider.tokenRequests()).toBe(2)
  })

  test('is asked for by one instance at a time, and known to all', async () => {
    const shared = createMemoryStore({
      clock: systemClock,
      onError: (error) => {
        throw error
      },
    })
    const started = await start({ store: shared })
    const other = await startLogin({ settings: started.settings, beside: started, store: () => shared })
    const browser = started.browser()
    await logIn(started, browser)
    const atOther = () =>
      other
        .browser()
        .ask('/api/v1/whoami', {
          headers: {
            cookie: [...browser.cookies]
              .map(([name, value]) => `${name.replace(/\d+$/, new URL(other.url).port)}=${value}`)
              .join('; '),
          },
        })
    expect([await browser.whoAmI(), await atOther()]).toMatchObject([{ status: 200 }, { status: 200 }])
    started.provider.accounts.set('jane', { groups: ['oncall'] })
    started.clock.advance(SOON)
    await eventually(() => {
      started.clock.advance(250)
      expect([started.ended, other.ended]).toMatchObject([[{ why: 'changed' }], [{ why: 'changed' }]])
    })
    expect((await atOther()).json).toMatchObject({ groups: ['idp:oncall'] })
    expect(started.provider.tokenRequests()).toBe(2)
  })

  test('that is no: the session ends with a sentence', async () => {
    const started = await start()
    const browser = started.browser()
    await logIn(started, browser)
    await browser.whoAmI()
    started.provider.accounts.delete('jane')
    started.clock.advance(SOON)
    await eventually(() =>
      expect(started.ended).toMatchObject([{ why: 'revoked', message: { code: 'api.auth.providerEnded' } }]),
    )
    expect(await browser.whoAmI()).toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
  })

  test('that is missing: the session lasts as long as the previous one is valid, then requests fail until the provider responds', async () => {
    const started = await start()
    const browser = started.browser()
    await logIn(started, browser)
    await browser.whoAmI()
    started.provider.goAway(true)
    started.clock.advance(SOON)
    expect(await browser.whoAmI()).toMatchObject({ status: 200 })
    started.clock.advance(2 * MINUTE)
    expect(await browser.whoAmI()).toMatchObject({
      status: 503,
      json: { reason: 'Unreachable', detail: expect.stringContaining('identity provider') },
    })
    // Connected clients are sent to the login page, which shows the same reason.
    await eventually(() => {
      started.clock.advance(30_000)
      expect(started.ended).toContainEqual({
        sessionId: expect.any(String),
        why: 'changed',
        message: { code: 'api.auth.providerSilent' },
      })
    })
    started.provider.goAway(false)
    started.clock.advance(1000)
    expect(started.ended.filter(({ why }) => why !== 'changed')).toEqual([])
  })

  test('that cannot be renewed ends the session when it expires', async () => {
    const started = await start({ refreshTokens: false })
    const browser = started.browser()
    await logIn(started, browser)
    await browser.whoAmI()
    started.clock.advance(SOON)
    expect(await browser.whoAmI()).toMatchObject({ status: 200 })
    started.clock.advance(2 * MINUTE)
    expect(await browser.whoAmI()).toMatchObject({
      status: 401,
      json: { reason: 'SessionExpired', detail: expect.stringContaining('did not confirm') },
    })
    await eventually(() => expect(started.ended).toMatchObject([{ why: 'expired' }]))
  })
})

test('who has more sessions than one may is let in by no way, until one of them is over', async () => {
  const started = await start({ settings: { usernameClaim: 'sub', usernamePrefix: '-' } })
  started.provider.accounts.set(LONG.user, { groups: [] })
  expect((await logIn(started, started.browser(), { as: LONG.user })).at).toBe('/fleet')
  let status = 201
  while (status === 201) status = (await started.browser().logIn(LONG.token)).status
  expect(status).toBe(429)
  expect((await logIn(started, started.browser(), { as: LONG.user })).at).toBe('/login?returnTo=%2Ffleet&problem=often')
  expect(started.audited.map((one) => one.status)).toEqual([201, 401])
  expect((await logIn(started, started.browser())).at).toBe('/fleet')
})

describe('what comes back without the provider', () => {
  /** A browser that began a login, and the address at which it comes back. */
  async function begun({ url, provider }: Started, browser: Browser): Promise<string> {
    const { headers } = await browser.ask('/auth/oidc/start')
    const state = new URL(String(headers.location)).searchParams.get('state') ?? ''
    return `${url}/auth/oidc/callback?code=made-up&state=${state}&iss=${provider.issuer}`
  }

  test('reaches the provider ten times a minute for an address, and is then refused without asking it', async () => {
    const started = await start()
    for (let count = 0; count < 10; count += 1) {
      const browser = started.browser()
      expect((await browser.ask(await begun(started, browser))).headers.location).toBe('/login?problem=stale')
    }
    const browser = started.browser()
    expect((await browser.ask(await begun(started, browser))).headers.location).toBe('/login?problem=often')
    expect(started.provider.tokenRequests()).toBe(10)
    started.clock.advance(MINUTE)
    await logIn(started, started.browser())
    expect(started.audited).toMatchObject([{ address: '127.0.0.1', status: 201 }])
  })

  test('by another method than GET is a problem, and no login begins', async () => {
    const started = await start()
    expect(await started.browser().ask('/auth/oidc/start', { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET', 'content-type': 'application/problem+json' },
      json: { reason: 'MethodNotAllowed' },
    })
    expect(started.provider.discoveries()).toBe(0)
  })

  test.each(['//', '//evil.example/auth/oidc/callback?code=a&state=b', '/auth/oidc/start/'])(
    'at %s is for others to answer',
    async (target) => {
      const { login } = await start()
      expect(await login.handle({ url: target, method: 'GET', headers: {} } as never, undefined as never)).toBe(false)
    },
  )
})
