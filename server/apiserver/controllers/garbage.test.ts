import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/ex.test/v1/namespaces/default/widgets'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

const definition = {
  metadata: { name: 'widgets.ex.test' },
  spec: {
    group: 'ex.test',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

async function createOwned(name: string): Promise<void> {
  const { body } = await server.send('POST', WIDGETS, { apiVersion: 'ex.test/v1', kind: 'Widget', metadata: { name } })
  const owner = { apiVersion: 'ex.test/v1', kind: 'Widget', name, uid: body.metadata.uid }
  await server.send('POST', CONFIG_MAPS, { metadata: { name, ownerReferences: [owner] } })
}

async function owned(): Promise<string[]> {
  const { body } = await server.send('GET', CONFIG_MAPS)
  return (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
}

async function until(look: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const deadline = performance.now() + 10_000
  let seen = await look()
  while (JSON.stringify(seen) !== JSON.stringify(wanted) && performance.now() < deadline) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    seen = await look()
  }
  expect(seen).toEqual(wanted)
}

test('what custom objects own goes with them when their kind is deleted', async () => {
  await server.send('POST', DEFINITIONS, definition)
  const names = Array.from({ length: 20 }, (_, index) => `widget-${index}`)
  for (const name of names) await createOwned(name)
  expect(await owned()).toHaveLength(20)
  await server.send('DELETE', `${DEFINITIONS}/widgets.ex.test`)
  await until(async () => (await server.send('GET', `${DEFINITIONS}/widgets.ex.test`)).status, 404)
  await until(owned, [])
})
