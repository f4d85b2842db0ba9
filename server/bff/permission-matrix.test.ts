/**
 * Users with various rights against every view and response: the received text is compared with the lists that the API
 * server returns for them. Without a list of rules: the API server decides.
 */
import { expect, onTestFinished, test } from 'vitest'
import { namespace as namespaceKind } from '@/lib/kube/kinds/namespace'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { Clock } from '@/lib/std/clock'
import { seededRng } from '@/lib/std/rng'
import type { ClusterView } from '@/lib/view/model'
import type { RebalancerView } from '@/lib/view/rebalance-model'
import { systemClock } from '@/server/runtime/system-clock'
import type { Env } from '@/server/testing/start-env'
import { aBinding } from '@/lib/testing/builders'
import { call } from './testing/call'
import {
  trustingAuthenticator,
  clientOf,
  type Grant,
  grant,
  idOfWeb,
  listedBy,
  MARKERS,
  startPlaneOfTwo,
  TENANTS,
  type TenantNamespace,
  SPARE_CLUSTER,
} from './testing/plane-of-two'
import { actionsOn, QUERIES } from './testing/requests'
import { eventually, startBff } from './testing/start-bff'
import { Tap } from './testing/tap'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { idOf, KINDS_READ } from './cache/control-plane-cache'

const RED: readonly TenantNamespace[] = ['ns-red']
const BLUE: readonly TenantNamespace[] = ['ns-blue']
const READ = ['get', 'list', 'watch']
const OF_TENANTS = ['resourcebindings', 'workloadspreads', 'queues', 'events', 'propagationpolicies']
const OF_ALL = [
  'clusters',
  'clusterresourcebindings',
  'works',
  'workloadrebalancers',
  'rebalanceplans',
  'clusterpropagationpolicies',
]

/** Shapes that people really have. */
const SHAPES: Record<string, readonly Grant[]> = {
  admin: [{ resources: ['*'], verbs: ['*'] }],
  viewer: [{ resources: [...OF_TENANTS, ...OF_ALL], verbs: READ }],
  'red-tenant': [
    { resources: ['*'], verbs: ['*'], namespaces: RED },
    { resources: ['clusters'], verbs: READ },
  ],
  'blue-tenant': [{ resources: OF_TENANTS, verbs: READ, namespaces: BLUE }],
  'binding-reader': [{ resources: ['resourcebindings'], verbs: READ, namespaces: RED }],
  'spread-reader': [{ resources: ['workloadspreads', 'queues'], verbs: READ, namespaces: BLUE }],
  'cluster-viewer': [{ resources: ['clusters', 'workloadrebalancers', 'rebalanceplans'], verbs: READ }],
  'by-name': [
    { resources: ['resourcebindings'], verbs: READ, namespaces: RED, resourceNames: ['crimson-web-deployment'] },
  ],
  writer: [{ resources: ['resourcebindings'], verbs: ['get', 'patch', 'update'], namespaces: RED }],
  nobody: [],
}

/** And any others: each resource nowhere, in one namespace, in both, or everywhere. */
function inventedShapes(count: number): Record<string, readonly Grant[]> {
  const rng = seededRng(20261121)
  const places: (readonly TenantNamespace[] | undefined | 'nowhere')[] = [
    'nowhere',
    'nowhere',
    RED,
    BLUE,
    [...RED, ...BLUE],
    undefined,
  ]
  const shape = (): Grant[] =>
    [...OF_TENANTS, ...OF_ALL].flatMap((resource) => {
      const place = places[rng.below(places.length)]
      return place === 'nowhere' ? [] : [{ resources: [resource], verbs: READ, ...(place && { namespaces: place }) }]
    })
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`invented-${index}`, shape()]))
}

