/** API servers behind this server: working ones, and ones that hang, respond wrongly or are missing. */
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FRONT_PROXY, issueClientCertificate, type KeyPair, newAuthority, selfSigned } from '../index'
import { startTestServer, type TestServer } from '../testing/start-server'

const APIS = '/apis/apiregistration.k8s.io/v1/apiservices'
const NOW = Date.now()

let server: TestServer
let remote: Server
let tls: KeyPair
let answer: (request: IncomingMessage, response: ServerResponse) => void

const resources = {
  kind: 'APIResourceList',
  groupVersion: 'zoo.test/v1',
  resources: [
    { name: 'lions', singularName: 'lion', namespaced: true, kind: 'Lion', verbs: ['get', 'list'] },
    { name: 'lions/status', singularName: '', namespaced: true, kind: 'Lion', verbs: ['get'] },
  ],
}

const sound: typeof answer = ({ url = '', headers, method }, response) => {
  response.setHeader('Content-Type', 'application/json')
  if (url === '/apis/zoo.test/v1') return void response.end(JSON.stringify(resources))
  if (url.includes('watch=1')) return void response.write('{"type":"ADDED","object":{"kind":"Lion"}}\n')
  response.end(JSON.stringify({ url, method, headers }))
}

beforeAll(async () => {
  const authority = await newAuthority(NOW)
  const identity = await issueClientCertificate(authority, { user: FRONT_PROXY, groups: [], now: NOW, days: 1 })
  tls = await selfSigned({ hosts: ['zoo.default.svc', '127.0.0.1'], now: NOW })
  const settings = { ...tls, requestCert: true, rejectUnauthorized: true, ca: authority.cert }
  remote = createServer(settings, (request, response) => answer(request, response))
  await new Promise<void>((resolve) => {
    remote.listen(0, '127.0.0.1', resolve)
  })
  server = await startTestServer({ frontProxy: { identity, authority: authority.cert } })
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
  await server.send('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'zoo' }, spec })
})
afterAll(async () => {
  await server.close()
  remote.closeAllConnections()
  remote.close()
  expect(server.faults).toEqual([])
})
beforeEach(() => {
  answer = sound
})

/** Registers the version, and resolves with the condition that its check gives. */
async function register(own: object = {}): Promise<{ status: string; reason: string; message: string }> {
  const { port } = remote.address() as AddressInfo
  const service = { name: 'zoo', namespace: 'default', port }
  const caBundle = Buffer.from(tls.cert).toString('base64')
  const spec = { group: 'zoo.test', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service, caBundle }
  await server.send('DELETE', `${APIS}/v1.zoo.test`)
  await server.send('POST', APIS, { metadata: { name: 'v1.zoo.test' }, spec: { ...spec, ...own } })
  return availability((condition) => condition !== undefined)
}

interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

async function availability(wanted: (condition: Condition | undefined) => boolean): Promise<Condition> {
  const watch = await server.watch(`${APIS}?watch=1&fieldSelector=metadata.name=v1.zoo.test`)
  for (;;) {
    const [event] = await watch.next(1)
    const { conditions = [] } = (event?.object.status ?? {}) as { conditions?: Condition[] }
    if (event?.type === 'DELETED' || !wanted(conditions[0])) continue
    watch.stop()
    return conditions[0]!
  }
}

describe('a registered version', () => {
  test('is served by its server, which hears from whom the request is', async () => {
    expect(await register()).toMatchObject({ status: 'True', reason: 'Passed', message: 'all checks passed' })
    const path = '/apis/zoo.test/v1/namespaces/default/lions?limit=5'
    const headers = {
      'Impersonate-User': 'zoë',
      'Impersonate-Group': 'system:masters',
      'X-Remote-User': 'admin',
      'X-Remote-Group': 'faked',
    }
    const { status, body } = await server.send('GET', path, undefined, headers)
    expect(status).toBe(200)
    expect(body.url).toBe(path)
    const seen = body.headers as Record<string, string>
    expect(Buffer.from(seen['x-remote-user'] ?? '', 'latin1').toString()).toBe('zoë')
    expect(seen['x-remote-group']).toContain('system:masters')
    expect(seen).not.toHaveProperty('authorization')
    expect(seen).not.toHaveProperty('impersonate-user')
    expect(JSON.stringify(seen)).not.toContain('faked')
    const watch = await server.watch('/apis/zoo.test/v1/lions?watch=1')
    expect(await watch.next(1)).toEqual([{ type: 'ADDED', object: { kind: 'Lion' } }])
    watch.stop()
  })

  test('is in every document of discovery', async () => {
    await register()
    const { body } = await server.send('GET', '/apis')
    const group = { name: 'zoo.test', preferredVersion: { groupVersion: 'zoo.test/v1', version: 'v1' } }
    expect(body.groups).toContainEqual(expect.objectContaining(group))
    expect((await server.send('GET', '/apis/zoo.test')).body).toMatchObject(group)
    expect((await server.send('GET', '/apis/zoo.test/v1')).body.resources).toEqual(resources.resources)
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const { body: all } = await server.send('GET', '/apis', undefined, { Accept: accept })
    expect(all.items).toContainEqual({
      metadata: { name: 'zoo.test' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            expect.objectContaining({
              resource: 'lions',
              responseKind: { group: 'zoo.test', version: 'v1', kind: 'Lion' },
              scope: 'Namespaced',
              subresources: [expect.objectContaining({ subresource: 'status' })],
            }),
          ],
        },
      ],
    })
    const { body: index } = await server.send('GET', '/openapi/v3')
    expect((index.paths as Record<string, unknown>)['apis/zoo.test/v1']).toBeDefined()
  })

  test('is closed to users without rights', async () => {
    await register()
    const { status } = await server.send('GET', '/apis/zoo.test/v1/lions', undefined, { 'Impersonate-User': 'vera' })
    expect(status).toBe(403)
  })

  test('of a group that is served here changes nothing', async () => {
    const spec = { group: 'apps', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 }
    const service = { name: 'zoo', namespace: 'default' }
    await server.send('PUT', `${APIS}/v1.apps`, { metadata: { name: 'v1.apps' }, spec: { ...spec, service } })
    expect((await server.send('GET', '/apis/apps/v1/deployments')).body.kind).toBe('DeploymentList')
  })
})

