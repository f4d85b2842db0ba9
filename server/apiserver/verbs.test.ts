import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/start-server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
const fresh = (): string => `o${++count}`
const configMap = (name: string, more: object = {}): object => (
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, data: { k: 'v' } }
)
const deployment = (name: string): object => ({
  apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'w' } },
    template: { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
})

describe('create', () => {
  test('fills in what belongs to the server', async () => {
    const { status, body } = await server.send('POST', DEPLOYMENTS, deployment(fresh()))
    expect(status).toBe(201)
    expect(body.metadata).toMatchObject(
      { namespace: 'default', generation: 1, uid: expect.any(String), resourceVersion: expect.any(String) }
    )
    expect(body.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 })
  })

  test('makes up a name from generateName', async () => {
    const { body } = await server.send('POST', CONFIG_MAPS, { metadata: { generateName: 'made-' } })
    expect(body.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  test('leaves nothing behind in a dry run', async () => {
    const name = fresh()
    expect((await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap(name))).status).toBe(201)
    expect((await server.send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(404)
  })

  test.each<[string, string, object | string, [number, string]]>([
    [
      'a namespace that does not exist',
      '/api/v1/namespaces/nope/configmaps',
      configMap('a'),
      [404, 'namespaces "nope" not found'],
    ],
    [
      'another namespace in the body',
      CONFIG_MAPS,
      configMap('a', { namespace: 'x' }),
      [400, 'the namespace of the provided object does not match'],
    ],
    ['a body that is no JSON', CONFIG_MAPS, '{oops}', [400, 'json parse error: invalid character \'o\'']],
    ['an invalid name', CONFIG_MAPS, configMap('Not_Valid'), [422, 'metadata.name: Invalid value: "Not_Valid"']],
    [
      'a value of the wrong type',
      CONFIG_MAPS,
      { metadata: { name: 'a' }, data: { k: 1 } },
      [400, 'cannot be handled as a ConfigMap'],
    ],
  ])('refuses %s', async (_what, path, body, [status, message]) => {
    const answer = await server.send('POST', path, body)
    expect(answer.status).toBe(status)
    expect(answer.body.message).toContain(message)
  })

  test('refuses unknown fields when asked to, else warns', async () => {
    const body = { ...configMap(fresh()), nope: 1 }
    const strict = await server.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, body)
    expect(strict.body.message).toContain('strict decoding error: unknown field "nope"')
    const lenient = await server.send('POST', CONFIG_MAPS, body)
    expect(lenient.headers.get('warning')).toBe('299 - "unknown field \\"nope\\""')
  })

  test('refuses a body over 3 MiB', async () => {
    const answer = await server.send(
      'POST', CONFIG_MAPS, { metadata: { name: 'big' }, data: { k: 'x'.repeat(3_200_000) } },
    )
    expect(answer.status).toBe(413)
  })
})

describe('update', () => {
  test('refuses a stale version with Conflict', async () => {
    const name = fresh()
    const { body } = await server.send('POST', CONFIG_MAPS, configMap(name))
    await server.send('PATCH', `${CONFIG_MAPS}/${name}`, { data: { k: 'w' } })
    const { status, body: refusal } = await server.send('PUT', `${CONFIG_MAPS}/${name}`, body)
    expect(status).toBe(409)
    expect(refusal.message).toBe(`Operation cannot be fulfilled on configmaps "${name}": the object has been modified; please apply your changes to the latest version and try again`)
  })

  test('writes nothing when nothing changes', async () => {
    const name = fresh()
    const { body } = await server.send('POST', CONFIG_MAPS, configMap(name))
    const again = await server.send('PUT', `${CONFIG_MAPS}/${name}`, body)
    expect(again.body).toEqual(body)
  })

  test('keeps status and spec apart', async () => {
    const name = fresh()
    await server.send('POST', DEPLOYMENTS, deployment(name))
    const status = await server.send(
      'PATCH', `${DEPLOYMENTS}/${name}/status`, { spec: { replicas: 9 }, status: { replicas: 3 } },
    )
    expect(status.body).toMatchObject({ metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 3 } })
    const spec = await server.send(
      'PATCH', `${DEPLOYMENTS}/${name}`, { spec: { replicas: 9 }, status: { replicas: 7 } },
    )
    expect(spec.body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 9 }, status: { replicas: 3 } })
  })

  test('creates a Lease by PUT, but no ConfigMap', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: { holderIdentity: 'me' },
    }
    expect(
      (await server.send('PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/l', lease)).status
    ).toBe(201)
    expect((await server.send('PUT', `${CONFIG_MAPS}/none`, configMap('none'))).status).toBe(404)
  })
})

