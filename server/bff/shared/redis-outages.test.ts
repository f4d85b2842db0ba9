/** A Redis that is away, silent, full, closed to us, or shared with others. */
import { message } from '@/lib/messages/message'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Clock } from '@/lib/std/clock'
import { CA, SERVER_CERT, SERVER_KEY } from '@/server/kube/testing/certificates'
import { systemClock } from '@/server/runtime/system-clock'
import { freePort } from '@/server/testing/free-port'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { openRedisStore, type RedisStoreOptions } from './redis-store'
import { type SharedStore, StoreUnavailable } from './store'

const LONG_MS = 600_000
/** Two seconds, and what a busy machine adds. */
const SOON_MS = 6_000

const eventually = (look: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 20_000, interval: 10 })

async function startRedis(...flags: string[]): Promise<RedisServer> {
  const redis = await new RedisServer(flags).start()
  onTestFinished(() => redis.remove())
  return redis
}

async function open(url: string, options: Partial<RedisStoreOptions> = {}): Promise<SharedStore> {
  const store = await openRedisStore({
    url,
    prefix: 'test:',
    clock: systemClock,
    random: Math.random,
    onError: (error) => {
      throw error
    },
    probeEveryMs: 200,
    ...options,
  })
  onTestFinished(() => store.close())
  return store
}

/** A client of another user. */
async function strangerAt(redis: RedisServer) {
  const client = await createClient({ url: redis.url }).connect()
  onTestFinished(() => client.destroy())
  return client
}

async function failureOf(work: Promise<unknown>): Promise<{ error: Error; tookMs: number }> {
  const begun = performance.now()
  const error = await work.then(
    () => new Error('nothing failed'),
    (failure: Error) => failure,
  )
  return { error, tookMs: performance.now() - begun }
}

async function isAway(store: SharedStore): Promise<void> {
  await eventually(() => expect(store.state()).toMatchObject({ ok: false }))
}

async function isBack(store: SharedStore): Promise<void> {
  await eventually(() => expect(store.state()).toEqual({ ok: true }))
}

/** Messages received by one instance, independent of the delay of the subscription. */
async function listener(store: SharedStore): Promise<string[]> {
  const heard: string[] = []
  store.subscribe('news', (message) => heard.push(message))
  await eventually(async () => {
    await store.publish('news', 'ready?')
    expect(heard).toContain('ready?')
  })
  return heard
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'a Redis that goes away' : NO_REDIS, () => {
  test('is told with the time since when, rejects at once after two seconds, and works as before when it is back', async () => {
    const redis = await startRedis()
    const store = await open(redis.url)
    const heard = await listener(store)
    const states: boolean[] = []
    store.onState(({ ok }) => states.push(ok))
    const before = Date.now()
    await redis.kill()
    await isAway(store)
    expect(store.state()).toMatchObject({ ok: false, since: expect.toSatisfy((since: number) => since >= before) })
    await eventually(async () => {
      const { error, tookMs } = await failureOf(store.get('key'))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(error.message).toMatch(/unreachable since 20.*Check Redis/)
      expect(error.message).not.toContain('127.0.0.1')
      expect(tookMs).toBeLessThan(200)
    })
    await redis.start()
    await isBack(store)
    await store.set('key', 'value', LONG_MS)
    expect(await store.get('key')).toBe('value')
    await store.publish('news', 'back')
    await eventually(() => expect(heard).toContain('back'))
    expect(states).toEqual([false, true])
  })

  test('for less than two seconds is waited for', async () => {
    const redis = await startRedis()
    // Its two seconds last ten of ours, for a busy machine may take longer to start a Redis.
    const clock: Clock = {
      now: () => Date.now() / 5,
      elapsed: () => performance.now() / 5,
      after: (ms, callback) => systemClock.after(ms * 5, callback),
    }
    const store = await open(redis.url, { clock })
    await redis.kill()
    await isAway(store)
    const asked = store.set('key', 'value', LONG_MS)
    await redis.start()
    await asked
    expect(await store.get('key')).toBe('value')
  })

  test('is not there at the start: the store opens nevertheless, and works once Redis is there', async () => {
    const redis = await startRedis()
    await redis.kill()
    const begun = performance.now()
    const store = await open(redis.url)
    expect(performance.now() - begun).toBeLessThan(SOON_MS)
    expect(store.state()).toMatchObject({ ok: false, error: message('api.store.cause.refused') })
    const heard: string[] = []
    store.subscribe('news', (message) => heard.push(message))
    await redis.start()
    await isBack(store)
    await store.publish('news', 'here')
    await eventually(() => expect(heard).toEqual(['here']))
  })

  test('stops answering: no caller waits much longer than two seconds, and all works again once it answers', async () => {
    const redis = await startRedis()
    const store = await open(redis.url)
    const heard = await listener(store)
    await store.set('key', 'value', LONG_MS)
    redis.pause()
    const failures = await Promise.all(
      [
        store.get('key'),
        store.set('other', 'value', LONG_MS),
        store.add('new', 'value', LONG_MS),
        store.publish('news', 'lost?'),
      ].map(failureOf),
    )
    for (const { error, tookMs } of failures) {
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(tookMs).toBeLessThan(SOON_MS)
    }
    await isAway(store)
    redis.resume()
    await isBack(store)
    expect(await store.get('key')).toBe('value')
    await store.publish('news', 'again')
    await eventually(() => expect(heard).toContain('again'))
  })

  test('stops answering while no caller uses it: the outage and its end are still detected', async () => {
    const redis = await startRedis()
    const store = await open(redis.url)
    redis.pause()
    await isAway(store)
    redis.resume()
    await isBack(store)
  })

  test('closing ends what waits for it', async () => {
    const redis = await startRedis()
    const store = await open(redis.url)
    redis.pause()
    const asked = failureOf(store.get('key'))
    await store.close()
    expect((await asked).error).toBeInstanceOf(StoreUnavailable)
    redis.resume()
  })
})