describe('503 is the answer for a server that', () => {
  test('is not there', async () => {
    const condition = await register({ service: { name: 'none', namespace: 'default' } })
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'ServiceNotFound',
      message: 'service/none in "default" is not present',
    })
    const { status, body } = await server.send('GET', '/apis/zoo.test/v1/lions')
    expect([status, body.text]).toEqual([503, 'service unavailable\n'])
  })

  test('this server has no reason to trust', async () => {
    const condition = await register({ caBundle: Buffer.from((await newAuthority(NOW)).cert).toString('base64') })
    expect(condition).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' })
    expect(condition.message).toContain('certificate signed by unknown authority')
  })

  test('hangs', async () => {
    await register()
    const arrived = Promise.withResolvers<void>()
    answer = (request, response) => {
      if (request.url?.includes('lions')) arrived.resolve()
      else sound(request, response)
    }
    const slow = server.send('GET', '/apis/zoo.test/v1/lions')
    await arrived.promise
    server.clock.advance(15_000)
    const { status, body } = await slow
    expect([status, body.text]).toEqual([503, 'context deadline exceeded\n'])
  })

  test.each<[string, typeof answer]>([
    ['cuts its answer short', (_request, response) => void response.writeHead(200, { 'Content-Length': 9 }).end('{}')],
    ['says nothing', ({ socket }) => void socket.destroy()],
    ['speaks another protocol', ({ socket }) => void socket.end('220 mail.test ESMTP\r\n')],
  ])('%s', async (_what, lie) => {
    await register()
    answer = lie
    expect((await server.send('GET', '/apis/zoo.test/v1/lions')).status).toBe(503)
  })

  test('fails its check', async () => {
    answer = (_request, response) => void response.writeHead(500).end('boom')
    const condition = await register()
    expect(condition).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' })
    expect(condition.message).toContain('bad status from https://zoo.default.svc')
    answer = sound
    server.clock.advance(10_000)
    expect(await availability((found) => found?.status === 'True')).toMatchObject({ reason: 'Passed' })
    expect((await server.send('GET', '/apis/zoo.test/v1/lions')).status).toBe(200)
  })
})
