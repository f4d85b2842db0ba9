/** What the conformance suite cannot see from outside, or only in this server. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startTestServer, type TestServer } from './testing/start-server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
const fresh = (): string => `o${++count}`
const configMap = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { k: 'v' },
})
const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'w' } },
    template: { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
})

describe('patch', () => {
  test.each(['', null])('of a built-in object whose version becomes %j is refused', async (apiVersion) => {
    const map = configMap(fresh())
    await server.send('POST', CONFIG_MAPS, map)
    const { name } = (map as { metadata: { name: string } }).metadata
    const type = { 'Content-Type': 'application/merge-patch+json' }
    const { status, body } = await server.send('PATCH', `${CONFIG_MAPS}/${name}`, { apiVersion }, type)
    expect([status, body.message]).toEqual([
      400,
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    ])
  })

  test('refuses a strategic merge patch of a custom kind with 415', async () => {
    const type = { 'Content-Type': 'application/strategic-merge-patch+json' }
    const answer = await server.send(
      'PATCH',
      '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings/x',
      {},
      type,
    )
    expect(answer.status).toBe(415)
  })

  test.each(['merge-patch+json', 'json-patch+json'])(
    'with an empty type is refused for a custom kind, and leaves the type of another one as it is: %s',
    async (form) => {
      const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies'
      const policy = {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'OverridePolicy',
        metadata: { name: fresh() },
        spec: { overrideRules: [{ overriders: {} }] },
      }
      const map = configMap(fresh())
      for (const [path, object] of [
        [policies, policy],
        [CONFIG_MAPS, map],
      ] as const) {
        const { name } = (object as typeof policy).metadata
        await server.send('POST', path, object)
        // A built-in object without a version is read without its metadata.
        for (const field of path === CONFIG_MAPS ? ['kind'] : ['apiVersion', 'kind']) {
          for (const value of ['', null]) {
            const patch = form.startsWith('merge') ? { [field]: value } : [{ op: 'add', path: `/${field}`, value }]
            const type = { 'Content-Type': `application/${form}` }
            const answer = await server.send('PATCH', `${path}/${name}`, patch, type)
            const { apiVersion, kind } = object as typeof policy
            const kept = [200, { apiVersion, kind }]
            // A merge patch with null removes the field, and a JSON patch sets it.
            const isNull = value === null && form.startsWith('json')
            const expected = path === CONFIG_MAPS ? kept : [field === 'kind' || isNull ? 422 : 500, { kind: 'Status' }]
            expect([field, value, answer.status, answer.body]).toMatchObject([field, value, ...expected])
          }
        }
      }
    },
  )
})

describe('list', () => {
  test('answers 410 with another token once the snapshot is forgotten', async () => {
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'pages' } })
    const path = '/api/v1/namespaces/pages/configmaps'
    for (const name of ['a', 'b']) await server.send('POST', path, configMap(name))
    const first = await server.send('GET', `${path}?limit=1`)
    await server.send('POST', path, configMap('e'))
    server.store.compact(server.store.revision)
    const late = await server.send('GET', `${path}?limit=1&continue=${String(first.body.metadata.continue)}`)
    expect(late.status).toBe(410)
    const rest = await server.send('GET', `${path}?continue=${String(late.body.metadata.continue)}`)
    expect(rest.status).toBe(200)
  })

  test('renders tables with computed columns', async () => {
    const name = fresh()
    await server.send('POST', DEPLOYMENTS, deployment(name))
    const { body } = await server.send('GET', `${DEPLOYMENTS}/${name}`, undefined, {
      Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    expect((body.columnDefinitions as { name: string }[]).map((column) => column.name)).toEqual([
      'Name',
      'Ready',
      'Up-to-date',
      'Available',
      'Age',
      'Containers',
      'Images',
      'Selector',
    ])
    expect((body.rows as { cells: unknown[] }[])[0]?.cells).toEqual([name, '0/1', 0, 0, '0s', 'c', 'nginx', 'app=w'])
  })
})

describe('who may ask', () => {
  test('a wrong token is answered with 401', async () => {
    const response = await fetch(`${server.url}/api/v1/namespaces`, { headers: { Authorization: 'Bearer nope' } })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' })
  })

  test.each(['/healthz', '/readyz', '/livez', '/version'])('%s is open', async (path) => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(200)
  })
})

test('keys like __proto__ change nothing but the object itself', async () => {
  const name = fresh()
  const text = `{"metadata":{"name":"${name}"},"data":{"__proto__":"x","constructor":"y"}}`
  const { status } = await server.send('POST', CONFIG_MAPS, text)
  expect([201, 422]).toContain(status)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('the head of a watch of a custom kind ends like that of a list: its connection is free for the next request', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const works = '/apis/work.karmada.io/v1alpha1/namespaces/default/works'
  const head = (query: string) =>
    `HEAD ${works}${query} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`
  socket.write(head('?watch=true') + head(''))
  let received = ''
  for await (const chunk of socket.setTimeout(10_000, () => socket.destroy())) {
    received += String(chunk)
    if (received.split('HTTP/1.1 200').length > 2) break
  }
  expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
})
