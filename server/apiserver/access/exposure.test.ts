import { createMemoryStore, selfSigned, startApiServer } from '../index'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { isLoopback, localUrl } from './exposure'

const options = { kinds: [], port: 0, clock: createFakeClock(), uid: () => 'uid', random: () => 0, tokens: [] }

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['127.example.com', false],
])('%s is an address of this machine only: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:7443'],
  ['::1', 'http://[::1]:7443'],
  ['0.0.0.0', 'http://127.0.0.1:7443'],
  ['192.168.1.5', 'https://192.168.1.5:7443'],
])('this machine reaches %s at %s', (host, url) => {
  expect(localUrl(host, 7443)).toBe(url)
})

describe('an address that other machines reach', () => {
  const start = (more: object): Promise<unknown> =>
    startApiServer({ ...options, store: createMemoryStore(), host: '0.0.0.0', ...more })

  test('is refused unless it is meant', async () => {
    const tls = await selfSigned({ hosts: ['localhost'], now: Date.now() })
    await expect(start({ tls })).rejects.toThrow('other machines can reach the API server at 0.0.0.0')
  })

  test('is refused without TLS', async () => {
    await expect(start({ exposed: true })).rejects.toThrow('tokens would cross the network in the open')
  })

  test('is served to this machine in both ways', async () => {
    const tls = await selfSigned({ hosts: ['localhost'], now: Date.now() })
    const store = createMemoryStore()
    const server = await startApiServer({ ...options, store, host: '0.0.0.0', tls, exposed: true })
    // Without kinds there are no roles, so no user may read anything.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(403)
    await server.close()
    await store.close()
  })
})
