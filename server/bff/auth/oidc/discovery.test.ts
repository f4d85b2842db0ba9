/** How long discovery metadata of the provider are valid. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { startIdentityProvider } from '../testing/identity-provider'
import { createDiscovery } from './discovery'
import { createProvider } from './provider'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function start() {
  // The provider declares that it is for tests, as here.
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const client = { clientId: 'evenkeel', clientSecret: 'only-the-console-knows-this' }
  const provider = await startIdentityProvider({ ...client, publicUrl: 'http://127.0.0.1:9' })
  onTestFinished(() => provider.close())
  const clock = createFakeClock()
  const options = {
    ...client,
    issuer: provider.issuer,
    usernameClaim: 'sub',
    groupsClaim: 'groups',
    groupsPrefix: '',
    now: () => clock.now(),
  }
  return { provider, clock, options, discovery: createDiscovery(options) }
}

test('it is looked up once for all who ask, and again after six hours', async () => {
  const { provider, clock, discovery } = await start()
  await Promise.all([discovery.found(), discovery.found()])
  clock.advance(6 * HOUR - 1)
  await discovery.found()
  expect(provider.discoveries()).toBe(1)
  clock.advance(1)
  await discovery.found()
  expect(provider.discoveries()).toBe(2)
})

test('a provider that was never found is looked for each time', async () => {
  const { provider, discovery } = await start()
  provider.goAway(true)
  await expect(discovery.found()).rejects.toThrow()
  await expect(discovery.found()).rejects.toThrow()
  provider.goAway(false)
  expect((await discovery.found()).serverMetadata().issuer).toBe(provider.issuer)
})

test('while it is unavailable, cached metadata are used, and it is retried each minute', async () => {
  const { provider, clock, discovery } = await start()
  const first = await discovery.found()
  provider.goAway(true)
  clock.advance(6 * HOUR)
  expect(await discovery.found()).toBe(first)
  provider.goAway(false)
  clock.advance(MINUTE - 1)
  expect(await discovery.found()).toBe(first)
  clock.advance(1)
  expect(await discovery.found()).not.toBe(first)
})

test('what fails lets it be looked up again, once a minute; a refused token does not', async () => {
  const { provider, clock, options } = await start()
  const { confirm, confirmAgain, logoutUrl } = createProvider({
    ...options,
    redirectUri: 'http://127.0.0.1:9/auth/oidc/callback',
  })
  const checks = { state: 'a', nonce: 'b', verifier: 'c' }
  const fail = () =>
    expect(confirm(new URL('http://127.0.0.1:9/auth/oidc/callback?code=x&state=other'), checks)).rejects.toThrow()
  await logoutUrl('http://127.0.0.1:9/login')
  clock.advance(2 * MINUTE)
  await expect(confirmAgain('no-such-token', 'jane')).rejects.toMatchObject({ error: 'invalid_grant' })
  await fail()
  expect(provider.discoveries()).toBe(1)
  await fail()
  await fail()
  expect(provider.discoveries()).toBe(2)
  clock.advance(MINUTE)
  await fail()
  expect(provider.discoveries()).toBe(3)
})
