import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters'
const REGISTRIES = '/apis/search.karmada.io/v1alpha1/resourceregistries'
const CACHE = '/apis/search.karmada.io/v1alpha1/search/cache'
const PROXY = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy'
const MAPS = '/api/v1/namespaces/default/configmaps'
const SOURCE = 'resource.karmada.io/cached-from-cluster'
const inMember = (name: string, path: string): string => `${CLUSTERS}/${name}/proxy${path}`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['m1', 'm2', 'm3']) await makeCluster(name)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.send('DELETE', REGISTRIES)
})

async function makeCluster(name: string): Promise<void> {
  const cluster = {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, annotations: { 'sim.evenkeel.io/nodes': '1' } },
    spec: { syncMode: 'Push' },
  }
  await server.send('POST', CLUSTERS, cluster)
  for (const map of [`only-${name}`, 'everywhere']) {
    expect((await server.send('POST', inMember(name, MAPS), { metadata: { name: map } })).status).toBe(201)
  }
}

interface Selector {
  namespace?: string
  kind?: string
}
const register = (name: string, clusterNames: string[], { namespace, kind = 'ConfigMap' }: Selector = {}) =>
  server.send('POST', REGISTRIES, {
    metadata: { name },
    spec: { targetCluster: { clusterNames }, resourceSelectors: [{ apiVersion: 'v1', kind, namespace }] },
  })

interface Item {
  metadata: { name: string; resourceVersion: string; annotations?: Record<string, string> }
  data?: Record<string, string>
}
const read = async (path: string): Promise<Item[]> => (await server.send('GET', path)).body.items as Item[]
const named = (items: Item[]) =>
  items.map(({ metadata: { name, annotations } }) => `${annotations?.[SOURCE]}/${name}`).sort()

test('nothing is searchable that no registry names', async () => {
  expect(await read(`${CACHE}${MAPS}`)).toEqual([])
  await register('secrets', ['m1'], { kind: 'Secret' })
  expect(await read(`${CACHE}${MAPS}`)).toEqual([])
})

test('the cache lists what registries name together, of their clusters and namespaces', async () => {
  await register('one', ['m1'])
  await register('two', ['m2'], { namespace: 'elsewhere' })
  await register('three', ['m3'], { namespace: 'default' })
  const all = ['m1/everywhere', 'm1/only-m1', 'm3/everywhere', 'm3/only-m3']
  expect(named(await read(`${CACHE}/api/v1/configmaps`))).toEqual(all)
  expect(named(await read(`${CACHE}${MAPS}`))).toEqual(all)
  expect(named(await read(`${CACHE}${MAPS}/everywhere`))).toEqual(['m1/everywhere', 'm3/everywhere'])
  await server.send('DELETE', `${REGISTRIES}/one`)
  expect(named(await read(`${CACHE}${MAPS}`))).toEqual(['m3/everywhere', 'm3/only-m3'])
})

test('the proxy shows the control plane where nothing is cached', async () => {
  await server.send('POST', MAPS, { metadata: { name: 'central' } })
  expect(named(await read(`${PROXY}${MAPS}`))).toEqual(['undefined/central'])
  await register('one', ['m1'])
  expect(named(await read(`${PROXY}${MAPS}`))).toEqual(['m1/everywhere', 'm1/only-m1'])
  expect((await server.send('GET', `${PROXY}/version`)).status).toBe(200)
})

test('pages of the proxy together hold each object once', async () => {
  await register('both', ['m1', 'm2'])
  const first = await server.send('GET', `${PROXY}${MAPS}?limit=1`)
  const token = first.body.metadata.continue as string
  const rest = await read(`${PROXY}${MAPS}?limit=99&continue=${token}`)
  expect(named([...(first.body.items as Item[]), ...rest])).toEqual([
    'm1/everywhere',
    'm1/only-m1',
    'm2/everywhere',
    'm2/only-m2',
  ])
})

test('a name that several members have is ambiguous, and an unknown one is not found', async () => {
  await register('both', ['m1', 'm2'])
  expect(await server.send('GET', `${PROXY}${MAPS}/everywhere`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('ambiguous objects in clusters [m1, m2]') as string },
  })
  expect((await server.send('GET', `${PROXY}${MAPS}/only-m3`)).status).toBe(404)
  expect((await server.send('GET', `${PROXY}${MAPS}/only-m2`)).status).toBe(200)
})

test('a write goes to the member that has the object, without the annotation of the search', async () => {
  await register('both', ['m1', 'm2'])
  const seen = await server.send('GET', `${PROXY}${MAPS}/only-m2`)
  const changed = { ...seen.body, data: { by: 'update' } }
  expect((await server.send('PUT', `${PROXY}${MAPS}/only-m2`, changed)).status).toBe(200)
  const { body } = await server.send('GET', inMember('m2', `${MAPS}/only-m2`))
  expect(body.data).toEqual({ by: 'update' })
  expect(body.metadata.annotations).toBeUndefined()
  expect((await server.send('PATCH', `${PROXY}${MAPS}/only-m2`, { data: { by: 'patch' } })).status).toBe(200)
  expect((await server.send('GET', inMember('m2', `${MAPS}/only-m2`))).body.data).toEqual({ by: 'patch' })
  expect((await server.send('POST', `${PROXY}${MAPS}`, { metadata: { name: 'new' } })).status).toBe(405)
})

test('a watch continues from a list, over all members, and ends when another resource becomes searchable', async () => {
  await register('both', ['m1', 'm2'])
  const { body } = await server.send('GET', `${PROXY}${MAPS}`)
  const watch = await server.watch(`${PROXY}${MAPS}?watch=1&resourceVersion=${String(body.metadata.resourceVersion)}`)
  for (const name of ['m1', 'm3', 'm2']) {
    await server.send('PATCH', inMember(name, `${MAPS}/everywhere`), { data: { seen: name } })
  }
  const events = await watch.next(2)
  expect(named(events.map(({ object }) => object as unknown as Item))).toEqual(['m1/everywhere', 'm2/everywhere'])
  expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'MODIFIED'])
  await register('three', ['m3'])
  await watch.ended()
})
