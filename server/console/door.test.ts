import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIVE_PATH } from '@/lib/view/live'
import { startBff } from '@/server/bff/testing/start-bff'
import { createLogger } from '@/server/telemetry/logger'
import { serve } from '.'
import { MAX_TARGET_LENGTH } from './target'

/** Returns the request that Next.js would receive. */
async function start(): Promise<number> {
  const { bff } = await startBff()
  const { server, close } = serve({ bff, log: createLogger({ level: 'silent' }) }, async (request, response) => {
    response.end(`page ${request.method} ${request.url} ${request.headers.host}`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => close(0))
  return (server.address() as AddressInfo).port
}

/** What comes back for these very bytes, until the connection ends. */
async function send(port: number, bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)]
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), head, body }
}

const LAST = 'Connection: close\r\n\r\n'
const HOST = 'Host: localhost\r\n'

describe('what a request is aimed at', () => {
  test.each([
    ['a path', `GET /fleet?a=1 HTTP/1.1\r\n${HOST}${LAST}`, 'page GET /fleet?a=1 localhost'],
    [
      'an address, which counts more than Host',
      `GET http://127.0.0.1/fleet?a=1 HTTP/1.1\r\nHost: evil.example\r\n${LAST}`,
      'page GET /fleet?a=1 127.0.0.1',
    ],
    ['an address without a path', `GET http://localhost?a=1 HTTP/1.1\r\n${HOST}${LAST}`, 'page GET /?a=1 localhost'],
    [
      'a path, with an offer of HTTP/2',
      'GET /fleet HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: close, '
        + 'Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
      'page GET /fleet localhost',
    ],
    ['a path, expecting who knows what', `GET /fleet HTTP/1.1\r\n${HOST}Expect: wonders\r\n${LAST}`, 'page GET /fleet'],
  ])('is read as %s', async (_, bytes, seen) => {
    const { status, body } = await send(await start(), bytes)
    expect([status, body]).toEqual([200, expect.stringContaining(seen)])
  })

  test.each([
    ['an address of another host', `GET http://evil.example/x HTTP/1.1\r\n${HOST}${LAST}`, 403, 'Foreign'],
    ['no path', `OPTIONS * HTTP/1.1\r\n${HOST}${LAST}`, 400, 'Malformed'],
    ['an address that is none', `GET http://[ HTTP/1.1\r\n${HOST}${LAST}`, 400, 'Malformed'],
    [
      'a name with user information before it',
      `GET /api/v1/about HTTP/1.1\r\nHost: evil@localhost\r\n${LAST}`,
      400,
      'Malformed',
    ],
    [
      'a name with a policy behind it',
      `GET /fleet HTTP/1.1\r\nHost: localhost/;report-uri\r\n${LAST}`,
      400,
      'Malformed',
    ],
    ['two names', `GET /fleet HTTP/1.1\r\n${HOST}Host: evil.example\r\n${LAST}`, 400, 'Malformed'],
    ['no name', `GET /fleet HTTP/1.1\r\n${LAST}`, 400, 'Malformed'],
    ['no name in HTTP/1.0', 'GET /fleet HTTP/1.0\r\n\r\n', 403, 'Foreign'],
    ['too long a path', `GET /${'a'.repeat(MAX_TARGET_LENGTH)} HTTP/1.1\r\n${HOST}${LAST}`, 414, 'UriTooLong'],
  ])('is refused as a problem: %s', async (_, bytes, status, reason) => {
    const answer = await send(await start(), bytes)
    expect(answer.status).toBe(status)
    expect(answer.head.toLowerCase()).toContain('content-type: application/problem+json')
    expect(answer.head.toLowerCase()).toContain("content-security-policy: default-src 'none'")
    expect(answer.head).not.toContain('report-uri')
    expect(answer.body).toContain(`"reason":"${reason}"`)
  })

  test('is no socket under two names', async () => {
    const { status } = await send(
      await start(),
      `GET ${LIVE_PATH}/?EIO=4&transport=websocket HTTP/1.1\r\n${HOST}`
        + 'Host: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
        + 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    expect(status).toBe(404)
  })
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  'pages and files take no %s, and its body is not read',
  async (method) => {
    const port = await start()
    for (const path of ['/fleet', '/_next/static/a.js']) {
      const { status, head, body } = await send(port, `${method} ${path} HTTP/1.1\r\n${HOST}${LAST}`)
      expect(status).toBe(405)
      expect(head).toMatch(/\r\nallow: GET, HEAD\r\n/i)
      expect(JSON.parse(body.replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, ''))).toMatchObject({
        reason: 'MethodNotAllowed',
      })
    }
  },
)

describe('what never becomes a request', () => {
  test.each([
    ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n', 400, 'Malformed'],
    ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`, 400, 'Malformed'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'Malformed',
    ],
    ['ends of lines without CR', 'GET / HTTP/1.1\nHost: localhost\n\n', 400, 'Malformed'],
    ['headers without end', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HeadersTooLarge'],
  ])('is refused as a problem, and its connection ends: %s', async (_, bytes, status, reason) => {
    const answer = await send(await start(), bytes)
    expect(answer.status).toBe(status)
    expect(answer.head).toContain('Content-Type: application/problem+json')
    expect(JSON.parse(answer.body)).toMatchObject({ status, reason, instance: expect.stringMatching(/^urn:request:/) })
  })

  test('is not written into an answer that has begun', async () => {
    const { bff } = await startBff()
    const begun = Promise.withResolvers<void>()
    const { server, close } = serve({ bff, log: createLogger({ level: 'silent' }) }, async (_, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('half')
      begun.resolve()
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => close(0))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.write(`GET /fleet HTTP/1.1\r\n${HOST}\r\n`)
    await begun.promise
    socket.write('garbage\r\n\r\n')
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n(half)?$/)
  })
})
