import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

const SERVICES = '/api/v1/namespaces/default/services'
type Spec = { clusterIP?: string; clusterIPs?: string[]; ports: { nodePort?: number }[] } & Record<string, unknown>

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
  await server.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default' },
  })
})
afterEach(() => server.close())

const create = async (name: string, spec: object) => {
  const { status, body } = await server.send('POST', SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec,
  })
  return { status, message: body.message, spec: body.spec as Spec }
}
const change = async (name: string, spec: object) =>
  (await server.send('PATCH', `${SERVICES}/${name}`, { spec })).body.spec as Spec

test('every Service inside the cluster gets an address of its own, and keeps it', async () => {
  const [one, two] = [await create('one', { ports: [{ port: 80 }] }), await create('two', { ports: [{ port: 80 }] })]
  expect(one.spec.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\./)
  expect(one.spec.clusterIPs).toEqual([one.spec.clusterIP])
  expect(two.spec.clusterIP).not.toBe(one.spec.clusterIP)
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'one' }, spec: { ports: [{ port: 81 }] } }
  expect(((await server.send('PUT', `${SERVICES}/one`, body)).body.spec as Spec).clusterIP).toBe(one.spec.clusterIP)
})

test('headless and external Services get none', async () => {
  expect((await create('headless', { clusterIP: 'None', selector: { a: 'b' } })).spec.clusterIPs).toEqual(['None'])
  const { spec } = await create('outside', { type: 'ExternalName', externalName: 'example.org' })
  expect([spec.clusterIP, spec.clusterIPs]).toEqual([undefined, undefined])
})

test('ports of nodes are given once, and go with the type that needs them', async () => {
  const { spec } = await create('web', { type: 'NodePort', ports: [{ port: 80 }] })
  const nodePort = spec.ports[0]?.nodePort ?? 0
  expect(nodePort).toBeGreaterThanOrEqual(30_000)
  const second = await create('second', { type: 'NodePort', ports: [{ port: 80, nodePort }] })
  expect(second).toMatchObject({
    status: 422,
    message: `Service "second" is invalid: spec.ports[0].nodePort: Invalid value: ${nodePort}: provided port is already allocated`,
  })
  expect((await create('third', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })).message).toContain(
    '30000-32767',
  )
  expect((await change('web', { type: 'LoadBalancer' })).ports[0]?.nodePort).toBe(nodePort)
  const inside = await change('web', { type: 'ClusterIP' })
  expect(inside.ports[0]?.nodePort).toBeUndefined()
  expect(inside).not.toHaveProperty('externalTrafficPolicy')
  expect(inside.clusterIP).toBe(spec.clusterIP)
  expect(await change('web', { type: 'ExternalName', externalName: 'example.org' })).not.toHaveProperty('clusterIP')
})

test('ports of nodes that a load balancer needs no more stay until they are left out', async () => {
  const { spec } = await create('web', { type: 'LoadBalancer', ports: [{ port: 80 }] })
  const nodePort = spec.ports[0]?.nodePort
  expect(nodePort).toBeDefined()
  const kept = await change('web', { allocateLoadBalancerNodePorts: false })
  expect(kept.ports[0]?.nodePort).toBe(nodePort)
  const left = await server.send('PUT', `${SERVICES}/web`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] },
  })
  expect((left.body.spec as Spec).ports[0]?.nodePort).toBeUndefined()
})