const WORKLOADS = (Object.keys(TENANTS) as TenantNamespace[]).map(idOfWeb)
const QUEUES = Object.entries(TENANTS).map(([namespace, word]) => `${namespace}/${word}-queue`)
const COLLECTIONS = [
  'clusters',
  'workloads',
  'rebalancers',
  'plans',
  'policies',
  'spreads',
  'queues',
  'failover',
  'failover-now',
  'failover-history',
  'summary',
  'activity',
]
const REBALANCER_PAGE = 'rebalancer/shared-rebalancer'
const PLAN_PAGE = 'plan/shared-plan'
const TOPICS = [
  ...COLLECTIONS,
  ...WORKLOADS.map((id) => `workload/${id}`),
  ...QUEUES.map((id) => `queue/${id}`),
  REBALANCER_PAGE,
  PLAN_PAGE,
]

const namesIn = (text: string): string[] => MARKERS.filter((marker) => text.includes(marker))

/** Names that a user may read, anywhere in the lists of the API server. */
const allowedNames = (objects: readonly KubeObject[]): Set<string> => new Set(namesIn(JSON.stringify(objects)))

async function startMatrix(env: Env, clock: Clock = systemClock) {
  const authenticator = trustingAuthenticator(env)
  const { url, bff } = await startBff({ client: env.client, informers: env.informers, clock, authenticator })
  const tap = (user: string, topics: readonly string[]): Tap => {
    const created = new Tap(url, { 'x-test-user': user }, topics)
    onTestFinished(() => created.close())
    return created
  }
  return { url, authenticator, tap, topics: bff.topics }
}

/** Ids of the collections that stand for one object each. */
function idsOf(objects: readonly KubeObject[]): Record<string, string[]> {
  const of = (...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind))
  const key = ({ metadata: { namespace, name } }: KubeObject): string =>
    namespace === undefined ? name : `${namespace}/${name}`
  return {
    clusters: of('Cluster').map(key).sort(),
    rebalancers: of('WorkloadRebalancer').map(key).sort(),
    plans: of('RebalancePlan').map(key).sort(),
    spreads: of('WorkloadSpread').map(key).sort(),
    policies: of('PropagationPolicy', 'ClusterPropagationPolicy').map(key).sort(),
    queues: of('Queue').map(key).sort(),
    workloads: of('ResourceBinding', 'ClusterResourceBinding')
      .map((binding) => idOf(binding as Parameters<typeof idOf>[0]))
      .sort(),
  }
}

test('every user is shown exactly what the API server lists for them, in every frame and every body', async () => {
  const env = await startPlaneOfTwo()
  const { url, tap } = await startMatrix(env)
  for (const [user, grants] of Object.entries({ ...SHAPES, ...inventedShapes(8) })) {
    await grant(env, user, grants)
    const listed = await listedBy(env, user)
    const allowed = allowedNames(listed)
    const stream = tap(user, TOPICS)
    await eventually(() =>
      expect([user, stream.unsettled, [...stream.errors, ...stream.goodbyes]]).toEqual([user, [], []]),
    )

    const expected = idsOf(listed)
    for (const [topic, ids] of Object.entries(expected))
      expect([user, topic, stream.ids(topic)]).toEqual([user, topic, ids])
    const askedFor = (text: string): boolean => text.startsWith('["refused"')
    for (const text of stream.texts.filter((each) => !askedFor(each))) {
      expect(
        namesIn(text).filter((name) => !allowed.has(name)),
        `${user} was sent ${text.slice(0, 300)}`,
      ).toEqual([])
    }
    const bodies = await checkBodies({ url, user, allowed })
    // A user who may list everything sees every name, so the others lack them because of their rights.
    if (user === 'admin')
      expect(MARKERS.filter((name) => !namesIn(stream.texts.join('') + bodies).includes(name))).toEqual([])
    stream.close()
  }
}, 120_000)

