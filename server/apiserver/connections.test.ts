/** The port with clients that pipeline, read slowly, send nothing or request too much. */
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import type { Call, Stream } from './call'
import type { PortLimits } from './connections'
import { type HttpServer, listen } from './http'
import { selfSigned } from './tls/certificates'

const tls = await selfSigned({ hosts: ['localhost'], now: Date.now() })
const open: { destroy(): void }[] = []
let server: HttpServer | undefined
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await server?.close()
})

const held: (() => void)[] = []

/** Returns the request's name and the length of its body; `/held` waits, `/watch` continues. */
async function answer(call: Call): Promise<{ status: number; type: string; text: string } | Stream> {
  const { path, query } = call
  if (path === '/watch') return { start: (sink) => sink.write('{}\n'), follow: () => undefined }
  if (path === '/held') await new Promise<void>((resolve) => held.push(resolve))
  const body = await call.body()
  return {
    status: 200,
    type: 'text/plain',
    text: `${query.get('id')}:${body.length}:${'x'.repeat(Number(query.get('n')))}`,
  }
}

async function start(limits: Partial<PortLimits> = {}, encrypted = true): Promise<number> {
  server = await listen({
    host: '127.0.0.1',
    port: 0,
    ...(encrypted && { tls }),
    limits,
    handle: answer,
    onFault: (error) => {
      throw error
    },
    authenticate: ({ headers }) => ({ user: headers.authorization ?? 'ann', groups: [] }),
  })
  return server.port
}

function client(port: number, secure = false): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = secure
      ? connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket))
      : connect(port, '127.0.0.1', () => resolve(socket))
    open.push(socket)
    socket.once('error', reject)
    socket.on('error', () => undefined)
  })
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.once('close', () => resolve()).resume()
  })

/** Resolves with the received data once it contains `wanted`, or when the connection ends. */
function until(socket: Socket, wanted: string): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes(wanted)) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })
}

