import { afterEach, describe, expect, test } from 'vitest'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { namespace as namespaceKind } from '@/lib/kube/kinds/namespace'
import { role } from '@/lib/kube/kinds/role'
import { type RbacSubject, roleBinding } from '@/lib/kube/kinds/role-binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import { createLogger } from '@/server/telemetry/logger'
import { type Env, startEnv } from '@/server/testing/start-env'
import { noBffMetrics } from '../metrics-hooks'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { AccessCache } from './access-cache'
import { BINDINGS, CLUSTERS, EVENTS, REBALANCERS, SPREADS, WORKS } from './resources'
import { EVERYTHING } from './scope'

const log = createLogger({ level: 'silent' })
const rbac = 'rbac.authorization.k8s.io'
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Two tenants, and a role that lists what a tenant has. */
async function startPlane(console = (env: Env): KubeClient => env.client) {
  const env = await startEnv()
  for (const name of ['red', 'blue']) await env.createNamespace(name)
  await env.create(clusterRole, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'viewer' },
    rules: [{ apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['get', 'list'] }],
  })
  const cache = new AccessCache({
    client: console(env),
    informers: env.informers,
    cache: new ControlPlaneCache(env.informers),
    clock: env.clock,
    random: () => 0.5,
    log,
    metrics: noBffMetrics,
  })
  ends.push(async () => {
    cache.close()
    await env.close()
  })
  /** What each user was asked about since the last look; without a namespace: everywhere. */
  const asked: { user: string; namespace: string | undefined }[] = []
  const access = (user: string, groups: string[] = []) =>
    cache.of({
      identity: { user, groups },
      key: user,
      via: 'token',
      client: noting(env.client.as({ user, groups: [...groups, 'system:authenticated'] }), (namespace) =>
        asked.push({ user, namespace }),
      ),
    })
  return { env, cache, access, asked }
}

/** The client, which records the reviews. */
function noting(client: KubeClient, note: (namespace: string | undefined) => void): KubeClient {
  const create: KubeClient['create'] = (kind, object, options) => {
    const { namespace, resourceAttributes } = (
      object as unknown as { spec: { namespace?: string; resourceAttributes?: { namespace?: string } } }
    ).spec
    note(namespace ?? resourceAttributes?.namespace)
    return client.create(kind, object, options)
  }
  return { ...client, create }
}

const bind = (env: Env, user: string, namespace: string) =>
  env.create(roleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: `${user}-views`, namespace },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'viewer' },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  })

const LISTS = [{ apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['list'] }]

const bindTo = (env: Env, subject: RbacSubject, to = { kind: 'ClusterRole', name: 'viewer' }) =>
  env.create(roleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'given', namespace: 'red' },
    roleRef: { apiGroup: rbac, ...to },
    subjects: [subject],
  })

const bindEverywhere = (env: Env, user: string, role: string) =>
  env.create(clusterRoleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: `${user}-${role}` },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  })

const red = { ...BINDINGS, namespace: 'red' }
const blue = { ...BINDINGS, namespace: 'blue' }