test('a preview names permitted clusters: without the right to list them, own ones without capacity', async () => {
  const env = await startPlaneOfTwo()
  const { url } = await startMatrix(env)
  const preview = async (user: string) =>
    (
      await call(`${url}/api/v1/rebalance-previews`, {
        headers: { 'x-test-user': user },
        body: { targets: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'ns-red', name: 'crimson-web' }] },
      })
    ).json as RebalancePlanView
  await grant(env, 'binding-reader', SHAPES['binding-reader'] ?? [])
  await grant(env, 'viewer', SHAPES.viewer ?? [])
  const value = { spec: { placement: { clusterAffinity: { clusterNames: [SPARE_CLUSTER] }, replicaScheduling: null } } }
  const ref = { namespace: 'ns-red', name: 'crimson-web-deployment' }
  await env.client.patch(resourceBinding, ref, { type: 'merge', value })
  const apiEnablements = [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }]
  await env.client.patch(
    cluster,
    { name: SPARE_CLUSTER },
    { type: 'merge', value: { status: { apiEnablements } } },
    { subresource: 'status' },
  )
  const whole = await eventually(async () => {
    const view = await preview('viewer')
    expect(JSON.stringify(view)).toContain(SPARE_CLUSTER)
    return view
  })
  const narrow = await preview('binding-reader')
  expect(JSON.stringify(narrow)).not.toContain(SPARE_CLUSTER)
  expect(narrow).toMatchObject({
    base: whole.base,
    headroom: [],
    totals: { replicasMoved: whole.totals.replicasMoved },
  })
  expect([whole.load?.clusters.map(({ cluster: name }) => name).includes(SPARE_CLUSTER), narrow.load]).toEqual([
    true,
    undefined,
  ])
})

