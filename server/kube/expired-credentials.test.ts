import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { expiredCredential } from './expired-credentials'
import { createRestClient } from './rest-client'
import { CLIENT_CERT } from './testing/certificates'

const END = Date.parse(new X509Certificate(CLIENT_CERT).validTo)
const DAY = Date.parse('2026-01-02T00:00:00Z')
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (claims: object): string => `${part({ alg: 'RS256' })}.${part(claims)}.signature`
const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })

test.each([
  ['a client certificate after its end', { cert: CLIENT_CERT }, END, /^the client certificate .* expired at /],
  ['a client certificate before its end', { cert: CLIENT_CERT }, END - 1000, undefined],
  ['what is no certificate', { cert: 'nonsense' }, END, undefined],
  [
    'a token after its end',
    bearer(token({ exp: DAY / 1000 })),
    DAY,
    /^the token of the kubeconfig expired at 2026-01-02T00:00:00Z$/,
  ],
  ['a token before its end', bearer(token({ exp: DAY / 1000 })), DAY - 1000, undefined],
  ['a token without an end', bearer(token({ sub: 'jane' })), DAY, undefined],
  ['a token that is no JWT', bearer('a.b.c'), DAY, undefined],
  ['an opaque token', bearer('secret'), DAY, undefined],
  ['no credentials', {}, DAY, undefined],
])('%s', (_name, credentials, now, expected) => {
  const found = expiredCredential(credentials, now)
  if (expected) expect(found).toMatch(expected)
  else expect(found).toBeUndefined()
})

test.each([
  ['an expired token', token({ exp: 1 }), 'the token of the kubeconfig expired at 1970-01-01T00:00:01Z'],
  ['another token', 'secret', 'Unauthorized'],
])('an API server that rejects %s', async (_name, given, message) => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: 401, message: 'Unauthorized' }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const client = createRestClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: given })
  onTestFinished(async () => {
    await client.close()
    server.close()
  })
  expect(await client.raw('GET', '/version')).toMatchObject({ status: 401, body: { message } })
})
