/** Usage of simulated pods and nodes, in a member and of all members together. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters'
const METRICS = '/apis/metrics.k8s.io/v1beta1'
const proxy = (member: string): string => `${CLUSTERS}/${member}/proxy`

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  for (const member of ['member1', 'member2']) {
    const metadata = { name: member, annotations: { 'sim.evenkeel.io/nodes': '1' } }
    await server.send('POST', CLUSTERS, { metadata, spec: { syncMode: 'Push' } })
    await server.send('POST', `${proxy(member)}/api/v1/nodes`, { metadata: { name: 'node1' } })
  }
  await pod('member1', 'web', 'Running')
  await pod('member1', 'waiting', 'Pending')
  await pod('member2', 'db', 'Running')
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

async function pod(member: string, name: string, phase: string): Promise<void> {
  const pods = `${proxy(member)}/api/v1/namespaces/default/pods`
  const resources = { requests: { cpu: '2', memory: '1Gi' } }
  const spec = { nodeName: 'node1', containers: [{ name: 'c', image: 'i', resources }] }
  const { body } = await server.send('POST', pods, { metadata: { name, labels: { app: name } }, spec })
  await server.send('PUT', `${pods}/${name}/status`, { ...body, status: { phase } })
}

interface Measured {
  metadata: { name: string; annotations?: Record<string, string> }
  usage?: { cpu: string; memory: string }
  containers?: { name: string; usage: { cpu: string; memory: string } }[]
}

async function itemsAt(path: string): Promise<Measured[]> {
  const { status, body } = await server.send('GET', path)
  expect(status).toBe(200)
  return body.items as Measured[]
}

test('a running pod uses a share of what it requests, and its node what its pods use', async () => {
  const [web, ...others] = await itemsAt(`${proxy('member1')}${METRICS}/namespaces/default/pods`)
  expect([web?.metadata.name, others]).toEqual(['web', []])
  const { cpu = '', memory = '' } = web?.containers?.[0]?.usage ?? {}
  expect(Number.parseInt(cpu)).toBeGreaterThanOrEqual(400)
  expect(Number.parseInt(cpu)).toBeLessThanOrEqual(1600)
  expect(Number.parseInt(memory)).toBeLessThanOrEqual(0.9 * 1024 * 1024)
  const [node] = await itemsAt(`${proxy('member1')}${METRICS}/nodes`)
  expect(Number.parseInt(node?.usage?.cpu ?? '')).toBe(Number.parseInt(cpu) + 60)
  server.clock.advance(60_000)
  const [later] = await itemsAt(`${proxy('member1')}${METRICS}/namespaces/default/pods`)
  expect(later?.containers?.[0]?.usage.cpu).not.toBe(cpu)
})

test('the control plane has those of all members, each with the name of its own', async () => {
  const source = 'resource.karmada.io/query-from-cluster'
  const all = await itemsAt(`${METRICS}/pods`)
  expect(all.map(({ metadata }) => [metadata.name, metadata.annotations?.[source]])).toEqual([
    ['web', 'member1'],
    ['db', 'member2'],
  ])
  expect(await itemsAt(`${METRICS}/pods?labelSelector=app%3Ddb`)).toHaveLength(1)
  expect(await itemsAt(`${METRICS}/nodes`)).toHaveLength(2)
  const { body } = await server.send('GET', `${METRICS}/namespaces/default/pods/db`)
  expect(body).toMatchObject({ kind: 'PodMetrics', metadata: { name: 'db' }, window: '1m0s' })
  expect((await server.send('GET', `${METRICS}/pods?watch=1`)).status).toBe(405)
})

test('a pod that does not exist is missing itself, and one that does not run has no measurement', async () => {
  const messageAt = async (path: string): Promise<unknown> => (await server.send('GET', path)).body.message
  expect(await messageAt(`${METRICS}/namespaces/default/pods/none`)).toBe('pods "none" not found')
  const waiting = `${proxy('member1')}${METRICS}/namespaces/default/pods/waiting`
  expect(await messageAt(waiting)).toBe('podmetrics.metrics.k8s.io "default/waiting" not found')
  expect(await messageAt(`${proxy('member1')}${METRICS}/nodes/none`)).toBe('nodes "none" not found')
})