describe('the scope of a user', () => {
  test('contains the resources that the API server permits to list: none, a namespace, all of a kind, or all', async () => {
    const { env, access } = await startPlane()
    await bind(env, 'rita', 'red')
    await bindEverywhere(env, 'vera', 'viewer')
    await bindEverywhere(env, 'anna', 'cluster-admin')
    const [nobody, rita, vera, anna] = await Promise.all(
      ['nobody', 'rita', 'vera', 'anna'].map((user) => access(user).whenReviewed()),
    )
    const seen = (scope = EVERYTHING) => [
      scope.sees(red),
      scope.sees(blue),
      scope.seesAll(BINDINGS),
      scope.seesAny(BINDINGS),
      scope.sees(CLUSTERS),
    ]
    expect(seen(nobody)).toEqual([false, false, false, false, false])
    expect(seen(rita)).toEqual([true, false, false, true, false])
    expect(seen(vera)).toEqual([true, true, true, true, false])
    expect(seen(anna)).toEqual([true, true, true, true, true])
    expect(
      [REBALANCERS, WORKS, EVENTS, SPREADS].map((resource) => [vera?.seesAll(resource), anna?.seesAll(resource)]),
    ).toEqual(Array.from({ length: 4 }, () => [false, true]))
  })

  test('has the same key for all users with the same rights', async () => {
    const { env, access } = await startPlane()
    for (const user of ['rita', 'rosa']) await bind(env, user, 'red')
    await bind(env, 'bert', 'blue')
    const [rita, rosa, bert] = await Promise.all(['rita', 'rosa', 'bert'].map((user) => access(user).whenReviewed()))
    expect(rita?.key).toBe(rosa?.key)
    expect(rita?.key).not.toBe(bert?.key)
  })

  test('follows role bindings that come and go, and namespaces that appear', async () => {
    const { env, access } = await startPlane()
    const rita = access('rita')
    const keys: (string | undefined)[] = [(await rita.whenReviewed()).key]
    rita.onScope(({ key }) => keys.push(key))
    await bind(env, 'rita', 'red')
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await env.client.delete(roleBinding, { namespace: 'red', name: 'rita-views' })
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(false))
    expect(keys[0]).toBe(keys.at(-1))
    await env.createNamespace('new')
    await bind(env, 'rita', 'new')
    await env.eventually(() => expect(rita.scope?.sees({ ...BINDINGS, namespace: 'new' })).toBe(true))
  })

  test('is reviewed in the namespaces of the workloads where the console may list neither namespaces nor RBAC', async () => {
    const { env, access } = await startPlane(({ client }) =>
      client.as({ user: 'console', groups: ['system:authenticated'] }),
    )
    for (const user of ['rita', 'bert']) await bind(env, user, user === 'rita' ? 'red' : 'blue')
    const [rita, bert] = [access('rita'), access('bert')]
    expect([(await rita.whenReviewed()).seesAny(BINDINGS), (await bert.whenReviewed()).seesAny(BINDINGS)]).toEqual([
      false,
      false,
    ])
    await env.create(resourceBinding, aBinding('web', { namespace: 'red' }))
    await env.eventually(() => expect([rita.scope?.sees(red), bert.scope?.seesAny(BINDINGS)]).toEqual([true, false]))
  })

  test('is everything without a review for the console itself', async () => {
    const { cache, env } = await startPlane()
    const access = cache.of({ identity: { user: 'x', groups: [] }, key: 'local', via: 'local', client: env.client })
    expect([access.scope, await access.whenReviewed()]).toEqual([EVERYTHING, EVERYTHING])
  })
})

test('a question is asked once in ten seconds', async () => {
  const { env, access } = await startPlane()
  const rita = access('rita')
  const question = { ...BINDINGS, verb: 'patch', namespace: 'red', name: 'web' }
  expect(await rita.can(question)).toMatchObject({ allowed: false, reason: '' })
  expect(rita.can(question)).toBe(rita.can({ ...question }))
  await bind(env, 'rita', 'red')
  expect(await rita.can({ ...red, verb: 'list' })).toEqual({ allowed: true, reason: '' })
})