/** Reads answers one by one, and stops reading after each piece for a few turns. */
async function* answers(socket: Socket, slow: boolean): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = rest.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(rest.subarray(0, Math.max(head, 0)).toString())?.[1])
      if (head < 0 || rest.length < head + 4 + length) break
      yield rest.subarray(head + 4, head + 4 + length).toString('latin1')
      rest = rest.subarray(head + 4 + length)
    }
    for (let turns = slow ? 20 : 0; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('every answer belongs to its request', () => {
  it.each([
    ['over TLS', true, false],
    ['over TLS to a slow reader', true, true],
    ['in the open', false, false],
    ['in the open to a slow reader', false, true],
  ])('%s, however many are sent at once', async (_how, secure, slow) => {
    const socket = await client(await start(), secure)
    const rng = seededRng(secure ? 3 : 4)
    const size = (): number => Math.floor(rng.next() ** 4 * 200_000)
    const wanted = Array.from({ length: 2500 }, (_, id) => ({ id, n: size(), body: rng.next() < 0.5 ? 0 : size() }))
    let sent = 0
    let received = 0
    /** Some more requests at once, as long as there are few on their way. */
    const send = (): void => {
      if (sent === wanted.length || sent - received >= 16) return
      const some = wanted.slice(sent, (sent += 1 + Math.floor(rng.next() * 8)))
      socket.write(
        some
          .map(
            ({ id, n, body }) =>
              `POST /x?id=${id}&n=${n} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body}\r\n\r\n${'b'.repeat(body)}`,
          )
          .join(''),
      )
      sent = Math.min(sent, wanted.length)
      send()
    }
    send()
    for await (const text of answers(socket, slow)) {
      const { id, n, body } = wanted[received++]!
      expect([text.slice(0, 40).split(':', 2), text.length]).toEqual([
        [`${id}`, `${body}`],
        `${id}:${body}:`.length + n,
      ])
      if (received === wanted.length) break
      send()
    }
    expect(received).toBe(wanted.length)
  })

  it.each([
    ['at once', 'hello', ''],
    ['later', 'hel', 'lo'],
  ])(
    'the connection ends behind a protocol that is not spoken here, when the body came %s',
    async (_when, now, then) => {
      const socket = await client(await start({}, false))
      const upgrade = 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 5\r\n'
      socket.write(`POST /?id=1 HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n${now}`)
      if (then !== '') await new Promise((resolve) => setImmediate(resolve))
      socket.write(`${then}${get('/?id=2')}`)
      const received = await until(socket, '2:0:')
      expect(received).toContain('1:5:')
      expect(received.toLowerCase()).toContain('connection: close')
    },
  )
})

describe('a connection', () => {
  const quick = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 }

  it('that sends nothing is closed', async () => {
    await closed(await client(await start(quick)))
  })

  it('that begins TLS and says no more is closed', async () => {
    const socket = await client(await start(quick))
    socket.write(Buffer.from([0x16, 0x03, 0x01]))
    await closed(socket)
  })

  it.each([true, false])('that never ends its headers or its body is told so and closed (TLS: %s)', async (secure) => {
    const port = await start(quick)
    for (const text of [
      'GET /x HTTP/1.1\r\nHost: a\r\n',
      `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab`,
    ]) {
      const socket = await client(port, secure)
      socket.write(text)
      expect(await until(socket, 'never')).toContain('HTTP/1.1 408')
    }
  })

  it('with an idle watch stays open', async () => {
    const port = await start({ ...quick, unreadTimeout: 100, keepAliveTimeout: 100 })
    const watch = await client(port)
    watch.write(get('/watch'))
    await until(watch, '{}')
    await closed(await client(port))
    await closed(await client(port))
    expect(watch.destroyed).toBe(false)
  })

  it.each([true, false])('whose answer is not read is closed (TLS: %s)', async (secure) => {
    const socket = await client(await start({ unreadTimeout: 100 }), secure)
    socket.pause().write(get('/x?id=1&n=50000000'))
    // A client that does not read learns of the end when it writes; writing more often than that would be activity.
    const probe = setInterval(() => socket.write(' '), 500)
    await new Promise<void>((resolve) => socket.once('close', () => resolve()))
    clearInterval(probe)
  })

  it('with too many headers or too long ones is refused', async () => {
    const socket = await client(await start())
    socket.write(get('/x', `X: ${'x'.repeat(20_000)}\r\n`))
    expect(await until(socket, 'never')).toContain('HTTP/1.1 431')
  })

  it('beyond the limit of an address takes the place of the oldest idle one, or none', async () => {
    const port = await start({ connectionsOfAddress: 2 }, false)
    const [busy, idle] = [await client(port), await client(port)]
    busy.write(get('/held?id=1'))
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const third = await client(port)
    await closed(idle)
    third.write(get('/held?id=2'))
    while (held.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await closed(await client(port))
    for (const release of held.splice(0)) release()
    expect(await until(third, '2:0:')).toContain('200 OK')
  })
})

it('a user has no more requests running than the limit, and others have theirs', async () => {
  const port = await start({ requestsOfUser: 2 }, false)
  const ask = async (user: string, path: string): Promise<Socket> => {
    const socket = await client(port)
    socket.write(get(path, `Authorization: ${user}\r\n`))
    return socket
  }
  const running = [await ask('ann', '/held?id=1'), await ask('ann', '/held?id=2')]
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(await until(await ask('ann', '/x?id=3'), '\r\n\r\n{')).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 1/)
  expect(await until(await ask('ben', '/x?id=4'), '4:0:')).toContain('200 OK')
  for (const release of held.splice(0)) release()
  await Promise.all(running.map((socket, index) => until(socket, `${index + 1}:0:`)))
  expect(await until(await ask('ann', '/x?id=5'), '5:0:')).toContain('200 OK')
})

it('a user has no more unread answers than the limit, and others have theirs', async () => {
  const port = await start({ unreadBytesOfUser: 1_000_000 }, false)
  const ask = async (user: string, path: string): Promise<Socket> => {
    const socket = await client(port)
    socket.write(get(path, `Authorization: ${user}\r\n`))
    return socket
  }
  const unread = await ask('ann', '/x?id=1&n=50000000')
  await until(unread, '1:0:')
  unread.pause()
  expect(await until(await ask('ann', '/x?id=2&n=9000'), '\r\n\r\n{')).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 1/)
  expect(await until(await ask('ben', '/x?id=3'), '3:0:')).toContain('200 OK')
  unread.destroy()
  while (/ 429 /.test(await until(await ask('ann', '/x?id=4'), '\r\n\r\n'))) continue
})

describe('bytes that are no request', () => {
  it.each([
    ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '431 Request Header Fields Too Large'],
    ['a long header', get('/x', `A: ${'a'.repeat(20_000)}\r\n`), '431 Request Header Fields Too Large'],
    ['no method', '\x01\x02\r\n\r\n', '400 Bad Request'],
    ['two lengths', get('/x', 'Content-Length: 1\r\nContent-Length: 2\r\n'), '400 Bad Request'],
  ])('are refused as Go does it, and the connection is closed: %s', async (_what, bytes, status) => {
    for (const secure of [false, true]) {
      const socket = await client(await start({}, secure), secure)
      socket.write(bytes)
      expect(await until(socket, 'never')).toBe(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`,
      )
      await server?.close()
    }
  })

  it('are not answered within an answer that has begun', async () => {
    const socket = await client(await start())
    socket.write(get('/watch'))
    await until(socket, '{}')
    socket.write('\x01\x02\r\n\r\n')
    expect(await until(socket, 'HTTP/1.1 400')).not.toContain('400')
  })
})
