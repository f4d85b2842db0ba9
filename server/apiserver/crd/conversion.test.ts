import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const at = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`

interface Widget {
  apiVersion: string
  spec: Record<string, unknown>
}

/** `v1` has `size`, `v2` has `width`. */
function renamed(object: Widget, apiVersion: string): Widget {
  if (object.apiVersion === apiVersion) return object
  const { size, width } = object.spec
  return { ...object, apiVersion, spec: apiVersion.endsWith('v2') ? { width: size } : { size: width } }
}

let server: TestServer
let webhook: Server
let broken = false
beforeEach(async () => {
  broken = false
  webhook = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { uid, desiredAPIVersion, objects } = (
      JSON.parse(text) as { request: { uid: string; desiredAPIVersion: string; objects: Widget[] } }
    ).request
    const result = broken ? { status: 'Failed', message: 'out of order' } : { status: 'Success' }
    const convertedObjects = broken ? [] : objects.map((object) => renamed(object, desiredAPIVersion))
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        response: { uid, result, convertedObjects },
      }),
    )
  })
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  server = await startTestServer()
  await define(`http://127.0.0.1:${(webhook.address() as AddressInfo).port}/convert`)
})
afterEach(async () => {
  await server.close()
  webhook.closeAllConnections()
  await new Promise((resolve) => webhook.close(resolve))
})

async function define(url: string): Promise<void> {
  const version = (name: string, field: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    subresources: { scale: { specReplicasPath: `.spec.${field}`, statusReplicasPath: `.status.${field}` } },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [field]: { type: 'integer', maximum: 9 } } } },
      },
    },
  })
  const { status, body } = await server.send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1', 'size', false), version('v2', 'width', true)],
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] } },
    },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  for (let turn = 0; (await server.send('GET', at('v2'))).status !== 200; turn++) {
    if (turn > 200) throw new Error('the kind is not served')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const create = (name: string, size: number): ReturnType<TestServer['send']> =>
  server.send('POST', at('v1'), { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { size } })

describe('a kind whose versions a webhook converts', () => {
  it('is written in one version and read in the other', async () => {
    expect((await create('a', 3)).body).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 3 } })
    expect((await server.send('GET', `${at('v2')}/a`)).body).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { width: 3 },
    })
    expect((await server.send('GET', at('v1'))).body.items).toMatchObject([
      { apiVersion: 'example.com/v1', spec: { size: 3 } },
    ])
  })

  it('is changed in either version', async () => {
    await create('a', 3)
    expect((await server.send('PATCH', `${at('v1')}/a`, { spec: { size: 5 } })).body).toMatchObject({
      spec: { size: 5 },
    })
    expect((await server.send('PATCH', `${at('v2')}/a`, { spec: { width: 6 } })).body).toMatchObject({
      spec: { width: 6 },
    })
    expect((await server.send('GET', `${at('v1')}/a`)).body).toMatchObject({
      metadata: { generation: 3 },
      spec: { size: 6 },
    })
  })

  it('is scaled through either version, by the paths of that version', async () => {
    await create('a', 3)
    const scaled = async (version: string, method: string, body?: object): Promise<unknown> =>
      (await server.send(method, `${at(version)}/a/scale`, body)).body.spec
    expect([await scaled('v1', 'GET'), await scaled('v2', 'GET')]).toEqual([{ replicas: 3 }, { replicas: 3 }])
    expect(await scaled('v1', 'PATCH', { spec: { replicas: 5 } })).toEqual({ replicas: 5 })
    expect(await scaled('v2', 'PATCH', { spec: { replicas: 6 } })).toEqual({ replicas: 6 })
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 7 } }
    expect(await scaled('v1', 'PUT', scale)).toEqual({ replicas: 7 })
    expect((await server.send('PATCH', `${at('v1')}/a/scale`, { spec: { replicas: 10 } })).status).toBe(422)
    expect((await server.send('GET', `${at('v2')}/a`)).body.spec).toEqual({ width: 7 })
  })

  it('is validated in the version that it comes in', async () => {
    expect((await create('a', 10)).body.message).toContain('spec.size in body should be less than or equal to 9')
  })

  it('is watched in either version', async () => {
    const watch = await server.watch(`${at('v1')}?watch=1`)
    await server.send('POST', at('v2'), {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'b' },
      spec: { width: 2 },
    })
    expect(await watch.next(1)).toMatchObject([
      { type: 'ADDED', object: { apiVersion: 'example.com/v1', spec: { size: 2 } } },
    ])
    watch.stop()
  })

  it('reports a failed webhook, and continues in the stored version', async () => {
    await create('a', 3)
    broken = true
    await server.send('PATCH', `${at('v2')}/a`, { spec: { width: 4 } })
    const { status, body } = await server.send('GET', `${at('v1')}/a`)
    expect([status, body.message]).toEqual([
      500,
      'conversion webhook for example.com/v2, Kind=Widget failed: out of order',
    ])
    expect((await server.send('GET', `${at('v2')}/a`)).body).toMatchObject({ spec: { width: 4 } })
  })
})
