import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const spec = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    color: { type: 'string', enum: ['red', 'blue'] },
  },
}
const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  ...more,
})
const widgets = (versions: object[] = [version('v1', { storage: true })], more: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions, ...more },
})
const widget = (name: string, own: object = {}, apiVersion = 'example.com/v1'): object => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name },
  spec: own,
})
/** Creates a definition and waits until its kind is served. */
async function define(definition: object): Promise<void> {
  const made = await server.send('POST', DEFINITIONS, definition)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await eventually(async () => expect((await server.send('GET', WIDGETS)).status).toBe(200))
}
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let turn = 0; ; turn++) {
    try {
      return await check()
    } catch (error) {
      if (turn > 200) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

const nameOf = (object: unknown): string => (object as { metadata: { name: string } }).metadata.name
const items = async (path: string): Promise<string[]> =>
  ((await server.send('GET', path)).body.items as unknown[]).map(nameOf)
const conditions = async (name: string): Promise<string[]> => {
  const { body } = await server.send('GET', `${DEFINITIONS}/${name}`)
  const { conditions = [] } = body.status as { conditions?: { type: string; status: string; reason: string }[] }
  return conditions.map(({ type, status, reason }) => `${type}=${status} (${reason})`)
}

it('is in discovery after the built-in groups, whatever the method of the request', async () => {
  await define(widgets())
  const { body } = await server.send('GET', '/apis')
  const names = (body.groups as { name: string }[]).map(({ name }) => name)
  expect(names.slice(0, 3)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io'])
  expect(names.indexOf('example.com')).toBeGreaterThan(names.indexOf('discovery.k8s.io'))
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const answer = await server.send(method, '/apis/example.com/v1')
    expect([answer.status, answer.body.kind], method).toEqual([200, 'APIResourceList'])
  }
  expect((await server.send('POST', '/apis/apps/v1')).status).toBe(405)
})

it('is warned about for formats that mean nothing, and once for each that a change brings', async () => {
  const formatted = (...formats: string[]): object => {
    const properties = Object.fromEntries(formats.map((format, index) => [`f${index}`, { type: 'string', format }]))
    const schema = { openAPIV3Schema: { type: 'object', properties } }
    return widgets([version('v1', { storage: true, schema })])
  }
  const made = await server.send('POST', DEFINITIONS, formatted('date-time', 'odd'))
  expect(made.headers.get('warning')).toBe('299 - "unrecognized format \\"odd\\""')
  const path = `${DEFINITIONS}/widgets.example.com`
  const { resourceVersion } = (await server.send('GET', path)).body.metadata
  const next = formatted('odd', 'strange') as { metadata: object }
  const changed = await server.send('PUT', path, { ...next, metadata: { ...next.metadata, resourceVersion } })
  expect([changed.status, changed.headers.get('warning')]).toEqual([200, '299 - "unrecognized format \\"strange\\""'])
})

describe('a kind that a user defines', () => {
  it('is served and established at once', async () => {
    await define(widgets())
    expect(await conditions('widgets.example.com')).toEqual([
      'NamesAccepted=True (NoConflicts)',
      'Established=True (InitialNamesAccepted)',
    ])
    expect((await server.send('GET', '/apis/example.com')).body.preferredVersion).toEqual({
      groupVersion: 'example.com/v1',
      version: 'v1',
    })
  })

  it('completes and checks its objects by its schema', async () => {
    await define(widgets())
    const made = await server.send('POST', WIDGETS, widget('a', { color: null, other: 1 }))
    expect(made.body.spec).toEqual({ size: 3 })
    expect(made.headers.get('warning')).toBe('299 - "unknown field \\"spec.other\\""')
    const refused = await server.send('POST', WIDGETS, widget('b', { size: 11 }))
    expect(refused.body.message).toBe(
      'Widget.example.com "b" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    )
  })

  it('shows one object in every served version and keeps it in one', async () => {
    await define(widgets([version('v1'), version('v2', { storage: true })]))
    await server.send('POST', WIDGETS, widget('a', { size: 4 }))
    const v2 = WIDGETS.replace('/v1/', '/v2/')
    expect((await server.send('GET', `${WIDGETS}/a`)).body).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { size: 4 },
    })
    expect((await server.send('GET', `${v2}/a`)).body).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { size: 4 },
    })
    const changed = await server.send('PATCH', `${v2}/a`, { spec: { size: 5 } })
    expect(changed.body).toMatchObject({ apiVersion: 'example.com/v2', metadata: { generation: 2 }, spec: { size: 5 } })
    expect((await server.send('GET', WIDGETS)).body.items).toMatchObject([
      { apiVersion: 'example.com/v1', spec: { size: 5 } },
    ])
    const place = { keyspace: '', resource: 'widgets.example.com', key: 'default/a' }
    expect(server.store.get(place)?.value.apiVersion).toBe('example.com/v2')
  })

  it('tells each watcher of a change in its own version', async () => {
    await define(widgets([version('v1', { storage: true }), version('v2')]))
    const watches = await Promise.all(
      ['v1', 'v2'].map((name) => server.watch(`${WIDGETS.replace('/v1/', `/${name}/`)}?watch=1`)),
    )
    await server.send('POST', WIDGETS, widget('a'))
    const told = await Promise.all(watches.map((watch) => watch.next(1)))
    expect(told.map(([event]) => event?.object.apiVersion)).toEqual(['example.com/v1', 'example.com/v2'])
    for (const watch of watches) watch.stop()
  })

  it('warns of a version that goes', async () => {
    await define(widgets([version('v1', { storage: true, deprecated: true })]))
    expect((await server.send('GET', WIDGETS)).headers.get('warning')).toBe(
      '299 - "example.com/v1 Widget is deprecated"',
    )
  })

  it('completes old objects with a default that came later', async () => {
    await define(widgets())
    await server.send('POST', WIDGETS, widget('a'))
    const color = { spec: { ...spec, properties: { ...spec.properties, color: { type: 'string', default: 'red' } } } }
    const versions = [
      version('v1', { storage: true, schema: { openAPIV3Schema: { type: 'object', properties: color } } }),
    ]
    await server.send('PATCH', `${DEFINITIONS}/widgets.example.com`, { spec: { versions } })
    await eventually(async () => {
      expect((await server.send('GET', `${WIDGETS}/a`)).body.spec).toEqual({ size: 3, color: 'red' })
    })
  })

  it('has the subresources that it declares, and no other', async () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
    const status = { type: 'object', properties: { size: { type: 'integer' } } }
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } }
    await define(widgets([version('v1', { storage: true, schema, subresources: { status: {}, scale } })]))
    await server.send('POST', WIDGETS, widget('a', { size: 2 }))
    await server.send('PATCH', `${WIDGETS}/a/scale`, { spec: { replicas: 7 } })
    await server.send('PATCH', `${WIDGETS}/a/status`, { spec: { size: 1 }, status: { size: 6 } })
    expect((await server.send('GET', `${WIDGETS}/a`)).body).toMatchObject({ spec: { size: 7 }, status: { size: 6 } })
    expect((await server.send('GET', `${WIDGETS}/a/scale`)).body).toMatchObject({
      spec: { replicas: 7 },
      status: { replicas: 6 },
    })
  })

  it('goes with its objects, and ends the watches', async () => {
    await define(widgets())
    await server.send('POST', WIDGETS, widget('a'))
    const watch = await server.watch(`${WIDGETS}?watch=1`)
    expect(await watch.next(1)).toMatchObject([{ type: 'ADDED' }])
    const removed = await server.send('DELETE', `${DEFINITIONS}/widgets.example.com`)
    expect(removed.body.metadata).toMatchObject({
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
      generation: 1,
    })
    expect(await watch.next(1)).toMatchObject([{ type: 'DELETED' }])
    await watch.ended()
    await eventually(async () => expect((await server.send('GET', WIDGETS)).status).toBe(404))
    expect((await server.send('GET', `${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
  })

  it('waits for objects that are held', async () => {
    await define(widgets())
    const held = widget('a') as { metadata: object }
    await server.send('POST', WIDGETS, { ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } })
    await server.send('DELETE', `${DEFINITIONS}/widgets.example.com`)
    await eventually(async () => {
      expect((await server.send('GET', `${WIDGETS}/a`)).body.metadata.deletionTimestamp).toBeDefined()
    })
    expect((await server.send('GET', `${DEFINITIONS}/widgets.example.com`)).status).toBe(200)
    const { status, body } = await server.send('POST', WIDGETS, widget('b'))
    expect([status, body.message]).toEqual([405, 'create not allowed while custom resource definition is terminating'])
    await server.send('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: null } })
    await eventually(async () => {
      expect((await server.send('GET', `${DEFINITIONS}/widgets.example.com`)).status).toBe(404)
    })
  })

  it('gets its names when the one who had them goes', async () => {
    await define(widgets())
    const gadgets = widgets(undefined, { names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['widgets'] } })
    await server.send('POST', DEFINITIONS, { ...gadgets, metadata: { name: 'gadgets.example.com' } })
    await eventually(async () =>
      expect(await conditions('gadgets.example.com')).toEqual([
        'NamesAccepted=False (ShortNamesConflict)',
        'Established=False (NotAccepted)',
      ]),
    )
    await server.send('DELETE', `${DEFINITIONS}/widgets.example.com`)
    await eventually(async () =>
      expect(await conditions('gadgets.example.com')).toEqual([
        'NamesAccepted=True (NoConflicts)',
        'Established=True (InitialNamesAccepted)',
      ]),
    )
  })

  it('leaves the kinds alone that the server has itself', async () => {
    const works = widgets(undefined, { names: { plural: 'works', kind: 'Work' }, group: 'work.karmada.io' })
    await server.send('POST', DEFINITIONS, { ...works, metadata: { name: 'works.work.karmada.io' } })
    await eventually(async () =>
      expect(await conditions('works.work.karmada.io')).toContain('Established=True (InitialNamesAccepted)'),
    )
    const path = '/apis/work.karmada.io/v1alpha1/works'
    const work = {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'w' },
      spec: { workload: { manifests: [] } },
    }
    await server.send('POST', '/apis/work.karmada.io/v1alpha1/namespaces/default/works', work)
    await server.send('DELETE', `${DEFINITIONS}/works.work.karmada.io`)
    await eventually(async () =>
      expect((await server.send('GET', `${DEFINITIONS}/works.work.karmada.io`)).status).toBe(404),
    )
    expect(await items(path)).toEqual(['w'])
  })
})

describe('a member cluster', () => {
  it('has definitions of its own', async () => {
    await server.send('POST', '/apis/cluster.karmada.io/v1alpha1/clusters', {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'm1', annotations: { 'sim.evenkeel.io/nodes': '1' } },
      spec: { syncMode: 'Push' },
    })
    const member = '/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy'
    await server.send('POST', member + DEFINITIONS, widgets())
    await eventually(async () => expect((await server.send('GET', member + WIDGETS)).status).toBe(200))
    expect((await server.send('GET', WIDGETS)).status).toBe(404)
  })
})

describe('a server that starts again', () => {
  it('serves what was defined before', async () => {
    await define(widgets())
    const again = await startTestServer({ store: server.store })
    expect((await again.send('GET', WIDGETS)).status).toBe(200)
    await again.close()
  })
})

describe('a rule in CEL', () => {
  const ruled = (schema: object): object =>
    widgets([
      version('v1', { storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } }),
    ])

  it('is enforced on creation and on change', async () => {
    await define(
      ruled({
        type: 'object',
        properties: {
          name: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed' }] },
        },
        'x-kubernetes-validations': [{ rule: "self.name != 'no'", messageExpression: "'not ' + self.name" }],
      }),
    )
    const refused = await server.send('POST', WIDGETS, widget('a', { name: 'no' }))
    expect(refused.body.message).toBe('Widget.example.com "a" is invalid: spec: Invalid value: not no')
    expect((await server.send('POST', WIDGETS, widget('a', { name: 'x' }))).status).toBe(201)
    const changed = await server.send('PATCH', `${WIDGETS}/a`, { spec: { name: 'y' } })
    expect(changed.body.message).toBe('Widget.example.com "a" is invalid: spec.name: Invalid value: "y": fixed')
  })

  it('that does not fit the schema is refused with the definition', async () => {
    const broken = ruled({
      type: 'object',
      properties: { size: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.sise > 1' }],
    })
    const rule = {
      Rule: 'self.sise > 1',
      Message: '',
      MessageExpression: '',
      Reason: null,
      FieldPath: '',
      OptionalOldSelf: null,
    }
    const { status, body } = await server.send('POST', DEFINITIONS, broken)
    expect(status).toBe(422)
    expect((body.details as { causes: unknown[] }).causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message:
          `Invalid value: ${JSON.stringify(rule).replace('>', String.raw`\u003e`)}`
          + ": compilation failed: ERROR: <input>:1:5: undefined field 'sise'\n | self.sise > 1\n | ....^",
        field: 'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
      },
    ])
  })
})
