import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'
import { flowSchemaOf } from './flow-schemas'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['system:masters', '/api', 'exempt', 'exempt'],
  ['system:unauthenticated', '/readyz', 'probes', 'exempt'],
  ['system:nodes', '/api', 'system-nodes', 'node-high'],
  ['system:serviceaccounts:kube-system', '/api', 'kube-system-service-accounts', 'workload-high'],
  ['system:serviceaccounts', '/api', 'service-accounts', 'workload-low'],
  ['system:authenticated', '/api', 'global-default', 'global-default'],
])('a request of %s to %s belongs to %s', (group, path, name, priorityLevel) => {
  expect(flowSchemaOf({ caller: { user: 'u', groups: [group] }, path })).toMatchObject({ name, priorityLevel })
})

test('every answer names its FlowSchema and its priority level, refusals included', async () => {
  const headersOf = async (path: string, as?: string): Promise<(string | null)[]> => {
    const { headers } = await server.send('GET', path, undefined, as === undefined ? {} : { 'Impersonate-User': as })
    return ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'].map((name) => headers.get(name))
  }
  const uid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string
  const admin = await headersOf('/api/v1/namespaces')
  expect(admin).toEqual([uid, uid])
  expect(await headersOf('/api/v1/namespaces/absent')).toEqual(admin)
})
