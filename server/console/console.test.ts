import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { request as ask } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { io } from 'socket.io-client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIVE_PATH } from '@/lib/view/live'
import { eventually, startBff } from '@/server/bff/testing/start-bff'
import { currentContext } from '@/server/telemetry/context'
import { createLogger } from '@/server/telemetry/logger'
import { HTTP_LIMITS } from './limits'
import { serve } from '.'

type Page = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const plainPage: Page = async (request, response) => {
  response.setHeader('x-seen-policy', String(request.headers['content-security-policy']))
  response.setHeader('x-seen-nonce', String(request.headers['x-nonce']))
  response.setHeader('x-seen-build', String(request.headers['x-build']))
  response.end('page')
}

interface Options {
  page?: Page
  publicUrl?: string
  build?: string
}

/** The console's HTTP server over a real BFF; pages are the test's. */
async function start({ page = plainPage, publicUrl, build }: Options = {}) {
  const { bff } = await startBff()
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const { server, close } = serve({ bff, log: createLogger({ destination, level: 'debug' }), publicUrl, build }, page)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  onTestFinished(() => (server.listening ? close(0) : undefined))
  return { url: `http://127.0.0.1:${port}`, port, server, close, lines }
}

interface Got {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Node's own client, for fetch may not set Host and Origin. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    ask(url, { headers, method, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
      .on('error', reject)
      .end()
  })
}

const FILES = ['/favicon.svg', '/_next/static/chunks/a.js', '/_next/no/such/file']
const SURFACES = [
  '/fleet',
  '/api/v1/about',
  '/api/nothing',
  '/healthz',
  '/metrics',
  '/no/such/page',
  `${LIVE_PATH}/?EIO=4&transport=polling`,
]

describe('headers', () => {
  test.each(SURFACES)('%s may not be framed, sniffed, embedded elsewhere or run what is not ours', async (path) => {
    const { url } = await start()
    const { headers } = await get(url + path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    })
    const policy = headers['content-security-policy']
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toMatch(/unsafe-|data:|\*/)
    expect(headers['permissions-policy']).toContain('camera=()')
    for (const name of ['x-powered-by', 'origin-agent-cluster']) expect(headers[name]).toBeUndefined()
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  test.each(FILES)('%s is protected with few bytes', async (path) => {
    const { url } = await start()
    const { headers } = await get(url + path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    })
    const forDocuments = ['permissions-policy', 'cross-origin-opener-policy', 'referrer-policy', 'x-frame-options']
    for (const name of ['x-powered-by', ...forDocuments]) expect(headers[name]).toBeUndefined()
  })

  test('a page gets a new nonce each time, which is passed to its renderer', async () => {
    const { url, port } = await start()
    const answers = await Promise.all([get(`${url}/fleet`), get(`${url}/fleet`)])
    const nonces = answers.map(({ headers }) => {
      const nonce = /script-src 'nonce-([\w+/]{22}==)' 'strict-dynamic';/.exec(
        String(headers['content-security-policy']),
      )?.[1]
      expect(headers['x-seen-nonce']).toBe(nonce)
      expect(headers['x-seen-policy']).toBe(headers['content-security-policy'])
      expect(headers['content-security-policy']).toContain(`connect-src 'self' ws://127.0.0.1:${port};`)
      return nonce
    })
    expect(new Set(nonces).size).toBe(2)
  })

  test('a caller cannot choose the nonce', async () => {
    const { url } = await start()
    const { headers } = await get(`${url}/fleet`, {
      'x-nonce': 'mine',
      'content-security-policy': "script-src 'nonce-mine'",
    })
    expect(headers['x-seen-nonce']).not.toBe('mine')
    expect(headers['x-seen-policy']).not.toContain('mine')
  })

  test.each([
    ['its own build', 'b7', 'b7'],
    ['none without a build', undefined, 'undefined'],
  ])('a page names %s, whatever a caller says', async (_, build, seen) => {
    const { url } = await start({ ...(build !== undefined && { build }) })
    const { headers } = await get(`${url}/fleet`, { 'x-build': 'mine' })
    expect(headers['x-seen-build']).toBe(seen)
  })

  test('behind https browsers are told to stay there', async () => {
    const { url, port } = await start({ publicUrl: 'https://fleet.example' })
    const { headers } = await get(`${url}/fleet`)
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['content-security-policy']).toContain(`wss://127.0.0.1:${port}`)
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
  })
})

