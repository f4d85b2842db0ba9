/** Login with a token. */
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { serviceAccount } from '@/lib/kube/kinds/service-account'
import { eventually } from '../testing/start-bff'
import {
  accountToken,
  IDLE_MS,
  JANE,
  JOE,
  LASTS_MS,
  loggedIn,
  LONG,
  SECRET,
  startLogin,
  type StartedLogin,
  theCookie,
} from './testing/start-login'
import { REVIEW_EVERY_MS } from './watched-tokens'

describe('login with a token', () => {
  test('makes a session of whom the API server says the token is, and acts as that one', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    expect(await browser.whoAmI()).toMatchObject({
      status: 200,
      json: { user: 'jane', groups: ['shop', 'system:authenticated'], via: 'token' },
    })
    expect(await browser.ask('/api/v1/read')).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining('User "jane" cannot list') },
    })
    const metadata = { name: 'shop-reads' }
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    await started.client.create(clusterRole, {
      apiVersion,
      kind: 'ClusterRole',
      metadata,
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    })
    await started.client.create(clusterRoleBinding, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'shop-reads' },
      subjects: [{ kind: 'Group', name: 'shop', apiGroup: 'rbac.authorization.k8s.io' }],
    })
    expect(await browser.ask('/api/v1/read')).toMatchObject({ status: 200 })
    expect(await (await loggedIn(started, JOE)).ask('/api/v1/read')).toMatchObject({ status: 403 })
  })

  test('tells who is logged in and until when, and how one logs in', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const expiresAt = started.clock.now() + LASTS_MS
    expect((await browser.ask('/api/v1/session')).json).toEqual({
      user: 'jane',
      groups: ['shop'],
      via: 'token',
      expiresAt,
      idle: { timeoutMs: IDLE_MS, renewEveryMs: IDLE_MS / 6 },
      readOnly: false,
      canLogout: true,
      loginWays: ['token'],
    })
    expect((await started.browser().ask('/api/v1/login')).json).toEqual({ required: true, ways: ['token'] })
  })

  test.each([
    ['before its body', ''],
    ['within its body', '{"token": "jane-'],
  ])(
    'that is aborted %s is the fault of its client: nothing is logged, and the next one works',
    async (_when, sent) => {
      const started = await startLogin()
      const { port, host } = new URL(started.url)
      const socket = connect(Number(port), '127.0.0.1')
      const head = `POST /api/v1/session HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`
      // The server says that it waits for the body.
      socket.write(`${head}Expect: 100-continue\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      if (sent !== '') await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
      socket.resetAndDestroy()
      await eventually(() => expect(started.codes).toEqual([400]))
      expect(started.faults).toEqual([])
      expect(started.browser().cookies.size).toBe(0)
      await loggedIn(started)
    },
  )

  test('keeps the token out of the browser: its cookie is sealed, and no script may read it', async () => {
    const browser = await loggedIn(await startLogin())
    const [name, value] = theCookie(browser)
    expect(browser.told.get(name)).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    for (const secret of ['jane', 'shop', JANE.token]) {
      expect(value).not.toContain(secret)
      expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(secret)
    }
  })

  test('binds the cookie to the host and to TLS where browsers come by TLS', async () => {
    const started = await startLogin()
    const browser = started.browser()
    const headers = { 'x-forwarded-proto': 'https', host: 'console.example' }
    await browser.ask('/api/v1/session', { body: { token: JANE.token }, headers })
    const [name] = theCookie(browser)
    expect(name).toBe('__Host-evenkeel')
    expect(browser.told.get(name)).toMatch(/; Secure$/)
    expect(await browser.ask('/api/v1/whoami', { headers })).toMatchObject({ status: 200 })
    // A cookie that a neighbouring host might have set is not looked at.
    const planted = started.browser()
    planted.cookies.set('evenkeel', theCookie(browser)[1])
    expect(await planted.ask('/api/v1/whoami', { headers })).toMatchObject({
      status: 401,
      json: { reason: 'LoginRequired' },
    })
  })

  test('is refused for a wrong token, with a sentence', async () => {
    const browser = (await startLogin()).browser()
    expect(await browser.logIn('wrong')).toMatchObject({
      status: 401,
      json: {
        reason: 'TokenInvalid',
        detail: 'The API server does not accept this token. It is wrong, expired or revoked.',
      },
    })
    expect(browser.cookies.size).toBe(0)
  })

  test('is refused for a while to an address that guesses, also with a right token', async () => {
    const { browser, clock } = await startLogin()
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await browser().logIn(`wrong-${guess}`)).toMatchObject({ status: 401 })
    }
    expect(await browser().logIn(JANE.token)).toMatchObject({
      status: 429,
      json: { detail: expect.stringContaining('1 m') },
    })
    clock.advance(60_000)
    expect(await browser().logIn(JANE.token)).toMatchObject({ status: 201 })
  })

  test('is refused to a user who is over the limit of kept tokens, and to no other user', async () => {
    const started = await startLogin()
    const answers = new Set<number>()
    while (!answers.has(429) && answers.size < 3) answers.add((await started.browser().logIn(LONG.token)).status)
    expect([...answers]).toEqual([201, 429])
    expect(await started.browser().logIn(LONG.token)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d{4,5}$/) },
      json: { detail: expect.stringContaining('too many sessions') },
    })
    expect(await started.browser().logIn(JANE.token)).toMatchObject({ status: 201 })
    started.clock.advance(LASTS_MS + 600_000)
    expect(await started.browser().logIn(LONG.token)).toMatchObject({ status: 201 })
  })

  test('takes the address of a client from known proxies only', async () => {
    const { BlockList } = await import('node:net')
    const proxies = new BlockList()
    proxies.addAddress('127.0.0.1')
    const guessed = async (started: StartedLogin, address: string) =>
      started.browser().ask('/api/v1/session', { body: { token: 'wrong' }, headers: { 'x-forwarded-for': address } })
    const behind = await startLogin({ settings: { proxies } })
    const bare = await startLogin()
    for (let guess = 0; guess < 10; guess += 1) {
      await guessed(behind, `9.9.9.9, 2001:db8::${guess}`)
      await guessed(bare, `10.0.0.${guess}`)
    }
    expect((await guessed(behind, '2001:db8:0:0:1::1')).status).toBe(429)
    expect((await guessed(behind, '2001:db8:1::1')).status).toBe(401)
    expect((await guessed(bare, '10.0.0.99')).status).toBe(429)
  })

  test('says so when the console itself may not review tokens or act as others', async () => {
    const started = await startLogin({ caller: { user: 'weak', groups: [] } })
    expect(await started.browser().logIn(JANE.token)).toMatchObject({
      status: 502,
      json: { reason: 'CredentialsRefused', detail: expect.stringContaining('create tokenreviews') },
    })
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    await (
      await startLogin({ beside: started })
    ).client.create(clusterRoleBinding, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'weak' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
      subjects: [{ kind: 'User', name: 'weak', apiGroup: 'rbac.authorization.k8s.io' }],
    })
    const may = await started.browser().logIn(JANE.token)
    expect(may).toMatchObject({
      status: 502,
      json: { reason: 'CredentialsRefused', detail: expect.stringContaining('impersonate') },
    })
  })

  test('says so when the API server does not answer', async () => {
    const started = await startLogin()
    await started.server.close()
    expect(await started.browser().logIn(JANE.token)).toMatchObject({ status: 503, json: { reason: 'Unreachable' } })
  })

  test('holds the groups of a user who is in hundreds of them, and refuses thousands with a sentence', async () => {
    const { createSealer } = await import('./sealing')
    const { createSessionCookie } = await import('./session-cookie')
    const cookie = createSessionCookie(createSealer([SECRET]), {})
    const random = (length: number) =>
      Array.from(
        { length },
        (_, index) => `0000${(index * 7919).toString(16)}-aaaa-bbbb-cccc-${index.toString().padStart(12, '0')}`,
      )
    const session = (groups: string[]) => ({
      id: 'a',
      identity: { user: 'jane', groups },
      via: 'token' as const,
      seenAt: 0,
      expiresAt: 1,
    })
    const request = { headers: { host: 'a' }, socket: {} } as Parameters<typeof cookie.keep>[0]
    const kept = await cookie.keep(request, session(random(400)))
    expect(kept?.length).toBeGreaterThan(1)
    for (const line of kept ?? []) expect(line.length).toBeLessThan(4096)
    const shown = {
      ...request,
      headers: { host: 'a', cookie: (kept ?? []).map((line) => line.split(';')[0]).join('; ') },
    } as typeof request
    expect(await cookie.read(shown)).toEqual(session(random(400)))
    const part = { ...request, headers: { host: 'a', cookie: kept?.[0]?.split(';')[0] } } as typeof request
    expect(await cookie.read(part)).toBe('unreadable')
    expect(await cookie.keep(request, session(random(20_000)))).toBeUndefined()
  })
})

describe('a cookie that is not good', () => {
  const unreadable = {
    status: 401,
    json: { reason: 'LoginRequired', detail: expect.stringContaining('another installation') },
  }
  const cases: [string, (value: string) => string, object][] = [
    ['that was cut off', (value) => value.slice(0, -20), unreadable],
    [
      'of which one character differs',
      (value) => `${value.slice(0, 200)}${value[200] === 'A' ? 'B' : 'A'}${value.slice(201)}`,
      unreadable,
    ],
    ['that is no seal', () => '1.hello', unreadable],
    ['that is empty', () => '', unreadable],
    ['that names parts which are not there', (value) => `3${value.slice(1)}`, unreadable],
    ['that counts for nothing', () => '__proto__', unreadable],
    ['that is far too long', (value) => `1.${value.repeat(15)}`, unreadable],
  ]
  test.each(cases)('%s is refused calmly', async (_what, change, expected) => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const [name, value] = theCookie(browser)
    browser.cookies.set(name, change(value))
    expect(await browser.whoAmI()).toMatchObject(expected)
    expect((await browser.ask('/api/v1/login')).json).toMatchObject({ notice: expect.stringContaining('Log in again') })
    expect(await browser.logIn(JANE.token)).toMatchObject({ status: 201 })
    expect(await browser.whoAmI()).toMatchObject({ status: 200 })
  })

  test('sealed with another secret is refused; with one that is being replaced it is good', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const shownTo = async (secrets: string[]) => {
      const other = await startLogin({ beside: started, settings: { secrets } })
      const [name, value] = theCookie(browser)
      return other
        .browser()
        .ask('/api/v1/whoami', { headers: { cookie: `${name.replace(/\d+$/, new URL(other.url).port)}=${value}` } })
    }
    expect(await shownTo(['n'.repeat(32)])).toMatchObject(unreadable)
    expect(await shownTo(['n'.repeat(32), SECRET])).toMatchObject({ status: 200 })
  })

  test('sealed for another purpose is refused', async () => {
    const { createSealer } = await import('./sealing')
    const started = await startLogin()
    const browser = await loggedIn(started)
    const [name] = theCookie(browser)
    const forged = await createSealer([SECRET]).seal('oidc-login', {
      id: 'a',
      identity: { user: 'admin', groups: ['system:masters'] },
      expiresAt: 9e15,
      seenAt: 9e15,
    })
    browser.cookies.set(name, `1.${forged}`)
    expect(await browser.whoAmI()).toMatchObject(unreadable)
  })

  test('is not needed to ask without one', async () => {
    const { browser } = await startLogin()
    expect(await browser().whoAmI()).toMatchObject({
      status: 401,
      json: { reason: 'LoginRequired', detail: 'Log in first.' },
    })
    expect((await browser().ask('/api/v1/login')).json).not.toHaveProperty('notice')
  })
})

describe('other sites', () => {
  const cases: [string, { method?: string; body?: unknown; headers: Record<string, string> }, number][] = [
    ['cannot log a user in', { body: { token: JANE.token }, headers: { origin: 'https://evil.example' } }, 403],
    [
      'cannot log a user in with a form',
      { body: `{"token":"${JANE.token}"}`, headers: { 'content-type': 'text/plain' } },
      415,
    ],
    ['cannot log a user out', { method: 'DELETE', headers: { origin: 'https://evil.example' } }, 403],
    ['cannot log a user out from a sandbox', { method: 'DELETE', headers: { origin: 'null' } }, 403],
    ['cannot come under another name', { body: { token: JANE.token }, headers: { host: 'evil.example' } }, 403],
  ]
  test.each(cases)('%s', async (_what, options, status) => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    expect(await browser.ask('/api/v1/session', options)).toMatchObject({ status })
    expect(await browser.whoAmI()).toMatchObject({ status: 200, json: { user: 'jane' } })
    expect(started.ended).toEqual([])
  })
})

test.each([['short'], ['s'.repeat(31)]])('a session secret of fewer than 32 characters is refused', async (secret) => {
  await expect(startLogin({ settings: { secrets: [secret] } })).rejects.toThrow('32 characters')
})

describe('a token with each request', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('is whom the API server says', async () => {
    const { browser } = await startLogin()
    expect(await browser().ask('/api/v1/whoami', bearer(JANE.token))).toMatchObject({
      status: 200,
      json: { user: 'jane', via: 'bearer' },
    })
    expect(await browser().ask('/api/v1/whoami', bearer('wrong'))).toMatchObject({
      status: 401,
      json: { reason: 'TokenInvalid' },
    })
    expect((await browser().ask('/api/v1/session', bearer(JANE.token))).json).toMatchObject({
      via: 'bearer',
      canLogout: false,
    })
  })

  test('that was revoked is refused within a minute, and ends the connections that use it', async () => {
    const started = await startLogin()
    const token = await accountToken(started, 'robot')
    expect(await started.browser().ask('/api/v1/whoami', bearer(token))).toMatchObject({ status: 200 })
    await started.client.delete(serviceAccount, { namespace: 'default', name: 'robot' })
    started.clock.advance(60_000)
    expect(await started.browser().ask('/api/v1/whoami', bearer(token))).toMatchObject({ status: 401 })
    expect(started.ended).toMatchObject([{ sessionId: expect.stringContaining('bearer-'), why: 'revoked' }])
  })

  test('is reviewed again while no request uses it', async () => {
    const started = await startLogin()
    const token = await accountToken(started, 'robot')
    await started.browser().ask('/api/v1/whoami', bearer(token))
    await started.client.delete(serviceAccount, { namespace: 'default', name: 'robot' })
    await eventually(() => {
      started.clock.advance(REVIEW_EVERY_MS)
      expect(started.ended).toMatchObject([{ why: 'revoked' }])
    })
  })
})
