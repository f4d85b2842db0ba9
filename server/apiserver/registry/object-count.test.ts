import { afterAll, beforeAll, expect, test } from 'vitest'
import { as, configMaps, RBAC } from '../access/testing/rights'
import { startTestServer, type TestServer } from '../testing/start-server'
import { MAX_OBJECTS_OF_KIND } from './object-count'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['full', 'other']) {
    await server.send('POST', '/api/v1/namespaces', { metadata: { name } })
    await server.send('POST', `${RBAC}/namespaces/${name}/rolebindings`, {
      metadata: { name: 'tenant' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }],
    })
  }
  const present = server.store.count({ keyspace: '', resource: 'configmaps' }, 'full')
  await Promise.all(
    Array.from({ length: MAX_OBJECTS_OF_KIND - present }, (_, index) => {
      const metadata = {
        name: `m${index}`,
        namespace: 'full',
        uid: `u${index}`,
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { odd: String(index % 2) },
      }
      const value = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { text: 'x'.repeat(100) } }
      return server.store.put({ keyspace: '', resource: 'configmaps', key: `full/m${index}` }, value as never, 0)
    }),
  )
})
afterAll(() => server.close())

test('a namespace that is full takes no more of a kind from a tenant, and takes other kinds', async () => {
  const tenant = as(server, 'tenant')
  const full = await tenant('POST', configMaps('full'), { metadata: { name: 'more' } })
  expect(full).toMatchObject({
    status: 403,
    body: {
      message:
        'configmaps "more" is forbidden: exceeded quota: evenkeel-object-count, requested: count/configmaps=1, used: count/configmaps=20000, limited: count/configmaps=20000',
    },
  })
  expect((await tenant('POST', '/api/v1/namespaces/full/secrets', { metadata: { name: 'more' } })).status).toBe(201)
  expect((await tenant('POST', configMaps('other'), { metadata: { name: 'more' } })).status).toBe(201)
  expect((await server.send('POST', configMaps('full'), { metadata: { name: 'of-the-administrator' } })).status).toBe(
    201,
  )
  for (const name of ['m0', 'm1']) await tenant('DELETE', `${configMaps('full')}/${name}`)
  expect((await tenant('POST', configMaps('full'), { metadata: { name: 'more' } })).status).toBe(201)
})

test.each([
  ['whole', '', {}],
  ['as a table', '', { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
  ['selected', '?labelSelector=odd%3D1', {}],
])('a long list, %s, lets other requests pass', async (_form, query, headers) => {
  const answered: string[] = []
  const list = server.send('GET', configMaps('full') + query, undefined, headers).then(({ status, body }) => {
    answered.push('list')
    return { status, length: ((body.items ?? body.rows) as unknown[]).length }
  })
  while (!answered.includes('list') && answered.length < 3) {
    await server.send('GET', `${configMaps('full')}/m2`)
    answered.push('get')
  }
  expect(answered.slice(0, 3)).toEqual(['get', 'get', 'get'])
  expect(await list).toEqual({ status: 200, length: query === '' ? 20_000 : (expect.closeTo(10_000, -1) as number) })
})
