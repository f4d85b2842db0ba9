import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { configMap } from '@/lib/kube/kinds/config-map'
import { createRestClient, type RestClient } from './rest-client'

interface Asked {
  method: string
  path: string
  type: string | undefined
  body: unknown
}
type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server
let client: RestClient
let asked: Asked[]
let answers: Answer[]
let ports: Set<number>

beforeEach(async () => {
  asked = []
  answers = []
  ports = new Set()
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    ports.add(request.socket.remotePort ?? 0)
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString()
        asked.push({
          method: request.method ?? '',
          path: request.url ?? '',
          type: request.headers['content-type'],
          body: text && JSON.parse(text),
        })
        const answer = answers.shift() ?? says(200, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
        answer(request, response)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = createRestClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix` })
})
afterEach(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})

function says(code: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const failure = (code: number, reason: string, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason,
  message,
  code,
})
const ref = { namespace: 'default', name: 'a' }

describe('requests', () => {
  test('go to the paths of the REST API, below the prefix of the server', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref }
    await client.get(configMap, ref)
    await client.list(configMap, { labelSelector: 'a in (b,c)', limit: 5 })
    await client.create(configMap, object, { dryRun: true, fieldManager: 'me' })
    await client.update(configMap, object, { subresource: 'status' })
    await client.patch(configMap, ref, { type: 'merge', value: { data: null } })
    await client.patch(configMap, ref, { type: 'json', operations: [{ op: 'remove', path: '/data' }] })
    await client.delete(clusterRole, { name: 'system:x' }, { preconditions: { resourceVersion: '7' } })
    await client.member('member1').get(configMap, ref)
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /prefix/api/v1/namespaces/default/configmaps/a',
      'GET /prefix/api/v1/configmaps?labelSelector=a+in+%28b%2Cc%29&limit=5',
      'POST /prefix/api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=me',
      'PUT /prefix/api/v1/namespaces/default/configmaps/a/status',
      'PATCH /prefix/api/v1/namespaces/default/configmaps/a',
      'PATCH /prefix/api/v1/namespaces/default/configmaps/a',
      'DELETE /prefix/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Ax',
      'GET /prefix/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/api/v1/namespaces/default/configmaps/a',
    ])
    expect(asked.map(({ type }) => type)).toEqual([
      undefined,
      undefined,
      'application/json',
      'application/json',
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/json',
      undefined,
    ])
    expect(asked[6]?.body).toMatchObject({ kind: 'DeleteOptions', preconditions: { resourceVersion: '7' } })
  })

  test('one after the other share connections', async () => {
    for (let i = 0; i < 20; i += 1) await client.get(configMap, ref)
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test('fill in what lists leave out of their items', async () => {
    answers.push(says(200, { metadata: { resourceVersion: '5' }, items: [{ metadata: { name: 'a' } }] }))
    expect((await client.list(configMap)).items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    answers.push(says(200, { metadata: { resourceVersion: '5' }, items: null }))
    expect((await client.list(configMap)).items).toEqual([])
  })
})

describe('refusals', () => {
  test.each([
    [
      'a Status is passed on',
      409,
      failure(409, 'Conflict', 'it moved on'),
      { code: 409, reason: 'Conflict', message: 'it moved on' },
    ],
    [
      'a Status without a reason gets the one of its code',
      404,
      failure(404, '', 'gone'),
      { code: 404, reason: 'NotFound' },
    ],
    [
      'the page of a proxy becomes the message',
      502,
      '<html>bad gateway</html>',
      { code: 502, message: '<html>bad gateway</html>' },
    ],
    [
      'an empty answer still says something',
      503,
      '',
      { code: 503, reason: 'ServiceUnavailable', message: 'the server answered 503' },
    ],
  ])('%s', async (_name, code, body, expected) => {
    answers.push(says(code, body))
    await expect(client.get(configMap, ref)).rejects.toMatchObject(expected)
  })

  test('a broken connection is unreachable', async () => {
    answers.push((request) => request.socket.destroy())
    await expect(
      client.create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref }),
    ).rejects.toMatchObject({ code: 0, reason: 'Unreachable' })
  })

  test('an answer that is no JSON is unreachable too', async () => {
    answers.push(says(200, '<html>log in</html>'))
    await expect(client.get(configMap, ref)).rejects.toMatchObject({ reason: 'Unreachable' })
  })

  test('a server that is not there is unreachable, also for raw requests and watches', async () => {
    const nobody = createRestClient({ url: 'http://127.0.0.1:1' })
    await expect(nobody.raw('GET', '/readyz')).rejects.toMatchObject({ reason: 'Unreachable' })
    const events = nobody.watch(configMap, {}, new AbortController().signal)
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ reason: 'Unreachable' })
    await nobody.close()
  })

  test('a throttled read is repeated after the time in the response', async () => {
    answers.push(says(429, failure(429, 'TooManyRequests', 'slow down'), { 'retry-after': '0' }))
    await expect(client.get(configMap, ref)).resolves.toMatchObject({ metadata: { name: 'a' } })
    expect(asked).toHaveLength(2)
  })

  test('a write that comes too often is not repeated', async () => {
    answers.push(says(429, failure(429, 'TooManyRequests', 'slow down'), { 'retry-after': '0' }))
    await expect(client.patch(configMap, ref, { type: 'merge', value: {} })).rejects.toMatchObject({ code: 429 })
    expect(asked).toHaveLength(1)
  })

  test('raw requests return any response of the server', async () => {
    answers.push(says(404, failure(404, 'NotFound', 'no')), says(200, 'ok', { 'content-type': 'text/plain' }))
    expect(await client.raw('GET', '/x')).toMatchObject({ status: 404, body: { reason: 'NotFound' } })
    expect(await client.raw('GET', '/readyz')).toEqual({ status: 200, body: 'ok' })
  })
})

describe('a watch', () => {
  test('closes its connection when the reader stops in the middle', async () => {
    const closed = Promise.withResolvers<void>()
    answers.push((_request, response) => {
      response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n')
      response.on('close', () => closed.resolve())
    })
    for await (const event of client.watch(configMap, {}, new AbortController().signal)) {
      expect(event).toMatchObject({ type: 'ADDED' })
      break
    }
    await closed.promise
  })

  test('ends quietly when it is aborted, and throws what an ERROR line says', async () => {
    const stop = new AbortController()
    answers.push((_request, response) => void response.flushHeaders())
    const opened = Promise.withResolvers<void>()
    const first = client.watch(configMap, { onOpen: opened.resolve }, stop.signal)[Symbol.asyncIterator]().next()
    await opened.promise
    stop.abort()
    expect((await first).done).toBe(true)

    answers.push(
      (_request, response) =>
        void response.end(`${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired', 'too old') })}\n`),
    )
    const events = client.watch(configMap, {}, new AbortController().signal)
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 410, reason: 'Expired' })
  })
})

test('credentials are asked for before every request', async () => {
  let count = 0
  const authorizations: unknown[] = []
  server.on('request', (request: IncomingMessage) => authorizations.push(request.headers.authorization))
  const fresh = createRestClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refresh: async () => ({ headers: { authorization: `Bearer ${++count}` } }),
  })
  await fresh.get(configMap, ref)
  await fresh.get(configMap, ref)
  await fresh.close()
  expect(authorizations).toEqual(['Bearer 1', 'Bearer 2'])
})