describe('patch', () => {
  test.each([
    ['application/merge-patch+json', { data: { a: '1', k: null } }],
    ['application/json-patch+json', [{ op: 'remove', path: '/data/k' }, { op: 'add', path: '/data/a', value: '1' }]],
    ['application/strategic-merge-patch+json', { data: { a: '1', k: null } }],
  ])('takes %s', async (type, body) => {
    const name = fresh()
    await server.send('POST', CONFIG_MAPS, configMap(name))
    const answer = await server.send('PATCH', `${CONFIG_MAPS}/${name}`, body, { 'Content-Type': type })
    expect(answer.body.data).toEqual({ a: '1' })
  })

  test('refuses a strategic merge patch of a custom kind with 415', async () => {
    const type = { 'Content-Type': 'application/strategic-merge-patch+json' }
    const answer = await server.send(
      'PATCH', '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings/x', {}, type,
    )
    expect(answer.status).toBe(415)
  })
})

describe('list', () => {
  test('pages through one snapshot, whatever is written in between', async () => {
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'pages' } })
    const path = '/api/v1/namespaces/pages/configmaps'
    for (const name of ['a', 'b', 'c']) await server.send('POST', path, configMap(name))
    const first = await server.send('GET', `${path}?limit=2`)
    expect(first.body.metadata).toMatchObject({ remainingItemCount: 1, continue: expect.any(String) })
    await server.send('DELETE', `${path}/c`)
    await server.send('POST', path, configMap('d'))
    const second = await server.send('GET', `${path}?limit=2&continue=${String(first.body.metadata.continue)}`)
    expect((second.body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).toEqual(['c'])
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
  })

  test('answers 410 with another token once the snapshot is forgotten', async () => {
    const path = '/api/v1/namespaces/pages/configmaps'
    const first = await server.send('GET', `${path}?limit=1`)
    await server.send('POST', path, configMap('e'))
    server.store.compact(server.store.revision)
    const late = await server.send('GET', `${path}?limit=1&continue=${String(first.body.metadata.continue)}`)
    expect(late.status).toBe(410)
    const rest = await server.send('GET', `${path}?continue=${String(late.body.metadata.continue)}`)
    expect(rest.status).toBe(200)
  })

  test('selects by labels and by fields', async () => {
    await server.send('POST', CONFIG_MAPS, configMap('picked', { labels: { pick: 'yes' } }))
    const names = async (query: string): Promise<string[]> =>
      (
        (await server.send('GET', `${CONFIG_MAPS}?${query}`)).body.items as { metadata: { name: string } }[]
      ).map(({ metadata }) => metadata.name)
    expect(await names('labelSelector=pick%3Dyes')).toEqual(['picked'])
    expect(await names('fieldSelector=metadata.name%3Dpicked')).toEqual(['picked'])
    expect((await server.send('GET', `${CONFIG_MAPS}?fieldSelector=data.k%3Dv`)).status).toBe(400)
  })

  test('renders tables with computed columns', async () => {
    const name = fresh()
    await server.send('POST', DEPLOYMENTS, deployment(name))
    const { body } = await server.send(
      'GET', `${DEPLOYMENTS}/${name}`, undefined, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    )
    expect((body.columnDefinitions as { name: string }[]).map((column) => column.name))
      .toEqual(['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers', 'Images', 'Selector'])
    expect((body.rows as { cells: unknown[] }[])[0]?.cells).toEqual([name, '0/1', 0, 0, '0s', 'c', 'nginx', 'app=w'])
  })
})

describe('delete', () => {
  test('waits for finalizers', async () => {
    const name = fresh()
    await server.send('POST', CONFIG_MAPS, configMap(name, { finalizers: ['test/hold'] }))
    const held = await server.send('DELETE', `${CONFIG_MAPS}/${name}`)
    expect(held.body.metadata).toMatchObject({ deletionTimestamp: expect.any(String), finalizers: ['test/hold'] })
    await server.send('PATCH', `${CONFIG_MAPS}/${name}`, { metadata: { finalizers: null } })
    expect((await server.send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(404)
  })

  test('honours preconditions', async () => {
    const name = fresh()
    await server.send('POST', CONFIG_MAPS, configMap(name))
    const answer = await server.send('DELETE', `${CONFIG_MAPS}/${name}`, { preconditions: { uid: 'another' } })
    expect(answer.status).toBe(409)
    expect((await server.send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(200)
  })

  test('empties a collection by selector', async () => {
    await server.send('POST', CONFIG_MAPS, configMap(fresh(), { labels: { doomed: 'yes' } }))
    const { body } = await server.send('DELETE', `${CONFIG_MAPS}?labelSelector=doomed`)
    expect(body.items).toHaveLength(1)
    expect((await server.send('GET', `${CONFIG_MAPS}?labelSelector=doomed`)).body.items).toEqual([])
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