describe('requests of others', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a page under a foreign name', '/fleet', { host: 'evil.example' }],
    ['a file under a foreign name', '/favicon.svg', { host: 'evil.example' }],
    ['a page for a form of another site', '/fleet', { origin: 'http://evil.example' }],
    ['the API under a foreign name', '/api/v1/about', { host: 'evil.example' }],
  ])('are refused %s', async (_, path, headers) => {
    const { url } = await start()
    const { status, headers: answered } = await get(url + path, headers)
    expect(status).toBe(403)
    expect(answered['cache-control']).toBe('no-store')
  })

  test.each<[string, Record<string, string>]>([
    ['of a foreign origin', { origin: 'http://evil.example' }],
    ['of the opaque origin', { origin: 'null' }],
    ['under a foreign name', { host: 'evil.example' }],
  ])('are refused a socket %s, upgraded at once or polled', async (_, headers) => {
    const { url, port } = await start()
    expect((await get(`${url}${LIVE_PATH}/?EIO=4&transport=polling`, headers)).status).toBe(403)
    const socket = open(port)
    const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    socket.write(
      `GET ${LIVE_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\n${lines}Connection: Upgrade\r\nUpgrade: websocket\r\n`
        + 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 (400|403) /)
  })

  test('do not get a socket where there is none', async () => {
    const { port } = await start()
    const socket = open(port)
    socket.write('GET /fleet HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 404 /)
  })
})

describe('ids', () => {
  test('a request keeps the id that it came with, when that is one', async () => {
    const { url } = await start()
    expect((await get(`${url}/fleet`, { 'x-request-id': 'gateway-12345' })).headers['x-request-id']).toBe(
      'gateway-12345',
    )
    for (const bad of ['short', 'with space in it', `long${'x'.repeat(200)}`, '{"json":"injected"}']) {
      expect((await get(`${url}/fleet`, { 'x-request-id': bad })).headers['x-request-id']).not.toBe(bad)
    }
  })

  test('are in the context of the handler, and on the log line about the answer, which has no query', async () => {
    let seen: string | undefined
    const { url, lines } = await start({
      page: async (_, response) => {
        await Promise.resolve()
        seen = currentContext().requestId
        response.end()
      },
    })
    await get(`${url}/fleet?token=abc`, { 'x-request-id': 'gateway-12345' })
    expect(seen).toBe('gateway-12345')
    await eventually(() =>
      expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({ requestId: 'gateway-12345', path: '/fleet', code: 200, msg: 'answered' }),
      ),
    )
    expect(lines.join('')).not.toContain('abc')
  })
})

