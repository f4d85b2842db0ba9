import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap } from '@/lib/kube/kinds/config-map'
import type { ConnectionOptions, Credentials } from './connection'
import { createRestClient } from './rest-client'
import { CA, CLIENT_CERT, CLIENT_KEY, SERVER_CERT, SERVER_KEY } from './testing/certificates'

let server: Server
let connections: number

/** Names the user by the certificate that was shown, as an API server does. */
beforeEach(async () => {
  connections = 0
  server = createServer(
    { cert: SERVER_CERT, key: SERVER_KEY, ca: CA, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket
      const user = socket.authorized ? socket.getPeerCertificate().subject.CN : 'nobody'
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: user } }))
    },
  )
  server.on('secureConnection', () => void (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Our identity at the server, read `times` times. */
async function whoAmI(options: Partial<ConnectionOptions>, times = 1): Promise<unknown> {
  const client = createRestClient({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options })
  try {
    let name: unknown
    for (let i = 0; i < times; i += 1) name = (await client.get(configMap, { name: 'x' })).metadata.name
    return name
  } finally {
    await client.close()
  }
}

describe('over TLS', () => {
  test('a client certificate says who we are', async () => {
    expect(await whoAmI({ ca: CA, cert: CLIENT_CERT, key: CLIENT_KEY })).toBe('admin')
    expect(await whoAmI({ ca: CA })).toBe('nobody')
  })

  test('many requests use few connections', async () => {
    await whoAmI({ ca: CA }, 30)
    expect(connections).toBeLessThanOrEqual(2)
  })

  test('a server with an untrusted certificate is refused, unless verification is turned off', async () => {
    await expect(whoAmI({})).rejects.toMatchObject({
      reason: 'Unreachable',
      message: expect.stringMatching(/certificate/),
    })
    expect(await whoAmI({ insecureSkipTlsVerify: true })).toBe('nobody')
  })

  test('the name in the certificate can be given', async () => {
    expect(await whoAmI({ ca: CA, serverName: 'kubernetes.default' })).toBe('nobody')
    await expect(whoAmI({ ca: CA, serverName: 'elsewhere' })).rejects.toMatchObject({ reason: 'Unreachable' })
  })

  test('a renewed authority is used from the next request on', async () => {
    const given: Credentials[] = [{}, { ca: CA }]
    const refresh = async () => given.shift() ?? { ca: CA }
    await expect(whoAmI({ refresh })).rejects.toMatchObject({ reason: 'Unreachable' })
    expect(await whoAmI({ refresh })).toBe('nobody')
  })

  test('a renewed certificate is used from the next request on', async () => {
    const given: Credentials[] = [{}, { cert: CLIENT_CERT, key: CLIENT_KEY }]
    expect(await whoAmI({ ca: CA, refresh: async () => given.shift() ?? {} }, 2)).toBe('admin')
  })
})
