import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Answered, startTestServer, type TestServer } from '../testing/start-server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = { 'Content-Type': 'application/apply-patch+yaml' }
const MERGE = { 'Content-Type': 'application/merge-patch+json' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
const fresh = (): string => `applied-${++count}`
const configMap = (name: string, data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
const deployment = (name: string, more: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'w' } },
    template: { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    ...more,
  },
})

function apply(path: string, body: unknown, query: string): Promise<Answered> {
  return server.send('PATCH', `${path}?${query}`, body, APPLY)
}

/** A ConfigMap that `data` was applied to. */
async function appliedMap(data: object, manager = 'm1'): Promise<string> {
  const name = fresh()
  const { status } = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, data), `fieldManager=${manager}`)
  expect(status).toBe(201)
  return name
}

/** Manager, operation and fields of every owner. */
function owners({ body }: Answered): unknown[] {
  const entries = (body.metadata.managedFields ?? []) as { manager: string; operation: string; fieldsV1: object }[]
  return entries.map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1])
}

describe('server-side apply', () => {
  it('creates a missing object, and changes nothing when repeated', async () => {
    const name = await appliedMap({ k: 'v' })
    const before = await server.send('GET', `${CONFIG_MAPS}/${name}`)
    const again = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { k: 'v' }), 'fieldManager=m1')
    expect([again.status, again.body]).toEqual([200, before.body])
  })

  it('reads YAML as YAML 1.1 is read, and times as texts', async () => {
    const name = fresh()
    const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  at: 2001-01-01\n  time: 12:30:45\n`
    const { status, body } = await apply(`${CONFIG_MAPS}/${name}`, yaml, 'fieldManager=m')
    expect([status, body.data]).toEqual([201, { at: '2001-01-01', time: '12:30:45' }])
  })

  it('refuses what others own, until it is forced', async () => {
    const name = await appliedMap({ a: '1', b: '1' })
    const refused = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { a: '2' }), 'fieldManager=m2')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "m1": .data.a',
    ])
    const forced = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { a: '2' }), 'fieldManager=m2&force=true')
    expect([forced.body.data, owners(forced)]).toEqual([
      { a: '2', b: '1' },
      [
        ['m1', 'Apply', { 'f:data': { 'f:b': {} } }],
        ['m2', 'Apply', { 'f:data': { 'f:a': {} } }],
      ],
    ])
  })

  it('records the owner of fields that were set before the first apply', async () => {
    const name = fresh()
    await server.send('POST', CONFIG_MAPS, configMap(name, { a: '1' }), { 'User-Agent': 'evenkeel' })
    expect(owners(await server.send('GET', `${CONFIG_MAPS}/${name}`))).toEqual([])
    const applied = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { b: '1' }), 'fieldManager=m')
    expect(owners(applied)).toEqual([
      ['m', 'Apply', { 'f:data': { 'f:b': {} } }],
      ['before-first-apply', 'Update', { 'f:data': { '.': {}, 'f:a': {} } }],
    ])
  })

  it('changes only the status', async () => {
    const name = fresh()
    await server.send('POST', `${DEPLOYMENTS}?fieldManager=u`, deployment(name))
    const body = { ...deployment(name, { paused: true }), status: { observedGeneration: 1 } }
    const applied = await apply(`${DEPLOYMENTS}/${name}/status`, body, 'fieldManager=s')
    expect(applied.body).toMatchObject({ status: { observedGeneration: 1 }, spec: { replicas: 1 } })
    expect(applied.body.spec).not.toHaveProperty('paused')
    expect(owners(applied)[0]).toEqual(['s', 'Apply', { 'f:status': { 'f:observedGeneration': {} } }])
    expect((await apply(`${DEPLOYMENTS}/missing/status`, deployment('missing'), 'fieldManager=s')).status).toBe(404)
  })

  it('leaves no trace of a dry run', async () => {
    const name = await appliedMap({ a: '1' })
    const tried = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { a: '2' }), 'fieldManager=m1&dryRun=All')
    expect(tried.body.data).toEqual({ a: '2' })
    expect((await server.send('GET', `${CONFIG_MAPS}/${name}`)).body.data).toEqual({ a: '1' })
  })

  test.each<[string, string, unknown, [number, string]]>([
    [
      'without a manager',
      '',
      configMap('x', {}),
      [422, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    ],
    [
      'with another kind',
      'fieldManager=m',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
      [400, 'invalid object type: /v1, Kind=Secret'],
    ],
    [
      'with owners of its own',
      'fieldManager=m',
      { ...configMap('x', {}), metadata: { name: 'x', managedFields: [] } },
      [400, 'metadata.managedFields must be nil'],
    ],
    [
      'with an unknown field',
      'fieldManager=m',
      { ...configMap('x', {}), zzz: 1 },
      [500, 'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .zzz: field not declared in schema'],
    ],
    [
      'with the uid of something that is not there',
      'fieldManager=m',
      { ...configMap('x', {}), metadata: { name: 'x', uid: 'u' } },
      [
        409,
        'Operation cannot be fulfilled on configmaps "x": uid mismatch: the provided object specified uid u, and no existing object was found',
      ],
    ],
    [
      'under another name',
      'fieldManager=m',
      configMap('y', {}),
      [400, 'the name of the object (y) does not match the name on the URL (x)'],
    ],
    [
      'with a list',
      'fieldManager=m',
      [1],
      [
        400,
        'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    ['with nothing', 'fieldManager=m', 'null', [400, 'invalid object type: /, Kind=']],
    [
      'with a key twice, when that matters',
      'fieldManager=m&fieldValidation=Strict',
      'a: 1\na: 2\n',
      [
        400,
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 2: key already set in map',
      ],
    ],
    [
      'with a field manager whose name is too long',
      `fieldManager=${'m'.repeat(129)}`,
      configMap('x', {}),
      [422, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes'],
    ],
  ])('is refused %s', async (_, query, body, expected) => {
    const answer = await apply(`${CONFIG_MAPS}/x`, body, query)
    expect([answer.status, answer.body.message]).toEqual(expected)
  })

  it('is the only patch that may be forced', async () => {
    const answer = await server.send('PATCH', `${CONFIG_MAPS}/x?force=true`, {}, MERGE)
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ])
  })
})

describe('going over from client-side apply', () => {
  const LAST = 'kubectl.kubernetes.io/last-applied-configuration'
  const clientApplied = async (): Promise<string> => {
    const name = fresh()
    const text = JSON.stringify(configMap(name, { a: '1', b: '1' }))
    const body = { ...configMap(name, { a: '1', b: '1' }), metadata: { name, annotations: { [LAST]: text } } }
    await server.send('POST', `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`, body)
    return name
  }

  it('lets kubectl change what it set before, and keeps its note up to date', async () => {
    const name = await clientApplied()
    const config = configMap(name, { a: '2' })
    const { status, body } = await apply(`${CONFIG_MAPS}/${name}`, config, 'fieldManager=kubectl')
    expect([status, body.data]).toEqual([200, { a: '2', b: '1' }])
    expect((body.metadata.annotations as Record<string, string>)[LAST]).toBe(`${JSON.stringify(config)}\n`)
  })

  it('does not let kubectl change what another manager set since', async () => {
    const name = await clientApplied()
    await server.send('PATCH', `${CONFIG_MAPS}/${name}?fieldManager=other`, { data: { a: '5' } }, MERGE)
    const { status, body } = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { a: '2' }), 'fieldManager=kubectl')
    expect([status, body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "other" using v1: .data.a',
    ])
  })

  it('takes the owners that a client rewrote', async () => {
    const name = await clientApplied()
    const { body } = await server.send('GET', `${CONFIG_MAPS}/${name}`)
    const [entry] = body.metadata.managedFields as object[]
    const upgraded = [{ ...entry, manager: 'kubectl', operation: 'Apply' }]
    const operations = [{ op: 'replace', path: '/metadata/managedFields', value: upgraded }]
    const patched = await server.send('PATCH', `${CONFIG_MAPS}/${name}`, operations, {
      'Content-Type': 'application/json-patch+json',
    })
    expect(patched.body.metadata.managedFields).toEqual(upgraded)
    const applied = await apply(`${CONFIG_MAPS}/${name}`, configMap(name, { a: '1' }), 'fieldManager=kubectl')
    expect(applied.body.data).toEqual({ a: '1' })
  })
})

describe('every other write', () => {
  it('owns what it sets, under the name that the client gives or is known by', async () => {
    const name = fresh()
    await server.send('POST', CONFIG_MAPS, configMap(name, { a: '1' }), { 'User-Agent': 'tool/v1.2 (linux)' })
    const patched = await server.send('PATCH', `${CONFIG_MAPS}/${name}?fieldManager=hand`, { data: { b: '1' } }, MERGE)
    expect(owners(patched)).toEqual([
      ['hand', 'Update', { 'f:data': { 'f:b': {} } }],
      ['tool', 'Update', { 'f:data': { '.': {}, 'f:a': {} } }],
    ])
  })

  it('writes nothing when only a time would change', async () => {
    const name = fresh()
    const { body } = await server.send('POST', CONFIG_MAPS, configMap(name, { a: '1' }))
    await server.clock.advance(60_000)
    const put = await server.send('PUT', `${CONFIG_MAPS}/${name}`, body)
    expect(put.body).toEqual(body)
  })

  test.each<[string, unknown[]]>([
    ['an empty list', []],
    ['an empty entry', [{}]],
  ])('forgets all owners for %s', async (_, managedFields) => {
    const name = await appliedMap({ a: '1' })
    const { status, body } = await server.send(
      'PATCH',
      `${CONFIG_MAPS}/${name}`,
      { metadata: { managedFields } },
      MERGE,
    )
    expect([status, body.metadata.managedFields]).toEqual([200, undefined])
  })

  it('keeps the owners of a custom object for an empty list', async () => {
    const path = '/apis/multicluster.x-k8s.io/v1alpha1/namespaces/default/serviceexports'
    const exported = {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ServiceExport',
      metadata: { name: fresh() },
    }
    const made = await server.send('POST', path, {
      ...exported,
      metadata: { ...exported.metadata, labels: { a: 'b' } },
    })
    const sent = { metadata: { managedFields: [] } }
    const { status, body } = await server.send('PATCH', `${path}/${made.body.metadata.name}`, sent, MERGE)
    expect([status, body]).toEqual([200, made.body])
  })

  it('keeps owners that a whole object does not mention', async () => {
    const name = await appliedMap({ a: '1' })
    const put = await server.send('PUT', `${CONFIG_MAPS}/${name}`, configMap(name, { a: '1' }))
    expect(owners(put)).toEqual([['m1', 'Apply', { 'f:data': { 'f:a': {} } }]])
  })

  it('owns a status as a status', async () => {
    const name = fresh()
    await server.send('POST', `${DEPLOYMENTS}?fieldManager=u`, deployment(name))
    const { body } = await server.send(
      'PATCH',
      `${DEPLOYMENTS}/${name}/status?fieldManager=c`,
      { status: { replicas: 1 } },
      MERGE,
    )
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'c', subresource: 'status', fieldsV1: { 'f:status': { 'f:replicas': {} } } }),
    )
  })

  it('owns the replicas that it sets by way of the scale', async () => {
    const name = fresh()
    await server.send('POST', `${DEPLOYMENTS}?fieldManager=u`, deployment(name, { replicas: 2 }))
    await server.send('PATCH', `${DEPLOYMENTS}/${name}/scale?fieldManager=s`, { spec: { replicas: 3 } }, MERGE)
    const { body } = await server.send('GET', `${DEPLOYMENTS}/${name}`)
    expect(body.metadata.managedFields).toContainEqual({
      manager: 's',
      operation: 'Update',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    })
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas: 4 } }
    const refused = await apply(`${DEPLOYMENTS}/${name}/scale`, scale, 'fieldManager=a')
    expect(refused.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "s" with subresource "scale" using autoscaling/v1: .spec.replicas',
    )
    const forced = await apply(`${DEPLOYMENTS}/${name}/scale`, scale, 'fieldManager=a&force=true')
    expect(forced.body.spec).toEqual({ replicas: 4 })
  })

  it('keeps a finalizer of its own beside those of others', async () => {
    const name = await appliedMap({ a: '1' })
    const config = (finalizer: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, finalizers: [finalizer] },
    })
    await apply(`${CONFIG_MAPS}/${name}`, config('ex.test/a'), 'fieldManager=a')
    await apply(`${CONFIG_MAPS}/${name}`, config('ex.test/b'), 'fieldManager=b')
    const gone = await apply(
      `${CONFIG_MAPS}/${name}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      'fieldManager=a',
    )
    expect(gone.body.metadata.finalizers).toEqual(['ex.test/b'])
  })
})
