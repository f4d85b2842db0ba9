import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

describe('the first version of a binding', () => {
  const first = '/apis/work.karmada.io/v1alpha1/namespaces/default/resourcebindings'
  const now = first.replace('v1alpha1', 'v1alpha2')
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' }

  it('has the current spec beside the reference', async () => {
    const spec = { resource, replicas: 3, replicaRequirements: { resourceRequest: { cpu: '100m' } } }
    await server.send('POST', now, {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'web' },
      spec,
    })
    expect((await server.send('GET', `${first}/web`)).body).toMatchObject({
      apiVersion: 'work.karmada.io/v1alpha1',
      spec: { resource: { ...resource, replicas: 3, resourcePerReplicas: { cpu: '100m' } } },
    })
  })

  it('is kept as the version of today', async () => {
    await server.send('POST', first, {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'ResourceBinding',
      metadata: { name: 'web' },
      spec: { resource: { ...resource, replicas: 2 }, clusters: [{ name: 'm1', replicas: 2 }] },
    })
    expect((await server.send('GET', `${now}/web`)).body).toMatchObject({
      apiVersion: 'work.karmada.io/v1alpha2',
      spec: { resource, replicas: 2, clusters: [{ name: 'm1', replicas: 2 }] },
    })
  })
})

describe('a broken first version of a binding', () => {
  const first = '/apis/work.karmada.io/v1alpha1/namespaces/default/resourcebindings'
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' }

  it.each([{}, { resource: {} }, { resource: null }, { resource: [] }, { resource: 'x' }, [], 'x', 5])(
    'is refused with the fields that are wrong: %j',
    async (spec) => {
      const whole = {
        apiVersion: 'work.karmada.io/v1alpha1',
        kind: 'ResourceBinding',
        metadata: { name: 'web' },
        spec: { resource },
      }
      expect((await server.send('POST', first, whole)).status).toBe(201)
      const patch = [{ op: 'replace', path: '/spec', value: spec }]
      const json = { 'Content-Type': 'application/json-patch+json' }
      for (const answer of [
        await server.send('PATCH', `${first}/web`, patch, json),
        await server.send('PUT', `${first}/web`, { ...whole, spec }),
        await server.send('POST', first, { ...whole, metadata: { name: 'other' }, spec }),
      ]) {
        expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ reason: 'Invalid' })])
      }
    },
  )
})

describe('what the first version of a binding does not show', () => {
  const first = '/apis/work.karmada.io/v1alpha1/namespaces/default/resourcebindings'
  const now = first.replace('v1alpha1', 'v1alpha2')
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default', uid: 'u-1' }
  const spec = {
    resource,
    replicas: 3,
    replicaRequirements: { resourceRequest: { cpu: '100m' }, priorityClassName: 'high' },
    suspension: { scheduling: true },
    schedulerName: 'default-scheduler',
    conflictResolution: 'Abort',
  }
  const status = {
    aggregatedStatus: [{ clusterName: 'm1', health: 'Healthy', applied: true }],
    lastScheduledTime: '2026-01-01T00:00:00Z',
  }
  const merge = { 'Content-Type': 'application/merge-patch+json' }
  const shown = {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'ResourceBinding',
    metadata: { name: 'web', namespace: 'default' },
  }

  beforeEach(async () => {
    const draft = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata: { name: 'web' }, spec }
    const { body } = await server.send('POST', now, draft)
    await server.send('PUT', `${now}/web/status`, { ...body, status })
  })

  const writes: readonly [string, () => Promise<unknown>][] = [
    [
      'a merge patch of an annotation',
      () => server.send('PATCH', `${first}/web`, { metadata: { annotations: { a: 'b' } } }, merge),
    ],
    [
      'a JSON patch of an annotation',
      () =>
        server.send('PATCH', `${first}/web`, [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }], {
          'Content-Type': 'application/json-patch+json',
        }),
    ],
    [
      'a server-side apply of an annotation',
      () =>
        server.send(
          'PATCH',
          `${first}/web?fieldManager=t`,
          {
            ...shown,
            metadata: { ...shown.metadata, annotations: { a: 'b' } },
            spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
          },
          { 'Content-Type': 'application/apply-patch+yaml' },
        ),
    ],
    [
      'a PUT of what was read',
      async () => {
        const { body } = await server.send('GET', `${first}/web`)
        return server.send('PUT', `${first}/web`, {
          ...body,
          metadata: { ...(body.metadata as object), annotations: { a: 'b' } },
        })
      },
    ],
    [
      'a patch of the status',
      async () => {
        await server.send('PATCH', `${first}/web`, { metadata: { annotations: { a: 'b' } } }, merge)
        return server.send('PATCH', `${first}/web/status`, { status: { conditions: [] } }, merge)
      },
    ],
  ]

  it.each(writes)('stays through %s', async (_, write) => {
    expect(await write()).toMatchObject({ status: 200 })
    expect((await server.send('GET', `${now}/web`)).body).toMatchObject({
      metadata: { annotations: { a: 'b' } },
      spec,
      status,
    })
  })

  it('stays when a visible field is changed, and is removed with its element', async () => {
    await server.send('PATCH', `${first}/web`, { spec: { clusters: [{ name: 'm1', replicas: 3 }] } }, merge)
    const changed = (await server.send('GET', `${now}/web`)).body
    expect(changed).toMatchObject({ spec: { ...spec, clusters: [{ name: 'm1', replicas: 3 }] } })
    await server.send('PATCH', `${first}/web/status`, { status: { aggregatedStatus: [{ clusterName: 'm2' }] } }, merge)
    expect((await server.send('GET', `${now}/web`)).body).toMatchObject({
      status: { aggregatedStatus: [{ clusterName: 'm2' }] },
    })
  })
})

