import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

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

const table = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

test('a scale is read with its types, and has the name of its object', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  await server.send('POST', deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  })
  const scale = (name: string, replicas: unknown) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name },
    spec: { replicas },
  })
  const put = async (body: object) => (await server.send('PUT', `${deployments}/web/scale`, body)).body.message
  expect(await put(scale('other', 1))).toBe('the name of the object (other) does not match the name on the URL (web)')
  expect(await put(scale('web', 'many'))).toContain(
    'json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas',
  )
  const patched = await server.send('PATCH', `${deployments}/web/scale`, { spec: { replicas: 'many' } })
  expect(patched.body.message).toMatch(
    /^ "" is invalid: patch: Invalid value: .*ScaleSpec\.spec\.replicas of type int32$/,
  )
  const { columnDefinitions, rows } = (await server.send('GET', `${deployments}/web/scale`, undefined, table)).body as {
    columnDefinitions?: { name: string }[]
    rows?: { cells: unknown[] }[]
  }
  expect(columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age'])
  expect(rows?.[0]?.cells.slice(0, 3)).toEqual(['web', 1, 0])
})
