import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'redis'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '@/server/runtime/system-clock'
import { NO_REDIS, redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { createSocketAdapter } from './socket-adapter'

const eventually = (look: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 20_000, interval: 10 })

async function startRedis(): Promise<RedisServer> {
  const redis = await new RedisServer().start()
  onTestFinished(() => redis.remove())
  return redis
}

/** A socket.io server as an instance has one. Sockets join the room that they name. */
async function startInstance(redis: RedisServer, prefix = 'test:') {
  const { adapter, close } = createSocketAdapter({ url: redis.url, prefix, clock: systemClock, random: Math.random })
  const http = createServer()
  const server = new Server(http, { adapter, transports: ['websocket'] })
  server.on('connection', (socket) => void socket.join(String(socket.handshake.query.room)))
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    await server.close()
    await close()
  })
  return { server, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

async function connectTo({ url }: { url: string }, room: string): Promise<Socket> {
  const socket = io(url, { query: { room }, transports: ['websocket'], reconnection: false, forceNew: true })
  onTestFinished(() => void socket.disconnect())
  await eventually(() => expect(socket.connected).toBe(true))
  return socket
}

/** Until the instances hear each other. */
async function together(one: { server: Server; url: string }, two: { server: Server; url: string }): Promise<void> {
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    const room = `probe-${Math.random()}`
    const socket = await connectTo(to, room)
    await eventually(() => {
      from.server.in(room).disconnectSockets(true)
      expect(socket.connected).toBe(false)
    })
  }
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'sockets of several instances' : NO_REDIS, () => {
  test('the sockets of a room are closed on all instances within a second, and no others', async () => {
    const redis = await startRedis()
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    await together(one, two)
    const other = await connectTo(two, 'b')
    // A busy machine may be late for a moment, but not every time.
    await eventually(async () => {
      const [mine, theirs] = [await connectTo(one, 'a'), await connectTo(two, 'a')]
      const begun = performance.now()
      one.server.in('a').disconnectSockets(true)
      await eventually(() => expect([mine.connected, theirs.connected]).toEqual([false, false]))
      expect(performance.now() - begun).toBeLessThan(1_000)
    })
    expect(other.connected).toBe(true)
  })

  test('one says who is connected anywhere', async () => {
    const redis = await startRedis()
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    await together(one, two)
    await connectTo(two, 'a')
    await eventually(async () => expect(await one.server.in('a').fetchSockets()).toHaveLength(1))
  })

  test('messages sent while an instance was disconnected are delivered later, even as its first ones', async () => {
    const redis = await startRedis()
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    const socket = await connectTo(two, 'a')
    const stranger = await createClient({ url: redis.url }).connect()
    onTestFinished(() => stranger.destroy())
    await eventually(async () =>
      expect((await stranger.clientList()).filter(({ cmd }) => cmd === 'xread')).toHaveLength(2),
    )
    await stranger.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
    one.server.in('a').disconnectSockets(true)
    await eventually(() => expect(socket.connected).toBe(false))
  })

  test('while Redis is away an instance still acts on its own sockets, and on all others once it is back', async () => {
    const redis = await startRedis()
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    await together(one, two)
    const [local, remote] = [await connectTo(one, 'a'), await connectTo(two, 'a')]
    await redis.kill()
    one.server.local.in('a').disconnectSockets(true)
    one.server.in('a').disconnectSockets(true)
    await eventually(() => expect(local.connected).toBe(false))
    expect(remote.connected).toBe(true)
    await redis.start()
    await eventually(() => expect(remote.connected).toBe(false))
    await together(one, two)
  })

  test('messages of others that mean nothing are passed over', async () => {
    const redis = await startRedis()
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    await together(one, two)
    const stranger = await createClient({ url: redis.url }).connect()
    onTestFinished(() => stranger.destroy())
    const socket = await connectTo(two, 'a')
    const foreign: Record<string, string>[] = [
      { hello: 'world' },
      { nsp: '/', uid: 'x', type: '5', data: '{' },
      { nsp: '/', uid: 'x', type: '5', data: '{}' },
      { nsp: '/', uid: 'x', type: 'NaN', data: 'AAAA' },
    ]
    for (const message of foreign) await stranger.xAdd('test:sockets', '*', message)
    one.server.in('a').disconnectSockets(true)
    await eventually(() => expect(socket.connected).toBe(false))
  })

  test('a value of another type under the stream key only delays messages for others', async () => {
    const redis = await startRedis()
    const stranger = await createClient({ url: redis.url }).connect()
    onTestFinished(() => stranger.destroy())
    await stranger.set('test:sockets', 'foreign')
    const one = await startInstance(redis)
    const two = await startInstance(redis)
    const [mine, theirs] = [await connectTo(one, 'a'), await connectTo(two, 'a')]
    one.server.local.in('a').disconnectSockets(true)
    one.server.in('a').disconnectSockets(true)
    await eventually(() => expect(mine.connected).toBe(false))
    await stranger.del('test:sockets')
    await eventually(() => expect(theirs.connected).toBe(false))
  })

  test('control planes that share a Redis do not reach each other', async () => {
    const redis = await startRedis()
    const [one, again, foreign] = [
      await startInstance(redis),
      await startInstance(redis),
      await startInstance(redis, 'other:'),
    ]
    await together(one, again)
    const [reached, spared] = [await connectTo(again, 'a'), await connectTo(foreign, 'a')]
    one.server.in('a').disconnectSockets(true)
    await eventually(() => expect(reached.connected).toBe(false))
    expect(spared.connected).toBe(true)
  })
})