describe('an autoscaler whose annotations were written by hand', () => {
  it.each(['5', '{}', 'null', '"x"', '[', '[1]'])('is no fault of the server (%s)', async (text) => {
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers'
    const { status } = await server.send('POST', path, {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: {
        name: 'h',
        annotations: {
          'autoscaling.alpha.kubernetes.io/metrics': text,
          'autoscaling.alpha.kubernetes.io/behavior': text,
          'autoscaling.alpha.kubernetes.io/conditions': text,
        },
      },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    })
    expect(status).toBeLessThan(500)
    if (status === 201) {
      expect((await server.send('GET', `${path}/h`)).status).toBe(200)
      expect((await server.send('GET', `${path.replace('/v1/', '/v2/')}/h`)).status).toBe(200)
    }
  })
})

describe('events', () => {
  it('are the same objects in both groups', async () => {
    const events = '/apis/events.k8s.io/v1/namespaces/default/events'
    await server.send('POST', events, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'a.example.com/b',
      reportingInstance: 'b-1',
      action: 'Do',
      reason: 'Done',
      type: 'Normal',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      note: 'it is done',
    })
    const core = (await server.send('GET', '/api/v1/namespaces/default/events/e')).body
    expect(core).toMatchObject({
      apiVersion: 'v1',
      message: 'it is done',
      involvedObject: { kind: 'Pod' },
      reportingComponent: 'a.example.com/b',
    })
    expect((await server.send('GET', events)).body).toMatchObject({
      kind: 'EventList',
      items: [{ note: 'it is done' }],
    })
  })
})

describe('what is served', () => {
  it('is told in both forms, newest version first, with tags that spare the text', async () => {
    const { body } = await server.send('GET', '/apis/work.karmada.io')
    expect(body.versions).toEqual([
      { groupVersion: 'work.karmada.io/v1alpha2', version: 'v1alpha2' },
      { groupVersion: 'work.karmada.io/v1alpha1', version: 'v1alpha1' },
    ])
    for (const version of ['v2', 'v2beta1']) {
      const Accept = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
      const told = await server.send('GET', '/apis', undefined, { Accept })
      expect(told.body.apiVersion).toBe(`apidiscovery.k8s.io/${version}`)
      const tag = { 'If-None-Match': told.headers.get('etag') ?? '' }
      expect((await server.send('GET', '/apis', undefined, { Accept, ...tag })).status).toBe(304)
    }
  })

  it('has schema documents under addresses that change with them', async () => {
    const { body } = await server.send('GET', '/openapi/v3')
    const paths = body.paths as Record<string, { serverRelativeURL: string }>
    const url = paths['apis/work.karmada.io/v1alpha2']?.serverRelativeURL ?? ''
    const document = await server.send('GET', url)
    expect(document.headers.get('cache-control')).toContain('max-age')
    const tag = { 'If-None-Match': document.headers.get('etag') ?? '' }
    expect((await server.send('GET', url, undefined, tag)).status).toBe(304)
  })
})
