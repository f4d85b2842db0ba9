import { message } from '@/lib/messages/message'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { POLICY_NAME_ANNOTATION, POLICY_NAMESPACE_ANNOTATION } from '@/lib/kube/names'
import { SIM_NODES, SIM_STATE } from '@/lib/kube/simulation'
import { aBinding, aPolicy } from '@/lib/testing/builders'
import type { ActivityView } from '@/lib/view/activity-model'
import type { LossesView } from '@/lib/view/rebalance-model'
import type { FailoverPlanView } from '@/lib/view/failover-model'
import { startEnv } from '@/server/testing/start-env'
import { openAuditLog } from '../audit/audit-log'
import { noSink } from '../audit/audit-sink'
import type { Authenticator } from '../auth/authenticator'
import { createLogger } from '@/server/telemetry/logger'
import { call, type CallOptions } from '../testing/call'
import { eventually, startBff } from '../testing/start-bff'
import type { ApiDeps } from './api-deps'
import { apiEndpoints } from './endpoints'

const rbac = 'rbac.authorization.k8s.io'
const RED = 'apps~v1/Deployment/red/web'
const BLUE = 'apps~v1/Deployment/blue/secretive'
const ref = (namespace: string, name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name })
const dynamic = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
} as const

/** A fleet of two tenants. `rita` works in red, `anna` may do everything, `noel` nothing. */
async function startFleet() {
  const env = await startEnv()
  onTestFinished(() => env.close())
  for (const name of ['red', 'blue']) await env.createNamespace(name)
  for (const name of ['m1', 'm2']) await env.createCluster(name)
  for (const [namespace, name] of [
    ['red', 'web'],
    ['blue', 'secretive'],
  ] as const) {
    await env.create(
      resourceBinding,
      aBinding(name, {
        namespace,
        replicas: 4,
        placement: dynamic,
        clusters: [{ name: 'm1', replicas: 4 }],
        status: { lastScheduledTime: '2025-12-31T00:00:00Z', schedulerObservedGeneration: 1 },
      }),
    )
  }
  await grant(env)
  // What was done in the first second of a namespace may have been done in an earlier one of its name.
  await env.advance(1_000)
  const { client, informers, clock } = env
  const authenticator: Authenticator = {
    authenticate: ({ headers }) => {
      const user = String(headers['x-user'] ?? 'anna')
      return Promise.resolve({
        identity: { user, groups: [] },
        key: user,
        via: 'bearer',
        client: client.as({ user, groups: ['system:authenticated'] }),
      })
    },
    onEnded: () => () => undefined,
    addressOf: () => '',
    readOnly: false,
    close: () => undefined,
  }
  const audit = await openAuditLog({
    sink: noSink(),
    clock,
    random: () => 0.5,
    log: createLogger({ level: 'silent' }),
    events: env.events,
  })
  const about = { mode: 'embedded' as const, server: env.url, reconcilers: () => [] }
  const bff = await startBff({ client, informers, clock, about, authenticator, audit })
  await eventually(async () => expect((await call(`${bff.url}/readyz`)).status).toBe(200))
  const as =
    (user: string) =>
    (path: string, options: CallOptions = {}) =>
      call(`${bff.url}/api/v1/${path}`, { ...options, headers: { 'x-user': user, ...options.headers } })
  const follow = (user: string) => bff.read('activity', { headers: { 'x-user': user } })
  return { env, url: bff.url, follow, anna: as('anna'), rita: as('rita'), noel: as('noel') }
}