test('every operation and every topic that there is has its lines in this test', async () => {
  const env = await startPlaneOfTwo()
  const { url, topics } = await startMatrix(env)
  const { paths } = (await call(`${url}/api/v1/openapi.json`, { headers: { 'x-test-user': 'nobody' } })).json as {
    paths: Record<string, object>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const bases = { rebalance: '', evict: '', drain: '' }
  expect(Object.keys({ ...QUERIES, ...actionsOn('ns-red', bases) }).sort()).toEqual(operations.sort())
  expect([...new Set(TOPICS.map((topic) => topic.split('/')[0]))].sort()).toEqual([...topics].sort())
})

async function checkBodies({
  url,
  user,
  allowed,
}: {
  url: string
  user: string
  allowed: ReadonlySet<string>
}): Promise<string> {
  const bodies: string[] = []
  const requests = Object.entries(QUERIES).flatMap(([operation, lines]) =>
    lines.map((line) => ({ ...line, method: operation.split(' ')[0]! })),
  )
  for (const { method, path, body } of requests) {
    const headers = { 'x-test-user': user }
    const answer = await call(`${url}/api/v1/${path}`, { method, headers, ...(body !== undefined && { body }) })
    bodies.push(answer.text)
    const asked = new Set(namesIn(decodeURIComponent(path) + JSON.stringify(body ?? '')))
    const foreign = namesIn(answer.text).filter((name) => !allowed.has(name) && !asked.has(name))
    expect(foreign, `${user} ${method} ${path}: ${answer.text.slice(0, 300)}`).toEqual([])
  }
  return bodies.join('')
}

test('an object that may not be viewed is refused with the text for a missing one', async () => {
  const env = await startPlaneOfTwo()
  const { url, tap } = await startMatrix(env)
  await grant(env, 'red-tenant', SHAPES['red-tenant'] ?? [])
  const nothing = 'workload/apps~v1/Deployment/ns-blue/nothing'
  const stream = tap('red-tenant', [
    `workload/${idOfWeb('ns-blue')}`,
    nothing,
    'queue/ns-blue/azure-queue',
    'queue/ns-blue/nothing',
    REBALANCER_PAGE,
    'rebalancer/nothing',
    PLAN_PAGE,
    'plan/nothing',
  ])
  await eventually(() => expect(stream.refused.size).toBe(8))
  expect(stream.refused.get(`workload/${idOfWeb('ns-blue')}`)).toBe(stream.refused.get(nothing))
  expect(stream.refused.get('queue/ns-blue/azure-queue')).toBe(stream.refused.get('queue/ns-blue/nothing'))
  expect(stream.refused.get(REBALANCER_PAGE)).toBe(stream.refused.get('rebalancer/nothing'))
  expect(stream.refused.get(PLAN_PAGE)).toBe(stream.refused.get('plan/nothing'))
  const ask = async (name: string) => {
    const { status, text } = await call(`${url}/api/v1/workloads/apps~v1/Deployment/ns-blue/${name}`, {
      headers: { 'x-test-user': 'red-tenant' },
    })
    return [status, text.replaceAll(name, 'NAME').replace(/urn:request:[^"]+/, '')]
  }
  expect(await ask('azure-web')).toEqual(await ask('nothing'))
})

test('a refusal does not contain the name of a binding that may not be viewed', async () => {
  const env = await startPlaneOfTwo()
  const { url } = await startMatrix(env)
  for (const user of ['admin', 'red-tenant']) await grant(env, user, SHAPES[user] ?? [])
  await env.create(resourceBinding, aBinding('odd', { namespace: 'ns-blue', metadata: { name: 'azure-hidden' } }))
  const evict = async (user: string) => {
    const order = {
      action: 'evict',
      workload: 'apps~v1/Deployment/ns-blue/odd',
      cluster: 'member-amber',
      purgeMode: 'Never',
    }
    return call(`${url}/api/v1/failover-actions`, { body: { order, base: 'x' }, headers: { 'x-test-user': user } })
  }
  await eventually(async () =>
    expect((await call(`${url}/api/v1/workloads`, { headers: { 'x-test-user': 'admin' } })).text).toContain(
      'azure-hidden',
    ),
  )
  const { status, text } = await evict('red-tenant')
  expect([status, text]).toEqual([403, expect.stringContaining('odd-deployment')])
  expect(text).not.toContain('azure-hidden')
})

test('counts leave out what belongs to others', async () => {
  const env = await startPlaneOfTwo()
  const { tap } = await startMatrix(env)
  for (const user of ['admin', 'red-tenant', 'cluster-viewer']) await grant(env, user, SHAPES[user] ?? [])
  const loads = ['admin', 'red-tenant', 'cluster-viewer'].map((user) =>
    tap(user, ['clusters', 'failover', 'failover-now', 'summary']),
  )
  await eventually(() => expect(loads.flatMap(({ unsettled }) => unsettled)).toEqual([]))
  const counts = loads.map((stream) => {
    const { workloads, replicas } = stream.entity<ClusterView>('clusters', 'member-amber') ?? {}
    return {
      workloads,
      replicas: replicas?.desired,
      failovers: stream.ids('failover').filter((id) => !id.startsWith('cluster')).length,
    }
  })
  expect(counts).toEqual([
    { workloads: 3, replicas: 4, failovers: 2 },
    { workloads: 1, replicas: 2, failovers: 1 },
    { workloads: 0, replicas: 0, failovers: 0 },
  ])
  const summaries = loads.map((stream) =>
    Object.values(stream.entity<{ workloads: Record<string, number> }>('summary', 'now')?.workloads ?? {}).reduce(
      (sum, count) => sum + count,
      0,
    ),
  )
  expect(summaries).toEqual([5, 2, 0])
})

test('a user of a recreated namespace sees nothing of the former one', async () => {
  const env = await startPlaneOfTwo()
  await env.advance(2_000)
  const { url, tap } = await startMatrix(env, env.clock)
  for (const user of ['admin', 'blue-tenant']) await grant(env, user, SHAPES[user] ?? [])
  const ask = async (user: string, path: string) =>
    (await call(`${url}/api/v1/${path}`, { headers: { 'x-test-user': user } })).text
  const hold = { method: 'POST', body: { reason: 'of the former tenant' }, headers: { 'x-test-user': 'admin' } }
  await env.eventually(async () =>
    expect((await call(`${url}/api/v1/queues/ns-blue/azure-queue/hold`, hold)).status).toBe(200),
  )
  await env.eventually(async () =>
    expect([await ask('blue-tenant', 'journal'), await ask('blue-tenant', 'activity')]).toEqual([
      expect.stringContaining('azure-web'),
      expect.stringContaining('of the former tenant'),
    ]),
  )
  await env.client.delete(namespaceKind, { name: 'ns-blue' })
  await env.advance(5_000)
  // No controller runs here that would remove the finalizers.
  for (const kind of KINDS_READ.filter(({ scope }) => scope === 'Namespaced')) {
    for (const {
      metadata: { name },
    } of (await env.client.list(kind, { namespace: 'ns-blue' })).items) {
      await env.client.patch(
        kind,
        { namespace: 'ns-blue', name },
        { type: 'merge', value: { metadata: { finalizers: null } } },
      )
    }
  }
  await env.eventually(() => env.createNamespace('ns-blue'))
  await env.advance(2_000)
  await grant(env, 'late-tenant', SHAPES['blue-tenant'] ?? [])
  const stream = tap('late-tenant', ['activity', 'failover-history', 'workloads'])
  await env.eventually(() => expect(stream.unsettled).toEqual([]))
  const told = [
    await ask('late-tenant', 'journal'),
    await ask('late-tenant', 'activity'),
    await ask('late-tenant', 'failovers/history'),
  ]
  expect(namesIn([...told, ...stream.texts].join('')).filter((name) => name.startsWith('azure'))).toEqual([])
  expect(told.join('')).not.toContain('of the former tenant')
  expect(await ask('admin', 'journal')).toContain('azure-web')
})

test('only the author of a change and users who may list the object see what changed in it', async () => {
  const env = await startPlaneOfTwo()
  const { url, tap } = await startMatrix(env)
  for (const user of ['admin', 'viewer']) await grant(env, user, SHAPES[user] ?? [])
  await grant(env, 'event-reader', [{ resources: ['events'], verbs: READ }])
  const [reader, viewer] = [tap('event-reader', ['activity']), tap('viewer', ['activity'])]
  await eventually(() => expect([...reader.unsettled, ...viewer.unsettled]).toEqual([]))
  const hold = { method: 'POST', body: { reason: 'the azure audit' }, headers: { 'x-test-user': 'admin' } }
  expect((await call(`${url}/api/v1/queues/ns-blue/azure-queue/hold`, hold)).status).toBe(200)
  await eventually(() => expect([reader.ids('activity').length, viewer.ids('activity').length]).toEqual([1, 1]))
  const activity = async (user: string) =>
    (await call(`${url}/api/v1/activity`, { headers: { 'x-test-user': user } })).text
  expect(viewer.texts.join('') + (await activity('viewer'))).toContain('the azure audit')
  expect(await activity('admin')).toContain('the azure audit')
  expect(reader.texts.join('') + (await activity('event-reader'))).not.toContain('the azure audit')
  expect(await activity('event-reader')).toContain('"changes":[{"path":"","withheld":true}]')
})

test('without the right to list Works a rebalance shows the content of the binding', async () => {
  const env = await startPlaneOfTwo()
  const { tap } = await startMatrix(env)
  const targets = ['resourcebindings', 'workloadrebalancers', 'clusters']
  await grant(env, 'jane', [{ resources: targets, verbs: READ }])
  await grant(env, 'joe', [{ resources: [...targets, 'works'], verbs: READ }])
  const binding = { namespace: 'ns-red', name: 'crimson-web-deployment' }
  const moved = { clusters: [{ name: 'member-jade', replicas: 3 }], rescheduleTriggeredAt: '2026-11-21T10:00:00Z' }
  await env.client.patch(resourceBinding, binding, { type: 'merge', value: { spec: moved } })
  const {
    metadata: { generation },
  } = await env.client.get(resourceBinding, binding)
  const aggregatedStatus = [
    { clusterName: 'member-jade', applied: true, health: 'Healthy', status: { replicas: 3, readyReplicas: 3 } },
  ]
  await env.client.patch(
    resourceBinding,
    binding,
    {
      type: 'merge',
      value: {
        status: {
          schedulerObservedGeneration: generation,
          lastScheduledTime: '2026-11-21T10:00:09Z',
          aggregatedStatus,
        },
      },
    },
    { subresource: 'status' },
  )
  const [jane, joe] = [tap('jane', [REBALANCER_PAGE]), tap('joe', [REBALANCER_PAGE])]
  await eventually(() => expect([...jane.unsettled, ...joe.unsettled]).toEqual([]))
  const told = (stream: Tap) =>
    stream
      .entity<RebalancerView>(REBALANCER_PAGE, 'shared-rebalancer')
      ?.targets.find(({ id }) => id.includes('crimson'))?.state
  // Only a Work has the old replica in the other cluster.
  await eventually(() =>
    expect([told(joe)?.reason, told(jane)?.reason]).toEqual([
      message('rebalance.progress.OldReplicas', { clusters: ['member-amber'] }),
      message('rebalance.progress.NotFullyApplied'),
    ]),
  )
})

test('a user who loses a RoleBinding loses its objects, receives nothing more of them, and gets them back', async () => {
  const env = await startPlaneOfTwo()
  const { tap } = await startMatrix(env)
  await grant(env, 'jane', [
    { resources: OF_TENANTS, verbs: READ, namespaces: RED },
    { resources: OF_TENANTS, verbs: READ, namespaces: BLUE },
  ])
  const page = `workload/${idOfWeb('ns-red')}`
  const stream = tap('jane', ['workloads', 'spreads', page])
  await eventually(() => expect(stream.unsettled).toEqual([]))
  expect(stream.ids('workloads')).toHaveLength(4)

  const taken = await clientOf(env, 'admin')
    .as({ user: 'root', groups: ['system:masters'] })
    .get(roleBinding, { namespace: 'ns-red', name: 'jane-0' })
  await env.client.delete(roleBinding, { namespace: 'ns-red', name: 'jane-0' })
  await eventually(() => expect(stream.ids('workloads').every((id) => id.includes('ns-blue'))).toBe(true))
  await eventually(() => expect(stream.refused.has(page)).toBe(true))
  expect([stream.ids('workloads').length, stream.ids('spreads'), stream.ids(page)]).toEqual([
    2,
    ['ns-blue/azure-spread'],
    [],
  ])

  const told = stream.texts.length
  const change = (namespace: string, name: string) =>
    env.client.patch(resourceBinding, { namespace, name }, { type: 'merge', value: { spec: { replicas: 9 } } })
  await change('ns-red', 'crimson-web-deployment')
  await change('ns-blue', 'azure-web-deployment')
  await eventually(() => expect(stream.texts.slice(told).join('')).toContain('azure-web'))
  expect(stream.texts.slice(told).filter((text) => text.includes('crimson'))).toEqual([])

  const { uid: _uid, resourceVersion: _version, ...metadata } = taken.metadata
  await env.client.create(roleBinding, { ...taken, metadata })
  await eventually(() => expect(stream.ids('workloads')).toHaveLength(4))
  await eventually(() => expect(stream.entity<{ desired: number }>(page, idOfWeb('ns-red'))?.desired).toBe(9))
})

test('a user without rights gets that reason for each topic, and sees a new grant automatically', async () => {
  const env = await startPlaneOfTwo()
  const { tap } = await startMatrix(env)
  const stream = tap('nobody', COLLECTIONS)
  await eventually(() => expect(stream.refused.size).toBe(COLLECTIONS.length))
  for (const message of stream.refused.values())
    expect(message).toMatch(/^You may not list [a-z.]+\. Ask your administrator/)
  await grant(env, 'nobody', SHAPES['binding-reader'] ?? [])
  await eventually(() => expect(stream.ids('workloads')).toHaveLength(2))
})

test('a session that ends closes its sockets with the reason, and those of no other session', async () => {
  const env = await startPlaneOfTwo()
  const { tap, authenticator } = await startMatrix(env)
  const [jane, joe] = [tap('jane', ['workloads']), tap('joe', ['workloads'])]
  await eventually(() => expect([...jane.unsettled, ...joe.unsettled]).toEqual([]))
  authenticator.end({ sessionId: 'session-jane', why: 'expired', message: 'Your session has ended; log in again.' })
  await eventually(() => expect(jane.socket.connected).toBe(false))
  expect(jane.goodbyes).toEqual([{ reason: 'expired', message: 'Your session has ended; log in again.', final: true }])
  expect([joe.socket.connected, joe.goodbyes]).toEqual([true, []])
})