describe.skipIf(!redisInstalled)(redisInstalled ? 'a Redis that refuses' : NO_REDIS, () => {
  test.each([
    ['a wrong password', 'redis://:wrong-secret@'],
    ['no password', 'redis://'],
    ['an unknown user', 'redis://somebody:wrong-secret@'],
  ])('%s: says so without telling it', async (_name, credentials) => {
    const redis = await startRedis('--requirepass', 'right-secret')
    const store = await open(redis.url.replace('redis://', credentials))
    await eventually(() =>
      expect(store.state()).toMatchObject({ ok: false, error: message('api.store.cause.credentials') }),
    )
    const { error } = await failureOf(store.get('key'))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toContain('--redis-url')
    expect(`${error.stack}${JSON.stringify(store.state())}`).not.toContain('secret')
  })

  test('the right password is used, and was percent-encoded', async () => {
    const redis = await startRedis('--requirepass', 'p@ss/w:rd')
    const store = await open(redis.url.replace('redis://', `redis://:${encodeURIComponent('p@ss/w:rd')}@`))
    expect(store.state()).toEqual({ ok: true })
  })

  test('writes because its memory is full: reads and messages go on, writes fail with the cause, and it heals', async () => {
    const redis = await startRedis('--maxmemory-policy', 'noeviction')
    const store = await open(redis.url)
    const stranger = await strangerAt(redis)
    await store.set('key', 'value', LONG_MS)
    const heard = await listener(store)
    await stranger.configSet('maxmemory', '1000')
    const { error } = await failureOf(store.set('other', 'value', LONG_MS))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toContain('out of memory')
    await eventually(() =>
      expect(store.state()).toMatchObject({ ok: false, error: message('api.store.cause.outOfMemory') }),
    )
    expect(await store.get('key')).toBe('value')
    await stranger.publish('test:channel:news', 'still heard')
    await eventually(() => expect(heard).toContain('still heard'))
    await stranger.configSet('maxmemory', '0')
    await isBack(store)
    await store.set('other', 'value', LONG_MS)
  })

  test('writes because it has become a replica of another: it is looked for anew', async () => {
    const [redis, leader] = [await startRedis(), await startRedis()]
    const store = await open(redis.url)
    const stranger = await strangerAt(redis)
    await stranger.replicaOf('127.0.0.1', leader.port)
    await eventually(() =>
      expect(store.state()).toMatchObject({ ok: false, error: message('api.store.cause.readOnly') }),
    )
    await stranger.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    await isBack(store)
  })
})