describe('a page that cannot be rendered', () => {
  test.each<[string, Page]>([
    ['throws', () => Promise.reject(new Error('no page today'))],
    [
      'ends with an own text',
      (_, response) =>
        Promise.resolve(void response.writeHead(500, { 'content-type': 'text/plain' }).end('<script>inline</script>')),
    ],
    [
      'sets the code and streams',
      async (_, response) => {
        response.statusCode = 500
        response.setHeader('content-length', 5)
        response.write('<scri')
        await Promise.resolve()
        response.end('pt>')
      },
    ],
  ])('gets a page that its policy allows, with the id for the log: one that %s', async (_, page) => {
    const { url } = await start({ page })
    const { status, headers, text } = await get(`${url}/fleet`, { 'x-request-id': 'gateway-12345' })
    expect(status).toBe(500)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(text).toContain('request ID gateway-12345')
    expect(text).not.toContain('<script')
    const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1]
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`)
  })

  test('is logged with its id', async () => {
    const { url, lines } = await start({ page: () => Promise.reject(new Error('no page today')) })
    await get(`${url}/fleet`, { 'x-request-id': 'gateway-12345' })
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: 'gateway-12345',
        err: expect.objectContaining({ message: 'no page today' }),
      }),
    )
  })

  test('that fails in the middle breaks off, so that half of it is not taken for all', async () => {
    const { url } = await start({
      page: (_, response) => {
        response.write('half')
        return Promise.reject(new Error('no more'))
      },
    })
    await expect(get(`${url}/fleet`)).rejects.toThrow(/aborted|hang up|reset/)
  })

  test('that has begun already is sent as it is', async () => {
    const { url } = await start({
      page: async (_, response) => {
        response.write('begun, ')
        response.statusCode = 500
        response.end('and ended')
      },
    })
    expect(await get(`${url}/fleet`)).toMatchObject({ status: 200, text: 'begun, and ended' })
  })

  test('leaves others as they are', async () => {
    const { url } = await start({
      page: (_, response) => Promise.resolve(void response.writeHead(404, { 'x-own': 'kept' }).end('not there')),
    })
    expect(await get(`${url}/fleet`)).toMatchObject({ status: 404, text: 'not there', headers: { 'x-own': 'kept' } })
  })
})

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

async function everything(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(socket, 'close')
  return text
}

describe('slow and greedy clients', () => {
  test('headers beyond the limit are refused', async () => {
    const { url } = await start()
    expect((await get(`${url}/fleet`, { 'x-filler': 'x'.repeat(HTTP_LIMITS.maxHeaderSize) })).status).toBe(431)
  })

  test('a request that never ends its headers, or its body, does not stay', async () => {
    const { port, server } = await start()
    // The same rules on a shorter clock; both are looked at every connectionsCheckingInterval.
    server.headersTimeout = 100
    server.requestTimeout = 200
    const [headers, body] = [open(port), open(port)]
    headers.write('GET /fleet HTTP/1.1\r\nHost: localhost\r\nX-Drip: ')
    body.write(
      'POST /api/v1/rebalance-previews HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    const answers = await Promise.all([everything(headers), everything(body)])
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('the limits are those that are written down', async () => {
    const { server } = await start()
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      timeout: 120_000,
      maxConnections: 10_000,
      maxHeadersCount: 100,
    })
  })
})

describe('leaving', () => {
  test('lets a running request finish, ends sockets and idle connections, and takes nothing new', async () => {
    const finish = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { url, port, close } = await start({
      page: async (_, response) => {
        begun.resolve()
        await finish.promise
        response.end('late but whole')
      },
    })
    const socket = io(url, { path: LIVE_PATH, transports: ['websocket'], reconnection: false })
    onTestFinished(() => void socket.close())
    await once(socket as unknown as NodeJS.EventEmitter, 'connect')
    const gone = once(socket as unknown as NodeJS.EventEmitter, 'disconnect')
    const idle = open(port)
    await once(idle, 'connect')
    const running = get(`${url}/fleet`)
    await begun.promise
    const closed = close()
    await Promise.all([gone, once(idle, 'close')])
    await expect(get(`${url}/fleet`)).rejects.toThrow('ECONNREFUSED')
    finish.resolve()
    expect((await running).text).toBe('late but whole')
    await closed
  })

  test('does not wait for ever', async () => {
    const begun = Promise.withResolvers<void>()
    const { url, close } = await start({
      page: () => {
        begun.resolve()
        return new Promise<void>(() => undefined)
      },
    })
    const running = get(`${url}/fleet`)
    running.catch(() => undefined)
    await begun.promise
    await close(50)
    await expect(running).rejects.toThrow()
  })
})
