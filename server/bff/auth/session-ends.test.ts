/** What ends a session: time, logout, revocation, a token that is good no more. */
import { describe, expect, test } from 'vitest'
import { serviceAccount } from '@/lib/kube/kinds/service-account'
import { eventually } from '../testing/start-bff'
import {
  accountToken,
  ADMIN,
  IDLE_MS,
  JANE,
  JOE,
  LASTS_MS,
  loggedIn,
  startLogin,
  theCookie,
} from './testing/start-login'
import { REVIEW_EVERY_MS } from './watched-tokens'

describe('a session ends', () => {
  test('by logout, everywhere and for good: a copy of its cookie is refused', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const thief = started.browser()
    thief.cookies.set(...theCookie(browser))
    expect(await thief.whoAmI()).toMatchObject({ status: 200 })
    expect(await browser.logOut()).toMatchObject({ status: 200, json: {} })
    expect(browser.cookies.size).toBe(0)
    expect(await thief.whoAmI()).toMatchObject({
      status: 401,
      json: { reason: 'SessionRevoked', detail: 'You logged out. Log in again.' },
    })
    expect((await thief.ask('/api/v1/login')).json).toEqual({
      required: true,
      ways: ['token'],
      notice: 'You logged out. Log in again.',
    })
    expect(started.ended).toEqual([
      { sessionId: expect.any(String), why: 'loggedOut', message: { code: 'api.auth.loggedOut' } },
    ])
    expect(await browser.logOut()).toMatchObject({ status: 200 })
  })

  test('by logout under a cookie that was idle, also for who went on with a copy of it', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const thief = started.browser()
    thief.cookies.set(...theCookie(browser))
    started.clock.advance(IDLE_MS / 2)
    expect(await thief.ask('/api/v1/session/renew', { body: {} })).toMatchObject({ status: 200 })
    started.clock.advance(IDLE_MS / 2)
    expect([(await browser.whoAmI()).status, (await thief.whoAmI()).status]).toEqual([401, 200])
    await browser.logOut()
    expect(await thief.whoAmI()).toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
  })

  test('once: a cookie of one that ended is put on no record again', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const [cookie, notes] = [theCookie(browser), [] as string[]]
    const logOut = started.login.endpoints.find(({ method, path }) => method === 'DELETE' && path === '/api/v1/session')
    if (!logOut || !('open' in logOut)) throw new Error('there is no such operation')
    for (let count = 0; count < 3; count += 1) {
      const request = { socket: {}, headers: { host: new URL(started.url).host, cookie: cookie.join('=') } }
      await logOut.perform({
        request,
        concerns: ({ object }: { object: { name: string } }) => void notes.push(object.name),
      } as unknown as Parameters<typeof logOut.perform>[0])
    }
    expect(notes).toEqual(['jane'])
  })

  test('by the next login of the same browser, which gets another one', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const before = started.browser()
    before.cookies.set(...theCookie(browser))
    await browser.logIn(JOE.token)
    expect(await browser.whoAmI()).toMatchObject({ json: { user: 'joe' } })
    expect(await before.whoAmI()).toMatchObject({ status: 401 })
  })

  test('after the idle time, unless the browser reports that the user is active', async () => {
    const started = await startLogin()
    const [busy, lazy] = [await loggedIn(started), await loggedIn(started, JOE)]
    started.clock.advance(IDLE_MS - 1)
    expect(await lazy.whoAmI()).toMatchObject({ status: 200 })
    expect(await busy.ask('/api/v1/session/renew', { body: {} })).toMatchObject({ status: 200, json: { user: 'jane' } })
    expect(started.ended).toEqual([])
    started.clock.advance(1)
    expect(await lazy.whoAmI()).toMatchObject({
      status: 401,
      json: { reason: 'SessionExpired', detail: expect.stringContaining('inactivity') },
    })
    expect(await lazy.ask('/api/v1/session/renew', { body: {} })).toMatchObject({ status: 401 })
    expect(started.ended).toMatchObject([{ why: 'changed' }])
    started.clock.advance(IDLE_MS - 2)
    expect(await busy.whoAmI()).toMatchObject({ status: 200 })
  })

  test('after its longest time, however busy it is', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started)
    const until = started.clock.now() + LASTS_MS
    while (started.clock.now() < until - IDLE_MS / 2) {
      started.clock.advance(IDLE_MS / 2)
      expect(await browser.ask('/api/v1/session/renew', { body: {} })).toMatchObject({ status: 200 })
    }
    expect(started.ended).toEqual([])
    started.clock.advance(IDLE_MS / 2)
    expect(await browser.whoAmI()).toMatchObject({
      status: 401,
      json: { reason: 'SessionExpired', detail: expect.stringContaining('maximum duration') },
    })
    expect(started.ended).toMatchObject([{ why: 'expired' }])
  })

  test('with its token, when that says when it ends', async () => {
    const started = await startLogin({ settings: { idleMs: undefined } })
    const browser = await loggedIn(started, { ...JANE, token: await accountToken(started, 'robot') })
    expect(await browser.whoAmI()).toMatchObject({ json: { user: 'system:serviceaccount:default:robot' } })
    expect((await browser.ask('/api/v1/session')).json).toMatchObject({ expiresAt: started.clock.now() + 3_600_000 })
    expect((await browser.ask('/api/v1/session')).json).not.toHaveProperty('idle')
  })

  test('some minutes after its token was revoked', async () => {
    const started = await startLogin()
    const browser = await loggedIn(started, { ...JANE, token: await accountToken(started, 'robot') })
    await started.client.delete(serviceAccount, { namespace: 'default', name: 'robot' })
    expect(await browser.whoAmI()).toMatchObject({ status: 200 })
    await eventually(() => {
      started.clock.advance(REVIEW_EVERY_MS)
      expect(started.ended).toMatchObject([{ why: 'revoked', message: { code: 'api.auth.tokenEnded' } }])
    })
    expect(await browser.whoAmI()).toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
  })

  test('with all others of the user, when an administrator ends them', async () => {
    const started = await startLogin()
    const [one, two, other] = [await loggedIn(started), await loggedIn(started), await loggedIn(started, JOE)]
    const admin = await loggedIn(started, ADMIN)
    expect(await admin.ask('/api/v1/sessions/jane', { method: 'DELETE' })).toMatchObject({
      status: 200,
      json: { user: 'jane' },
    })
    const refused = {
      status: 401,
      json: { reason: 'SessionRevoked', detail: expect.stringContaining('admin ended your sessions') },
    }
    expect(await one.whoAmI()).toMatchObject(refused)
    expect(await two.whoAmI()).toMatchObject(refused)
    expect(await other.whoAmI()).toMatchObject({ status: 200 })
    expect(started.ended).toHaveLength(2)
    expect(await (await loggedIn(started)).whoAmI()).toMatchObject({ status: 200 })
  })

  test('asks for the right to impersonate that user, and for no other', async () => {
    const { login } = await startLogin()
    const found = login.endpoints.find(({ path }) => path === '/api/v1/sessions/{user}')
    if (!found || !('needs' in found)) throw new Error('there is no such operation')
    expect(
      found.needs?.({ params: { user: 'jane' } } as unknown as Parameters<NonNullable<typeof found.needs>>[0]),
    ).toEqual([{ verb: 'impersonate', group: '', resource: 'users', name: 'jane' }])
  })
})