describe.skipIf(!redisInstalled)(redisInstalled ? 'a Redis over TLS' : NO_REDIS, () => {
  async function startSecure(): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'redis-tls-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text)
      return join(directory, name)
    }
    const tlsPort = await freePort()
    await startRedis(
      '--tls-port',
      `${tlsPort}`,
      '--tls-cert-file',
      file('cert', SERVER_CERT),
      '--tls-key-file',
      file('key', SERVER_KEY),
      '--tls-ca-cert-file',
      file('ca', CA),
      '--tls-auth-clients',
      'no',
    )
    return `rediss://127.0.0.1:${tlsPort}`
  }

  test('is reached where its authority is known', async () => {
    const url = await startSecure()
    const store = await open(url, { ca: CA })
    expect(store.state()).toEqual({ ok: true })
  })

  test('is not trusted where its authority is not', async () => {
    const url = await startSecure()
    const store = await open(url)
    expect(store.state()).toMatchObject({ ok: false, error: expect.stringMatching(/certificate/) })
  })
})

describe('what is no Redis at all', () => {
  async function addressOf(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('a port that accepts and never answers is away', async () => {
    const server = createTcpServer((socket) => {
      onTestFinished(() => void socket.destroy())
    })
    onTestFinished(() => void server.close())
    const store = await open(await addressOf(server))
    const { error, tookMs } = await failureOf(store.get('key'))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(tookMs).toBeLessThan(SOON_MS)
    await isAway(store)
  })

  test('a web server is away', async () => {
    const server = createServer((_request, response) => {
      response.end('hello')
    })
    onTestFinished(() => void server.close())
    const store = await open(await addressOf(server))
    expect(store.state()).toMatchObject({ ok: false })
    expect((await failureOf(store.get('key'))).error).toBeInstanceOf(StoreUnavailable)
  })
})

describe.skipIf(!redisInstalled)(redisInstalled ? 'a Redis with others in it' : NO_REDIS, () => {
  test('two control planes in one Redis do not see each other', async () => {
    const redis = await startRedis()
    const one = await open(redis.url, { prefix: 'evenkeel:one:' })
    const two = await open(redis.url, { prefix: 'evenkeel:two:' })
    const heard = await listener(two)
    await one.set('key', 'of one', LONG_MS)
    await one.publish('news', 'of one')
    await two.publish('news', 'of two')
    await eventually(() => expect(heard).toContain('of two'))
    expect(heard).not.toContain('of one')
    expect(await two.get('key')).toBeUndefined()
    expect(await two.add('key', 'of two', LONG_MS)).toBe(true)
  })

  test('something else under a key of ours is refused with the cause, is taken, and gives way to a new value', async () => {
    const redis = await startRedis()
    const store = await open(redis.url)
    const stranger = await strangerAt(redis)
    await stranger.lPush('test:key:key', 'foreign')
    const { error } = await failureOf(store.get('key'))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toMatch(/did not write/)
    expect(await store.add('key', 'value', LONG_MS)).toBe(false)
    await store.set('key', 'value', LONG_MS)
    expect(await store.get('key')).toBe('value')
    expect(store.state()).toEqual({ ok: true })
  })

  test('instances whose clocks differ by a minute agree on when a value ends', async () => {
    const redis = await startRedis()
    const shifted = (ms: number): Clock => ({ ...systemClock, now: () => Date.now() + ms })
    const early = await open(redis.url, { clock: shifted(-60_000) })
    const late = await open(redis.url, { clock: shifted(60_000) })
    await early.set('long', 'value', 30_000)
    await late.set('short', 'value', 200)
    expect(await late.get('long')).toBe('value')
    await eventually(async () => expect(await early.get('short')).toBeUndefined())
  })
})
