/** Sessions where several instances answer, and where the store that they share goes away. */
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { eventually } from '../testing/start-bff'
import { createMemoryStore } from '../shared/memory-store'
import { type SharedStore, StoreUnavailable } from '../shared/store'
import { ADMIN, type Browser, IDLE_MS, JANE, startLogin } from './testing/start-login'

/** A store that two instances share and that the test can take away. */
function sharedStore() {
  const clock = createFakeClock()
  const kept = createMemoryStore({
    clock,
    onError: (error) => {
      throw error
    },
  })
  let away = false
  const reach = async <T>(act: () => Promise<T>): Promise<T> => {
    if (away) throw new StoreUnavailable('the store is away')
    return act()
  }
  const store: SharedStore = {
    get: (key) => reach(() => kept.get(key)),
    set: (key, value, ttlMs) => reach(() => kept.set(key, value, ttlMs)),
    add: (key, value, ttlMs) => reach(() => kept.add(key, value, ttlMs)),
    delete: (key) => reach(() => kept.delete(key)),
    publish: (channel, message) => reach(() => kept.publish(channel, message)),
    subscribe: (channel, handler) => kept.subscribe(channel, handler),
    state: () => kept.state(),
    onState: (handler) => kept.onState(handler),
    close: () => kept.close(),
  }
  return { store, take: () => void (away = true), giveBack: () => void (away = false) }
}

async function twoInstances({ twoIsFastByMs = 0 } = {}) {
  const shared = sharedStore()
  const one = await startLogin({ store: () => shared.store })
  const fast = twoIsFastByMs > 0 && { clock: createFakeClock(one.clock.now() + twoIsFastByMs) }
  const two = await startLogin({ store: () => shared.store, beside: one, ...fast })
  const browser = one.browser()
  await browser.logIn(JANE.token)
  /** The same cookie at the other instance; the names of cookies differ only because the ports do. */
  const atTwo = (path: string, from: Browser = browser) =>
    two
      .browser()
      .ask(path, {
        headers: {
          cookie: [...from.cookies]
            .map(([name, value]) => `${name.replace(/\d+$/, new URL(two.url).port)}=${value}`)
            .join('; '),
        },
      })
  return { ...shared, one, two, browser, atTwo }
}

describe('two instances', () => {
  test('accept sessions of each other while sharing only the secret', async () => {
    const { atTwo } = await twoInstances()
    expect(await atTwo('/api/v1/whoami')).toMatchObject({ status: 200, json: { user: 'jane' } })
  })

  test('end a session together, and tell who is connected at either', async () => {
    const { one, two, browser, atTwo } = await twoInstances()
    const copy = { cookies: new Map(browser.cookies) } as Browser
    await atTwo('/api/v1/whoami')
    await browser.logOut()
    expect(await atTwo('/api/v1/whoami', copy)).toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
    expect(one.ended).toMatchObject([{ why: 'loggedOut' }])
    await eventually(() => expect(two.ended).toMatchObject([{ why: 'loggedOut' }]))
  })

  test('know of each other that a session is in use', async () => {
    const { one, two, browser, atTwo } = await twoInstances()
    await atTwo('/api/v1/whoami')
    one.clock.advance(IDLE_MS - 1)
    await browser.ask('/api/v1/session/renew', { body: {} })
    one.clock.advance(1)
    expect(two.ended).toEqual([])
    one.clock.advance(IDLE_MS)
    expect(two.ended).toMatchObject([{ why: 'changed' }])
  })

  test('end all sessions of a user despite clock differences, and no later one', async () => {
    const { one, two, browser } = await twoInstances({ twoIsFastByMs: 60_000 })
    const [early, late, admin] = [two.browser(), one.browser(), one.browser()]
    await early.logIn(JANE.token)
    await admin.logIn(ADMIN.token)
    expect(await early.whoAmI()).toMatchObject({ status: 200 })
    for (const times of [1, 2]) {
      expect(await admin.ask('/api/v1/sessions/jane', { method: 'DELETE' }), `time ${times}`).toMatchObject({
        status: 200,
      })
      const revoked = { status: 401, json: { reason: 'SessionRevoked' } }
      expect([await early.whoAmI(), await browser.whoAmI()]).toMatchObject([revoked, revoked])
      await late.logIn(JANE.token)
      expect(await late.whoAmI()).toMatchObject({ status: 200 })
    }
    expect(one.ended.filter(({ why }) => why === 'revoked')).toHaveLength(2)
    await eventually(() => expect(two.ended).toMatchObject([{ why: 'revoked' }]))
  })
})

describe('while the store is away', () => {
  test('an instance continues to serve known sessions, and answers others with 503', async () => {
    const { browser, atTwo, take, giveBack } = await twoInstances()
    take()
    expect(await browser.whoAmI()).toMatchObject({ status: 200 })
    expect(await atTwo('/api/v1/whoami')).toMatchObject({
      status: 503,
      json: { reason: 'StoreUnavailable', detail: expect.stringContaining('Try again') },
    })
    giveBack()
    expect(await atTwo('/api/v1/whoami')).toMatchObject({ status: 200 })
  })

  test('a logout counts here at once, and elsewhere as soon as the store is back', async () => {
    const { one, two, browser, atTwo, take, giveBack } = await twoInstances()
    await atTwo('/api/v1/whoami')
    const copy = { cookies: new Map(browser.cookies) } as Browser
    take()
    expect(await browser.logOut()).toMatchObject({ status: 200 })
    browser.cookies.set(...([...copy.cookies][0] as [string, string]))
    expect(await browser.whoAmI()).toMatchObject({ status: 401 })
    giveBack()
    await eventually(async () => {
      one.clock.advance(5000)
      expect(await atTwo('/api/v1/whoami', copy)).toMatchObject({ status: 401, json: { reason: 'SessionRevoked' } })
    })
    await eventually(() => expect(two.ended).toMatchObject([{ why: 'loggedOut' }]))
  })

  test('a new login with a token is refused, because the token could not be kept for later reviews', async () => {
    const { one, take } = await twoInstances()
    take()
    const browser = one.browser()
    expect(await browser.logIn(JANE.token)).toMatchObject({ status: 503, json: { reason: 'StoreUnavailable' } })
    expect(browser.cookies.size).toBe(0)
  })
})
