import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/start-server'

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters'
const member = (name: string, path: string): string => `${CLUSTERS}/${name}/proxy${path}`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function createCluster(
  name: string,
  annotations: Record<string, string> = { 'sim.evenkeel.io/nodes': '3' },
): Promise<void> {
  const cluster = {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, annotations },
    spec: { syncMode: 'Push' },
  }
  expect((await server.send('POST', CLUSTERS, cluster)).status).toBe(201)
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}

describe('a simulated member', () => {
  test('has a key space of its own, served by the same verbs', async () => {
    await createCluster('m1')
    const path = member('m1', '/api/v1/namespaces/default/configmaps')
    const watch = await server.watch(`${path}?watch=1`)
    expect((await server.send('POST', path, { metadata: { name: 'inside' } })).status).toBe(201)
    expect(await watch.next(1)).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'inside' } } }])
    expect((await server.send('GET', '/api/v1/namespaces/default/configmaps/inside')).status).toBe(404)
    watch.stop()
  })

  test('serves no kinds of the control plane', async () => {
    expect(
      (await server.send('GET', member('m1', '/apis/policy.karmada.io/v1alpha1/propagationpolicies'))).status,
    ).toBe(404)
  })

  test('ends its watches and answers 503 while it is down, and returns with its objects', async () => {
    await createCluster('m2')
    const path = member('m2', '/api/v1/namespaces/default/configmaps')
    await server.send('POST', path, { metadata: { name: 'kept' } })
    const watch = await server.watch(`${path}?watch=1`)
    await server.send('PATCH', `${CLUSTERS}/m2`, { metadata: { annotations: { 'sim.evenkeel.io/state': 'down' } } })
    await watch.ended()
    const down = await server.send('GET', path)
    expect(down).toMatchObject({
      status: 503,
      body: {
        reason: 'ServiceUnavailable',
        message: 'error trying to reach service: dial tcp: connect: connection refused',
      },
    })
    await server.send('PATCH', `${CLUSTERS}/m2`, { metadata: { annotations: { 'sim.evenkeel.io/state': 'up' } } })
    expect((await server.send('GET', `${path}/kept`)).status).toBe(200)
  })

  test('is purged when its Cluster object is gone', async () => {
    await createCluster('m3')
    await server.send('POST', member('m3', '/api/v1/namespaces/default/configmaps'), { metadata: { name: 'gone' } })
    await server.send('DELETE', `${CLUSTERS}/m3`)
    await server.send('PATCH', `${CLUSTERS}/m3`, { metadata: { finalizers: null } })
    await eventually(async () => server.store.scan('m3').length === 0)
    expect((await server.send('GET', member('m3', '/api'))).status).toBe(404)
  })

  test('knows its own accounts at its address, which have no rights elsewhere', async () => {
    await createCluster('m4')
    await createCluster('m5')
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    const RBAC = '/apis/rbac.authorization.k8s.io/v1'
    await server.send('POST', member('m4', accounts), { metadata: { name: 'robot' } })
    const issued = await server.send('POST', member('m4', `${accounts}/robot/token`), { spec: {} })
    const { token } = issued.body['status'] as { token: string }
    const asRobot = (method: string, path: string, body?: object, more: Record<string, string> = {}) =>
      server.send(method, path, body, { Authorization: `Bearer ${token}`, ...more })
    const secrets = '/api/v1/namespaces/default/secrets'
    const binding = (role: string): object => ({
      metadata: { name: 'robot' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'robot' }],
    })
    // Rights of an account of the same name in the control plane are another's.
    await server.send('POST', accounts, { metadata: { name: 'robot' } })
    await server.send('POST', `${RBAC}/clusterrolebindings`, binding('cluster-admin'))
    expect((await asRobot('GET', member('m4', secrets))).status).toBe(403)
    await server.send('POST', member('m4', `${RBAC}/clusterrolebindings`), binding('cluster-admin'))
    expect((await asRobot('GET', member('m4', secrets))).status).toBe(200)
    const ann = { 'Impersonate-User': 'ann' }
    expect((await asRobot('GET', member('m4', secrets), undefined, ann)).body.message).toContain('User "ann"')
    for (const path of [secrets, CLUSTERS, `${CLUSTERS}/m4`, member('m5', secrets), '/version'])
      expect((await asRobot('GET', path)).status).toBe(401)
    await server.send('DELETE', member('m4', `${accounts}/robot`))
    expect((await asRobot('GET', member('m4', secrets))).status).toBe(401)
  })

  test('that is not simulated answers 503 with the reason', async () => {
    await createCluster('real', {})
    expect(await server.send('GET', member('real', '/api'))).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('not simulated here') },
    })
  })
})

describe('namespaces', () => {
  test('are emptied before they go, and take nothing new meanwhile', async () => {
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'leaving' } })
    const path = '/api/v1/namespaces/leaving/configmaps'
    await server.send('POST', path, { metadata: { name: 'held', finalizers: ['test/hold'] } })
    const deleted = await server.send('DELETE', '/api/v1/namespaces/leaving')
    expect(deleted.body.status).toMatchObject({ phase: 'Terminating' })
    expect((await server.send('POST', path, { metadata: { name: 'late' } })).status).toBe(403)
    await eventually(
      async () => (await server.send('GET', `${path}/held`)).body.metadata.deletionTimestamp !== undefined,
    )
    expect((await server.send('GET', '/api/v1/namespaces/leaving')).status).toBe(200)
    await server.send('PATCH', `${path}/held`, { metadata: { finalizers: null } })
    await eventually(async () => (await server.send('GET', '/api/v1/namespaces/leaving')).status === 404)
  })

  test('default cannot be deleted', async () => {
    expect((await server.send('DELETE', '/api/v1/namespaces/default')).status).toBe(403)
  })
})

describe('an owner', () => {
  const path = '/api/v1/namespaces/default/configmaps'
  const exists = async (name: string): Promise<boolean> => (await server.send('GET', `${path}/${name}`)).status === 200

  async function createFamily(name: string): Promise<void> {
    const { body } = await server.send('POST', path, { metadata: { name } })
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid, blockOwnerDeletion: true }
    await server.send('POST', path, { metadata: { name: `${name}-child`, ownerReferences: [owner] } })
  }

  test.each(['Background', 'Foreground'])('takes its dependents with it (%s)', async (propagationPolicy) => {
    const name = `owner-${propagationPolicy.toLowerCase()}`
    await createFamily(name)
    await server.send('DELETE', `${path}/${name}`, { propagationPolicy })
    await eventually(async () => !(await exists(name)) && !(await exists(`${name}-child`)))
  })

  test('that orphans leaves its dependents without a reference', async () => {
    await createFamily('orphaner')
    await server.send('DELETE', `${path}/orphaner`, { propagationPolicy: 'Orphan' })
    await eventually(async () => !(await exists('orphaner')))
    expect((await server.send('GET', `${path}/orphaner-child`)).body.metadata.ownerReferences).toBeUndefined()
  })

  test('that never was makes its dependent go', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'nobody' }
    await server.send('POST', path, { metadata: { name: 'stray', ownerReferences: [owner] } })
    await eventually(async () => !(await exists('stray')))
  })
})
