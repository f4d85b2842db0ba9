import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nameOfProxy, proxyEnvironment, proxyFor } from './proxy'
import { createRestClient } from './rest-client'
import { CA, SERVER_CERT, SERVER_KEY } from './testing/certificates'
import { createServer as createSecureServer } from 'node:https'

const env = { https: 'http://proxy.example:3128', http: 'http://plain.example:8080' }

describe('the choice', () => {
  test('the kubeconfig wins over the environment, and the scheme of the server chooses the variable', () => {
    expect(proxyFor('https://api.example', { given: 'socks5://own.example:1080', env })).toBe(
      'socks5://own.example:1080',
    )
    expect(proxyFor('https://api.example', { env })).toBe(env.https)
    expect(proxyFor('http://api.example', { env })).toBe(env.http)
    expect(proxyFor('https://api.example', {})).toBeUndefined()
    expect(proxyFor('https://api.example', { env: { https: 'proxy.example:3128' } })).toBe('http://proxy.example:3128')
  })

  test('both spellings of the variables are read, and an empty one is none', () => {
    expect(proxyEnvironment({ https_proxy: 'a', HTTP_PROXY: 'b', NO_PROXY: 'c', http_proxy: 'd' })).toEqual({
      https: 'a',
      http: 'b',
      none: 'c',
    })
    expect(proxyEnvironment({ HTTPS_PROXY: '' })).toEqual({})
  })

  test('this machine is always reached directly', () => {
    for (const host of ['localhost', '127.0.0.1', '127.3.2.1', '[::1]'])
      expect(proxyFor(`https://${host}:6443`, { env })).toBeUndefined()
  })

  test.each([
    ['*', 'https://api.example', true],
    ['api.example', 'https://api.example:6443', true],
    ['example', 'https://api.example', true],
    ['.example', 'https://api.example', true],
    ['*.example', 'https://api.example', true],
    ['ample', 'https://api.example', false],
    ['api.example:6443', 'https://api.example:6443', true],
    ['api.example:443', 'https://api.example', true],
    ['api.example:6443', 'https://api.example', false],
    ['10.0.0.0/8', 'https://10.1.2.3:6443', true],
    ['10.0.0.0/8', 'https://11.1.2.3:6443', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['1.2.3', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd00::1]:6443', true],
    ['[fd00::1]:6443', 'https://[fd00::1]:6443', true],
    ['fd00::1', 'https://[fd00::1]:6443', true],
    [' , other.example , api.example', 'https://api.example', true],
    ['', 'https://api.example', false],
  ])('NO_PROXY=%s: %s is reached directly: %s', (none, server, isDirect) => {
    expect(proxyFor(server, { env: { ...env, none } }) === undefined).toBe(isDirect)
  })

  test('an address that cannot be used is refused without repeating it, and no message has a password', () => {
    for (const given of ['ftp://user:secret@proxy.example', 'http://', 'socks4://user:secret@x'])
      expect(() => proxyFor('https://api.example', { given })).toThrow(/^(?!.*secret).*begins with http/)
    expect(nameOfProxy('http://user:secret@proxy.example:3128')).toBe('http://proxy.example:3128')
  })
})

/** A proxy for both kinds of servers, and the targets that it was asked for. */
async function startProxy(answer = 200) {
  const asked: string[] = []
  const proxy = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const options = { method: incoming.method ?? 'GET', headers: incoming.headers }
    incoming.pipe(
      request(incoming.url ?? '', options, (given) => {
        response.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(response)
      }),
    )
  })
  proxy.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push(`CONNECT ${headers['proxy-authorization'] ?? '-'}`)
    if (answer !== 200) return void socket.end(`HTTP/1.1 ${answer} Refused\r\n\r\n`)
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    for (const end of [target, socket]) end.on('error', () => void target.destroy())
  })
  const port = await listening(proxy)
  return { proxy: `http://u:p@127.0.0.1:${port}`, asked }
}

async function listening(server: ReturnType<typeof createServer | typeof createSecureServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const answers = (_: unknown, response: { setHeader(n: string, v: string): void; end(text: string): void }): void => {
  response.setHeader('content-type', 'application/json')
  response.end('{"gitVersion":"v1"}')
}

describe('requests', () => {
  test('to a TLS server pass a tunnel, and the certificate is verified against the CA of the server', async () => {
    const { proxy, asked } = await startProxy()
    const port = await listening(createSecureServer({ cert: SERVER_CERT, key: SERVER_KEY }, answers))
    const url = `https://127.0.0.1:${port}`
    const client = createRestClient({ url, ca: CA, proxy })
    onTestFinished(() => client.close())
    expect(await client.raw('GET', '/version')).toEqual({ status: 200, body: { gitVersion: 'v1' } })
    expect(asked).toEqual([`CONNECT Basic ${Buffer.from('u:p').toString('base64')}`])
    const distrustful = createRestClient({ url, proxy })
    onTestFinished(() => distrustful.close())
    await expect(distrustful.raw('GET', '/version')).rejects.toThrow(/certificate/)
  })

  test('to a plain server pass it, too', async () => {
    const { proxy, asked } = await startProxy()
    const url = `http://127.0.0.1:${await listening(createServer(answers))}`
    const client = createRestClient({ url, proxy })
    onTestFinished(() => client.close())
    expect((await client.raw('GET', '/version')).status).toBe(200)
    expect(asked).toHaveLength(1)
  })

  test('a proxy that refuses is named as the cause, without its password', async () => {
    const { proxy } = await startProxy(407)
    const client = createRestClient({ url: 'https://127.0.0.1:1', ca: CA, proxy })
    onTestFinished(() => client.close())
    await expect(client.raw('GET', '/version')).rejects.toThrow(/proxy http:\/\/127\.0\.0\.1:\d+: .*407/)
  })
})
