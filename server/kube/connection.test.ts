/** As whom a request acts when its credentials already impersonate a user. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRestClient } from './rest-client'

test('a request that acts as another keeps nothing of whom the credentials act as', async () => {
  const seen: IncomingMessage['headersDistinct'][] = []
  const server = createServer((request, response) => {
    seen.push(request.headersDistinct)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const client = createRestClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'secret',
    headers: { 'Impersonate-User': 'boss', 'impersonate-group': 'system:masters' },
  })
  onTestFinished(async () => {
    await client.close()
    server.close()
  })
  await client.raw('GET', '/version')
  await client.as({ user: 'jane', groups: [] }).raw('GET', '/version')
  expect(
    seen.map((headers) => [headers['impersonate-user'], headers['impersonate-group'], headers.authorization]),
  ).toEqual([
    [['boss'], ['system:masters'], ['Bearer secret']],
    [['jane'], undefined, ['Bearer secret']],
  ])
})