async function grant(env: Awaited<ReturnType<typeof startEnv>>): Promise<void> {
  const role = (name: string, rules: object[]) =>
    env.create(clusterRole, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules } as never)
  const roleRef = (name: string) => ({ apiGroup: rbac, kind: 'ClusterRole', name })
  const user = (name: string) => [{ apiGroup: rbac, kind: 'User', name }]
  await role('tenant', [
    { apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['get', 'list', 'patch'] },
    { apiGroups: [''], resources: ['events'], verbs: ['list'] },
    { apiGroups: ['evenkeel.io', 'apps.evenkeel.io'], resources: ['*'], verbs: ['list'] },
  ])
  await role('sees-clusters', [{ apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['get', 'list'] }])
  await env.create(roleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'rita', namespace: 'red' },
    roleRef: roleRef('tenant'),
    subjects: user('rita'),
  })
  for (const [name, of] of [
    ['rita', 'sees-clusters'],
    ['anna', 'cluster-admin'],
  ] as const) {
    await env.create(clusterRoleBinding, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-${of}` },
      roleRef: roleRef(of),
      subjects: user(name),
    })
  }
}

const evict = (workload: string) => ({ action: 'evict', workload, cluster: 'm1', purgeMode: 'Gracefully' })

/** Every question that takes no more than a path. */
const QUESTIONS = [
  'clusters',
  'clusters/m1',
  'workloads',
  'workloads?cluster=m1',
  'workloads?namespace=blue',
  `workloads/${RED}`,
  `workloads/${BLUE}`,
  'spreads',
  'rebalancers',
  'rebalance-plans',
  'failovers',
  'failovers/summary',
  'failovers/history',
  'clusters/m1/blockers',
  'journal',
  'failbacks',
  'what-ifs/survey',
  'what-ifs/losses',
  'about',
  'activity',
  'snapshots/workloads',
]

describe('the API', () => {
  test('creates plans with the requested name, once, and refuses invalid names', async () => {
    const { anna } = await startFleet()
    const rollout = {
      waveSize: 1,
      soakSeconds: 0,
      minReady: '100%',
      makeBeforeBreak: true,
      onRegression: 'Hold',
      allowFewerReplicas: false,
    }
    const make = (name: string) =>
      anna('rebalance-plans', { body: { selection: { namespaces: ['red'] }, rollout, name } })
    expect(await make('after-the-outage')).toMatchObject({ status: 201, json: { name: 'after-the-outage' } })
    expect(await make('after-the-outage')).toMatchObject({
      status: 409,
      json: { reason: 'AlreadyExists', field: 'name' },
    })
    for (const name of ['', 'Upper', '-x', 'a_b', 'a..b', 'x'.repeat(254)]) {
      expect(await make(name), name).toMatchObject({ status: 400, json: { reason: 'Invalid', field: 'name' } })
    }
    const targets = [ref('red', 'web')]
    const { base } = (await anna('rebalance-previews', { body: { targets } })).json as { base: string }
    expect(await anna('rebalancers', { body: { targets, base, name: 'at-once' } })).toMatchObject({
      status: 201,
      json: { name: 'at-once' },
    })
  })

  test('gives each reader the first snapshot of a collection, and leaves to the stream what a snapshot cannot tell', async () => {
    const { anna, rita, noel } = await startFleet()
    const idsOf = ({ json }: Awaited<ReturnType<typeof anna>>): string[] =>
      (json as { entities: { id: string }[] }).entities.map(({ id }) => id)
    const whole = await anna('snapshots/workloads')
    expect(whole).toMatchObject({ status: 200, json: { type: 'snapshot', topic: 'workloads' } })
    expect(idsOf(whole).toSorted()).toEqual([BLUE, RED])
    expect(idsOf(await rita('snapshots/workloads'))).toEqual([RED])
    expect(idsOf(await rita('snapshots/clusters'))).toEqual(['m1', 'm2'])
    for (const topic of ['workloads', 'clusters'])
      expect(await noel(`snapshots/${topic}`)).toMatchObject({ status: 204, text: '' })
    expect(await anna('snapshots/nothing')).toMatchObject({ status: 404, json: { reason: 'NotFound' } })
    expect((await anna(`snapshots/${encodeURIComponent(`workload/${RED}`)}`)).status).toBe(404)
  })

  test('compresses a large snapshot for readers that take it so', async () => {
    const { anna, env, url } = await startFleet()
    const small = await anna('snapshots/workloads', { headers: { 'accept-encoding': 'deflate' } })
    expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined])
    for (let at = 0; at < 12; at += 1)
      await env.create(resourceBinding, aBinding(`web-${at}`, { namespace: 'red', replicas: 1, clusters: [] }))
    await eventually(async () => {
      const { json } = await anna('snapshots/workloads')
      expect((json as { entities: unknown[] }).entities).toHaveLength(14)
    })
    const answer = await fetch(`${url}/api/v1/snapshots/workloads`, { headers: { 'x-user': 'anna' } })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'deflate'])
    expect(((await answer.json()) as { entities: unknown[] }).entities).toHaveLength(14)
  })

  test('takes simulated members down and brings them back, and leaves others alone', async () => {
    const { anna, rita, env } = await startFleet()
    await env.client.patch(
      clusterKind,
      { name: 'm1' },
      { type: 'merge', value: { metadata: { annotations: { [SIM_NODES]: '3' } } } },
    )
    const shape = (who: typeof anna, name: string, state: string) =>
      who(`clusters/${name}/simulation`, { body: { state } })
    const stateOf = async () => (await env.client.get(clusterKind, { name: 'm1' })).metadata.annotations?.[SIM_STATE]
    expect(await shape(anna, 'm1', 'down')).toMatchObject({ status: 200, json: { name: 'm1' } })
    expect(await stateOf()).toBe('down')
    expect(await shape(rita, 'm1', 'up')).toMatchObject({ status: 403 })
    expect(await shape(anna, 'm1', 'up')).toMatchObject({ status: 200 })
    expect(await stateOf()).toBe('up')
    expect(await shape(anna, 'm1', 'sideways')).toMatchObject({ status: 400 })
    expect(await shape(anna, 'm2', 'down')).toMatchObject({ status: 409, json: { reason: 'NothingToDo' } })
    expect(await shape(anna, 'm9', 'down')).toMatchObject({ status: 404 })
  })

  test('answers what its document says: every answer fits its schema', async () => {
    const { anna, env } = await startFleet()
    await env.create(workloadRebalancer, {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'r1' },
      spec: { workloads: [ref('red', 'web')] },
    })
    await env.create(rebalancePlan, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'RebalancePlan',
      metadata: { name: 'p1' },
      spec: { selection: { kinds: ['Deployment'] } },
    })
    await anna('failover-actions', {
      body: {
        order: evict(RED),
        base: ((await anna('failover-previews', { body: evict(RED) })).json as FailoverPlanView).base,
      },
    })
    await eventually(async () => expect((await anna('rebalance-plans/p1')).status).toBe(200))
    const asked = new Map<string, unknown>()
    for (const path of [...QUESTIONS, 'rebalancers/r1', 'rebalance-plans/p1', 'rebalance-plans/p1/load']) {
      asked.set(`GET /api/v1/${path.split('?')[0]}`, (await anna(path)).json)
    }
    const post = async (path: string, body: object) =>
      asked.set(`POST /api/v1/${path}`, (await anna(path, { body })).json)
    await post('rebalance-previews', { targets: [ref('red', 'web')] })
    await post('what-ifs', { cluster: 'm1', cause: 'fails' })
    await post('failover-previews', evict(BLUE))
    await post('access', { questions: [{ verb: 'get', group: '', resource: 'pods', namespace: 'red' }] })
    for (const { method, path, response } of apiEndpoints({ views: {} } as ApiDeps)) {
      const fits = [...asked].filter(([name]) =>
        new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(name),
      )
      for (const [name, json] of fits) {
        const outcome = response.safeParse(json)
        expect([name, outcome.success ? [] : z.flattenError(outcome.error)]).toEqual([name, []])
        asked.delete(name)
      }
    }
    expect([...asked.keys()]).toEqual([])
  })

  test('never names objects of another tenant, for any request', async () => {
    const { rita, anna } = await startFleet()
    await anna('failover-actions', {
      body: {
        order: evict(BLUE),
        base: ((await anna('failover-previews', { body: evict(BLUE) })).json as FailoverPlanView).base,
      },
    })
    await eventually(async () => expect((await anna('failovers')).text).toContain('secretive'))
    expect((await anna('workloads')).text).toContain('secretive')
    expect((await rita('workloads')).text).toContain('red/web')
    for (const path of QUESTIONS) {
      const { text } = await rita(path)
      // The response may repeat the requested name only.
      expect([path, text.replaceAll(BLUE, '').includes('secretive')]).toEqual([path, false])
    }
    const posts = [
      ['what-ifs', { cluster: 'm1', cause: 'fails' }],
      ['rebalance-previews', { targets: [ref('red', 'web')] }],
    ] as const
    for (const [path, body] of posts) {
      expect([path, (await rita(path, { body })).text.includes('secretive')]).toEqual([path, false])
    }
    expect((await rita('what-ifs', { body: { cluster: 'm1', cause: 'fails' } })).json).toMatchObject({
      targets: [{ id: RED }],
      counts: { moves: 1 },
    })
  })

  test('simulates the losses of clusters, and counts what each user may see', async () => {
    const { rita, anna } = await startFleet()
    const inM1 = async (ask: typeof anna) =>
      ((await ask('what-ifs/losses')).json as LossesView).cluster.each.find(({ clusters }) => clusters[0] === 'm1')
    expect(await inM1(anna)).toMatchObject({ workloads: 2, moved: 2, needed: 8, placed: 8 })
    expect(await inM1(rita)).toMatchObject({ workloads: 1, moved: 1, needed: 4, placed: 4 })
    expect((await anna('what-ifs/losses')).json).toMatchObject({ pairs: { losses: 1, survived: 0, losing: [2] } })
    expect(await rita('what-ifs/losses/m2,m1')).toMatchObject({
      status: 200,
      json: { losing: 1, down: 1, needed: 4, placed: 0, names: ['web'] },
    })
    expect(await anna('what-ifs/losses/m1,none')).toMatchObject({ status: 404, json: { reason: 'NotFound' } })
    const both = await anna('what-ifs', { body: { cluster: 'm1', others: ['m2'], cause: 'fails' } })
    expect(both.json).toMatchObject({ others: ['m2'], counts: { stuck: 2 } })
    const none = await anna('what-ifs', { body: { cluster: 'm1', others: ['none'], cause: 'fails' } })
    expect(none).toMatchObject({ status: 404, json: { field: 'others' } })
  })

  test('assumes new clusters, and refuses names that are taken or unknown', async () => {
    const { anna, rita } = await startFleet()
    const ask = (body: object, who = anna) =>
      who('what-ifs', { body: { cluster: 'm1', others: ['m2'], cause: 'fails', ...body } })
    expect((await ask({})).json).toMatchObject({ counts: { stuck: 2 } })
    const joined = await ask({ added: [{ name: 'm9', like: 'm1' }] })
    expect(joined.json).toMatchObject({ counts: { moves: 2 } })
    expect(joined.text).toContain('m9')
    expect(await ask({ added: [{ name: 'm2', like: 'm1' }] })).toMatchObject({
      status: 409,
      json: { reason: 'AlreadyExists', field: 'added' },
    })
    expect(await ask({ added: [{ name: 'm9', like: 'none' }] })).toMatchObject({
      status: 404,
      json: { field: 'added' },
    })
    const policies = [{ policy: 'red/none', edit: 'exclude', cluster: 'm1' }]
    expect(await ask({ policies }, rita)).toMatchObject({ status: 404, json: { field: 'policies' } })
    const whole = [{ policy: 'red/none', placement: {} }]
    expect(await ask({ policies: whole }, rita)).toMatchObject({ status: 404, json: { field: 'policies' } })
  })

  test('assumes another placement of a policy, and refuses one that the API server would refuse', async () => {
    const { anna, env } = await startFleet()
    await env.create(propagationPolicy, aPolicy('red', { namespace: 'red', placement: dynamic }))
    const annotations = { [POLICY_NAMESPACE_ANNOTATION]: 'red', [POLICY_NAME_ANNOTATION]: 'red' }
    const web = { namespace: 'red', name: 'web-deployment' }
    await env.client.patch(resourceBinding, web, { type: 'merge', value: { metadata: { annotations } } })
    const ask = (placement: object) =>
      anna('what-ifs', { body: { cluster: 'm1', cause: 'fails', policies: [{ policy: 'red/red', placement }] } })
    const only = (...clusterNames: string[]) => ({ ...dynamic, clusterAffinity: { clusterNames } })
    await eventually(async () => {
      expect((await ask(only('m1', 'm2'))).json).toMatchObject({ counts: { moves: 2 } })
      expect((await ask(only('m1'))).json).toMatchObject({ counts: { moves: 1, stuck: 1 } })
      // It has left the cluster before that fails.
      expect((await ask(only('m2'))).json).toMatchObject({ counts: { moves: 1, stuck: 0 } })
    })
    for (const [placement, why] of [
      [{ clusterAffinity: { names: [] } }, /clusterAffinity\.names/],
      [{ spreadConstraints: [{ minGroups: -1, maxGroups: 1, spreadByField: 'cluster' }] }, /minGroups/],
      [{ clusterTolerations: 'all' }, /clusterTolerations/],
    ] as const)
      expect(await ask(placement)).toMatchObject({
        status: 422,
        json: { reason: 'Invalid', field: 'policies', detail: expect.stringMatching(why) as string },
      })
    expect((await env.client.get(propagationPolicy, { namespace: 'red', name: 'red' })).spec.placement).toEqual(dynamic)
  })

  test('treats objects that may not be viewed as missing', async () => {
    const { rita } = await startFleet()
    expect(await rita(`workloads/${BLUE}`)).toMatchObject({ status: 404, json: { reason: 'NotFound' } })
    expect(await rita('failover-previews', { body: evict(BLUE) })).toMatchObject({ status: 404 })
    expect(await rita('rebalance-previews', { body: { targets: [ref('blue', 'secretive')] } })).toMatchObject({
      json: { targets: [{ verdict: 'refused', before: [] }] },
    })
    expect(await rita('workloads/apps~v1/Deployment/blue/none')).toMatchObject({ status: 404 })
  })

  test('refuses a list without visible objects, instead of returning an empty one', async () => {
    const { noel, rita } = await startFleet()
    expect(await noel('workloads')).toMatchObject({
      status: 403,
      json: {
        detail:
          'You do not have permission to list resourcebindings.work.karmada.io and clusterresourcebindings.work.karmada.io in any namespace.',
      },
    })
    expect(await rita('rebalancers')).toMatchObject({ status: 403, json: { reason: 'Forbidden' } })
    expect(await noel('activity')).toMatchObject({ status: 200, json: { items: [] } })
  })

  test('acts as the user: what the API server refuses them is refused, with the right that is missing', async () => {
    const { rita, anna, env } = await startFleet()
    const base = (
      (await rita('rebalance-previews', { body: { targets: [ref('red', 'web')] } })).json as { base: string }
    ).base
    const order = { targets: [ref('red', 'web')], base }
    expect(await rita('rebalancers', { body: order })).toMatchObject({
      status: 403,
      json: { detail: expect.stringMatching(/^You may not create workloadrebalancers\.apps\.karmada\.io/) },
    })
    expect(await anna('rebalancers', { body: order })).toMatchObject({ status: 201 })
    expect((await env.client.list(workloadRebalancer)).items).toMatchObject([
      { metadata: { annotations: { 'evenkeel.io/created-by': 'anna' } } },
    ])
  })

  test('answers many questions about rights at once', async () => {
    const { rita } = await startFleet()
    const question = { verb: 'patch', group: 'work.karmada.io', resource: 'resourcebindings' }
    const { json } = await rita('access', {
      body: {
        questions: [
          { ...question, namespace: 'red' },
          { ...question, namespace: 'blue' },
        ],
      },
    })
    expect(json).toEqual({
      verdicts: [
        { allowed: true, reason: '' },
        { allowed: false, reason: expect.any(String) },
      ],
    })
  })

  test('lists in pages', async () => {
    const { anna } = await startFleet()
    const first = (await anna('workloads?limit=1')).json as {
      items: { id: string }[]
      continue: string
      remaining: number
    }
    expect(first).toMatchObject({ items: [{ id: BLUE }], remaining: 1 })
    expect((await anna(`workloads?limit=1&continue=${first.continue}`)).json).toMatchObject({
      items: [{ id: RED }],
      remaining: 0,
    })
    expect(await anna('workloads?limit=0')).toMatchObject({ status: 400, json: { field: 'limit' } })
    expect(await anna('workloads?limit=501')).toMatchObject({ status: 400, json: { field: 'limit' } })
  })
})

describe('If-Match', () => {
  const create = (env: Awaited<ReturnType<typeof startEnv>>) =>
    env.create(rebalancePlan, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'RebalancePlan',
      metadata: { name: 'p1' },
      spec: { selection: { kinds: ['Deployment'] } },
    })
  const pause = { action: 'pause' }

  test('lets an action through while the object is as it was read', async () => {
    const { env, anna } = await startFleet()
    await create(env)
    const { headers } = await eventually(async () => {
      const answer = await anna('rebalance-plans/p1')
      expect(answer.status).toBe(200)
      return answer
    })
    expect(headers.etag).toBe('"g1"')
    expect(
      await anna('rebalance-plans/p1/actions', { body: pause, headers: { 'if-match': String(headers.etag) } }),
    ).toMatchObject({ status: 200 })
    expect((await env.client.get(rebalancePlan, { name: 'p1' })).spec.paused).toBe(true)
  })

  test('refuses it afterwards, names the author of the change, and changes nothing', async () => {
    const { env, anna } = await startFleet()
    const {
      metadata: { resourceVersion },
    } = await create(env)
    await env.client.patch(
      rebalancePlan,
      { name: 'p1' },
      { type: 'merge', value: { spec: { minReady: '50%' } } },
      { fieldManager: 'kubectl-edit' },
    )
    const answer = await anna('rebalance-plans/p1/actions', {
      body: pause,
      headers: { 'if-match': `"${resourceVersion}"` },
    })
    const now = await env.client.get(rebalancePlan, { name: 'p1' })
    expect(answer).toMatchObject({
      status: 412,
      headers: { etag: '"g2"' },
      json: {
        reason: 'PreconditionFailed',
        changed: 'nothing',
        detail: expect.stringContaining('last by kubectl-edit'),
      },
    })
    expect(now.spec.paused).toBeUndefined()
  })

  test('compares the spec, not the status: a running plan is still the previewed one', async () => {
    const { env, anna } = await startFleet()
    await create(env)
    await env.client.patch(
      rebalancePlan,
      { name: 'p1' },
      { type: 'merge', value: { status: { phase: 'Running' } } },
      { subresource: 'status' },
    )
    expect(await anna('rebalance-plans/p1/actions', { body: pause, headers: { 'if-match': '"g1"' } })).toMatchObject({
      status: 200,
    })
    expect(await anna('rebalance-plans/p1/actions', { body: pause, headers: { 'if-match': '"g1"' } })).toMatchObject({
      status: 412,
    })
  })

  test('holds for an act of failover and for a plan that is discarded, too', async () => {
    const { env, anna } = await startFleet()
    const {
      metadata: { resourceVersion },
    } = await create(env)
    const stale = { headers: { 'if-match': '"g99"' } }
    const { base } = (await anna('failover-previews', { body: evict(RED) })).json as FailoverPlanView
    expect(await anna('failover-actions', { body: { order: evict(RED), base }, ...stale })).toMatchObject({
      status: 412,
    })
    expect(await anna('rebalance-plans/p1/actions', { body: { action: 'discard' }, ...stale })).toMatchObject({
      status: 412,
    })
    expect(
      await anna('rebalance-plans/p1/actions', {
        body: { action: 'discard' },
        headers: { 'if-match': `"${resourceVersion}"` },
      }),
    ).toMatchObject({ status: 200 })
    expect((await env.client.list(rebalancePlan)).items).toEqual([])
  })
})

describe('activity', () => {
  const items = (json: unknown) => (json as { items: ActivityView[] }).items

  test('records user, action and object, and emits an Event on the object', async () => {
    const { env, rita } = await startFleet()
    const { base } = (await rita('failover-previews', { body: evict(RED) })).json as FailoverPlanView
    await rita('failover-actions', {
      body: { order: evict(RED), base },
      headers: { 'x-request-id': 'request-of-rita' },
    })
    expect(items((await rita('activity')).json)).toMatchObject([
      {
        user: 'rita',
        via: 'bearer',
        endpoint: 'POST /api/v1/failover-actions',
        summary: message('failover.action.evict', { cluster: 'm1' }),
        result: 'accepted',
        status: 200,
        requestId: 'request-of-rita',
        object: { kind: 'ResourceBinding', namespace: 'red', name: 'web-deployment', uid: expect.stringMatching(/.+/) },
        changes: expect.arrayContaining([{ path: 'clusters', before: '[{"name":"m1","replicas":4}]', after: '[]' }]),
      },
    ])
    await eventually(async () =>
      expect(await env.recordedEvents()).toMatchObject([
        {
          reason: 'FailoverByUser',
          type: 'Normal',
          metadata: { namespace: 'red' },
          involvedObject: { name: 'web-deployment' },
          message: 'Evict from m1, requested by rita',
        },
      ]),
    )
  })

  test('is visible to the user who acted and to users who may list the Events of the object', async () => {
    const { rita, anna, noel } = await startFleet()
    const preview = (await anna('failover-previews', { body: evict(BLUE) })).json as FailoverPlanView
    await anna('failover-actions', { body: { order: evict(BLUE), base: preview.base } })
    await anna('failover-actions', { body: { order: evict(RED), base: 'stale' } })
    await noel('rebalance-plans/p1/actions', { body: { action: 'pause' } })
    const seen = async (who: typeof rita) =>
      items((await who('activity')).json).map(({ user, result }) => `${user} ${result}`)
    expect(await seen(anna)).toEqual(['noel refused', 'anna refused', 'anna accepted'])
    expect(await seen(rita)).toEqual(['anna refused'])
    expect(await seen(noel)).toEqual(['noel refused'])
  })

  test('is followed live by users who may list the Events of the object, and by no other user', async () => {
    const { env, rita, anna, noel, follow } = await startFleet()
    const [byRita, byAnna, byNoel] = [follow('rita'), follow('anna'), follow('noel')]
    await noel('rebalance-plans/p1/actions', { body: { action: 'pause' } })
    for (const [who, workload] of [
      [rita, RED],
      [anna, BLUE],
    ] as const) {
      const { base } = (await who('failover-previews', { body: evict(workload) })).json as FailoverPlanView
      await who('failover-actions', { body: { order: evict(workload), base } })
    }
    const seen = (reader: typeof byRita) =>
      Object.values(reader.held)
        .map((act) => (act as unknown as ActivityView).user)
        .toSorted()
    await env.eventually(() => expect(seen(byAnna)).toEqual(['anna', 'noel', 'rita']))
    await env.eventually(() => expect(seen(byRita)).toEqual(['rita']))
    expect(JSON.stringify(byRita.received)).not.toContain('secretive')
    await env.eventually(() => expect(byNoel.state.phase).toBe('refused'))
  })

  test('is found by user, object, time and result, and read in pages, the latest first', async () => {
    const { rita, anna, env } = await startFleet()
    const preview = (await rita('failover-previews', { body: evict(RED) })).json as FailoverPlanView
    await rita('failover-actions', { body: { order: evict(RED), base: preview.base } })
    env.clock.advance(60_000)
    await anna('rebalance-plans/none/actions', { body: { action: 'pause' } })
    const found = async (query: string) => items((await anna(`activity?${query}`)).json).map(({ user }) => user)
    expect(await found('user=rita')).toEqual(['rita'])
    expect(await found('result=refused')).toEqual(['anna'])
    expect(await found('object=RESOURCEBINDING/red/web')).toEqual(['rita'])
    expect(await found('since=2026-01-01T00:00:30Z')).toEqual(['anna'])
    const first = (await anna('activity?limit=1')).json as { continue: string; remaining: number }
    expect(first).toMatchObject({ items: [{ user: 'anna' }], remaining: 1 })
    expect(await found(`limit=1&continue=${first.continue}`)).toEqual(['rita'])
    expect(await anna('activity?since=yesterday')).toMatchObject({ status: 400, json: { field: 'since' } })
  })
})
