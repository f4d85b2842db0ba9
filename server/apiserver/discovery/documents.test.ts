/** Methods and media types of the documents about the server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeObject } from '../protobuf/decode'
import { ADMIN_TOKEN, startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

function ask(method: string, path: string, accept: string): Promise<Response> {
  return fetch(server.url + path, { method, headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, Accept: accept } })
}

test.each<[string, string, string, string, string, string]>([
  //                                          as JSON, YAML, protobuf, a table, something else; and HEAD
  ['/version', ...(['200', '406', '406', '200', '406'] as const)],
  ['/api', ...(['200', '200', '200', '406', '406'] as const)],
  ['/api/v1', ...(['200', '200', '200', '406', '406'] as const)],
  ['/apis', ...(['200', '200', '200', '406', '406'] as const)],
  ['/apis/apps', ...(['200', '200', '200', '406', '406'] as const)],
  ['/apis/apps/v1', ...(['200', '200', '200', '406', '406'] as const)],
  ['/.well-known/openid-configuration', ...(['200', '406', '406', '200', '406'] as const)],
  ['/openid/v1/jwks', ...(['406', '406', '406', '406', '406'] as const)],
  ['/', ...(['200', '200', '200', '200', '200'] as const)],
])('%s: %s as JSON, %s as YAML, %s as protobuf, %s as a table, %s as something else', async (path, ...expected) => {
  const forms = ['application/json', 'application/yaml', PROTOBUF, TABLE, 'nope']
  const found = await Promise.all(forms.map((accept) => ask('GET', path, accept)))
  expect(found.map(({ status }) => String(status))).toEqual(expected)
})

test.each([
  ['/version', 405],
  ['/api', 405],
  ['/apis', 200],
  ['/apis/apps', 200],
  ['/apis/apps/v1', 405],
  ['/apis/policy.karmada.io/v1alpha1', 200],
  ['/openid/v1/jwks', 405],
  ['/', 200],
  ['/healthz', 200],
])('HEAD of %s: %i', async (path, status) => {
  expect((await ask('HEAD', path, '*/*')).status).toBe(status)
})

test('discovery is answered in protobuf if the client accepts it', async () => {
  const answer = await ask('GET', '/apis/apps', PROTOBUF)
  expect(answer.headers.get('content-type')).toBe(PROTOBUF)
  expect(decodeObject(Buffer.from(await answer.arrayBuffer()))).toMatchObject({
    kind: 'APIGroup',
    name: 'apps',
    preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
  })
})

test('a Status is written with its empty fields', async () => {
  const answer = await ask('OPTIONS', '/api/v1/nodes', PROTOBUF)
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  // The metadata of a list: no link, no version, no continuation.
  expect(bytes).toContain('\n\x06\n\x00\x12\x00\x1a\x00\x12\x07Failure')
})