describe('changes of RBAC objects', () => {
  const group = { kind: 'Group', name: 'painters', apiGroup: rbac }

  /** Rights granted by each kind of RBAC object, and the revocation of each. */
  const ways: [way: string, give: (env: Env) => Promise<unknown>, take: (env: Env) => Promise<unknown>][] = [
    [
      'a RoleBinding of the user',
      (env) => bind(env, 'rita', 'red'),
      (env) => env.client.delete(roleBinding, { namespace: 'red', name: 'rita-views' }),
    ],
    [
      'a RoleBinding of a group',
      (env) => bindTo(env, group),
      (env) =>
        env.client.patch(roleBinding, { namespace: 'red', name: 'given' }, { type: 'merge', value: { subjects: [] } }),
    ],
    [
      'a RoleBinding of all authenticated users',
      (env) => bindTo(env, { ...group, name: 'system:authenticated' }),
      (env) => env.client.delete(roleBinding, { namespace: 'red', name: 'given' }),
    ],
    [
      'a Role whose rules change',
      async (env) => {
        await env.create(role, {
          apiVersion: `${rbac}/v1`,
          kind: 'Role',
          metadata: { name: 'own', namespace: 'red' },
          rules: [],
        })
        await bindTo(env, group, { kind: 'Role', name: 'own' })
        await env.client.patch(role, { namespace: 'red', name: 'own' }, { type: 'merge', value: { rules: LISTS } })
      },
      (env) => env.client.patch(role, { namespace: 'red', name: 'own' }, { type: 'merge', value: { rules: [] } }),
    ],
    [
      'a Role that comes after its binding',
      async (env) => {
        await bindTo(env, group, { kind: 'Role', name: 'own' })
        await env.create(role, {
          apiVersion: `${rbac}/v1`,
          kind: 'Role',
          metadata: { name: 'own', namespace: 'red' },
          rules: LISTS,
        })
      },
      (env) => env.client.delete(role, { namespace: 'red', name: 'own' }),
    ],
    [
      'a ClusterRole that gathers the rules of others',
      async (env) => {
        await env.create(clusterRole, {
          apiVersion: `${rbac}/v1`,
          kind: 'ClusterRole',
          metadata: { name: 'gathered' },
          rules: [],
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
        })
        await bindTo(env, group, { kind: 'ClusterRole', name: 'gathered' })
        await env.create(clusterRole, {
          apiVersion: `${rbac}/v1`,
          kind: 'ClusterRole',
          metadata: { name: 'part', labels: { part: 'yes' } },
          rules: LISTS,
        })
      },
      (env) => env.client.delete(clusterRole, { name: 'part' }),
    ],
    [
      'a ClusterRoleBinding of a group',
      (env) =>
        env.create(clusterRoleBinding, {
          apiVersion: `${rbac}/v1`,
          kind: 'ClusterRoleBinding',
          metadata: { name: 'given' },
          roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'viewer' },
          subjects: [group],
        }),
      (env) => env.client.delete(clusterRoleBinding, { name: 'given' }),
    ],
  ]
  test.each(ways)('of %s are followed both ways', async (_, give, take) => {
    const { env, access } = await startPlane()
    const rita = access('rita', ['painters'])
    expect((await rita.whenReviewed()).sees(red)).toBe(false)
    await give(env)
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await take(env)
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(false))
  })

  test('of other users cause no review of this user', async () => {
    const { env, access, asked } = await startPlane()
    const [rita, bert] = [access('rita'), access('bert')]
    await bind(env, 'rita', 'red')
    await Promise.all([rita.whenReviewed(), bert.whenReviewed()])
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await env.advance(2_000)
    asked.length = 0
    await bind(env, 'bert', 'blue')
    await env.eventually(() => expect(bert.scope?.sees(blue)).toBe(true))
    expect(new Set(asked.map(({ user, namespace }) => `${user} ${namespace}`))).toEqual(new Set(['bert blue']))
  })

  test('that change neither rules nor subjects cause no review', async () => {
    const { env, access, asked } = await startPlane()
    const [rita, bert] = [access('rita'), access('bert')]
    await bind(env, 'rita', 'red')
    await Promise.all([rita.whenReviewed(), bert.whenReviewed()])
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await env.advance(2_000)
    asked.length = 0
    await env.client.patch(
      clusterRole,
      { name: 'viewer' },
      { type: 'merge', value: { metadata: { labels: { seen: 'yes' } } } },
    )
    await bind(env, 'bert', 'blue')
    await env.eventually(() => expect(bert.scope?.sees(blue)).toBe(true))
    expect(asked.filter(({ user }) => user === 'rita')).toEqual([])
  })

  test('are made up for by the API server itself: a namespace that was made anew is another one', async () => {
    const { env, access } = await startPlane()
    const rita = access('rita')
    await bind(env, 'rita', 'red')
    await rita.whenReviewed()
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(true))
    await env.client.delete(namespaceKind, { name: 'red' })
    await env.eventually(() => expect(rita.scope?.sees(red)).toBe(false))
    await env.eventually(() => env.createNamespace('red'))
    await bind(env, 'bert', 'red')
    const bert = access('bert')
    await bert.whenReviewed()
    await env.eventually(() => expect([rita.scope?.sees(red), bert.scope?.sees(red)]).toEqual([false, true]))
  })
})
