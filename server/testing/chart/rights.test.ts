import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { allKinds, mutatingWebhookConfiguration, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import { cluster } from '@/lib/kube/kinds/cluster'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { namespace } from '@/lib/kube/kinds/namespace'
import { queue } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { role } from '@/lib/kube/kinds/role'
import { roleBinding } from '@/lib/kube/kinds/role-binding'
import { secret } from '@/lib/kube/kinds/secret'
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { type ApiServer, createMemoryStore, startApiServer } from '@/server/apiserver'
import { AccessCache } from '@/server/bff/access/access-cache'
import { mustBeAbleToActAs, reviewToken } from '@/server/bff/auth/reviews'
import { definitionWatch, FollowedKinds } from '@/server/bff'
import { noBffMetrics } from '@/server/bff/metrics-hooks'
import { eventually } from '@/server/bff/testing/start-bff'
import { KINDS_READ, ControlPlaneCache } from '@/server/bff/cache/control-plane-cache'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { startElection } from '@/server/kube/leases'
import { clientOver, type RestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { renderChart } from './render'

const ADMIN = { user: 'admin', groups: ['system:masters'] }
const CONSOLE = {
  user: 'system:serviceaccount:karmada-system:evenkeel',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:karmada-system', 'system:authenticated'],
}

interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

function rbacOf({ loops, ...rbac }: { loops?: object } & object = {}): KubeObject[] {
  return renderChart('deploy/chart', { rbac: { create: true, ...rbac }, ...loops })[
    'rbac.yaml'
  ] as unknown as KubeObject[]
}

/** `verb group/resource` of everything that the objects allow. */
function allowed(values: object = {}): string[] {
  const rules = rbacOf(values).flatMap((object) => (object as { rules?: Rule[] }).rules ?? [])
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    verbs.flatMap((verb) => apiGroups.flatMap((group) => resources.map((resource) => `${verb} ${group}/${resource}`))),
  )
}

const READ = ['get', 'list', 'watch']
const SIGNS = [namespace, role, roleBinding, clusterRole, clusterRoleBinding] as unknown as Kind[]
const USER_EXTRAS = ['credential-id', 'node-name', 'node-uid', 'pod-name', 'pod-uid'].map(
  (name) => `userextras/authentication.kubernetes.io/${name}`,
)

test('the roles allow exactly what the code does as the console itself, and no wildcard', () => {
  const reads = [...KINDS_READ, ...SIGNS].flatMap(({ group, plural }) =>
    READ.map((verb) => `${verb} ${group}/${plural}`),
  )
  const acts = [
    'list apiextensions.k8s.io/customresourcedefinitions',
    'watch apiextensions.k8s.io/customresourcedefinitions',
    'create /events',
    'patch /events',
    'create authentication.k8s.io/tokenreviews',
    'impersonate /users',
    'impersonate /groups',
    'impersonate /serviceaccounts',
    ...['uids', ...USER_EXTRAS].map((resource) => `impersonate authentication.k8s.io/${resource}`),
    ...['get', 'create', 'update'].map((verb) => `${verb} coordination.k8s.io/leases`),
  ]
  expect(allowed().toSorted()).toEqual([...reads, ...acts].toSorted())
  expect(allowed().filter((right) => right.includes('*'))).toEqual([])
})

test('queues and their webhooks get further rights only when enabled', () => {
  const [base, loop, hooks] = [{}, { reconcilers: 'queue' }, { webhook: { enabled: true } }].map(
    (loops) => new Set(allowed({ loops })),
  )
  const besides = (rights: Set<string>): string[] => [...rights].filter((right) => !base!.has(right)).toSorted()
  expect(besides(loop!)).toEqual([
    'create apiextensions.k8s.io/customresourcedefinitions',
    'get apiextensions.k8s.io/customresourcedefinitions',
    'patch evenkeel.io/queues',
    'patch evenkeel.io/queues/status',
    'patch work.karmada.io/resourcebindings',
    'update apiextensions.k8s.io/customresourcedefinitions',
  ])
  const configurations = [mutatingWebhookConfiguration, validatingWebhookConfiguration].flatMap(({ group, plural }) =>
    [...READ, 'create', 'patch'].map((verb) => `${verb} ${group}/${plural}`),
  )
  expect(besides(hooks!)).toEqual(
    [
      ...configurations,
      'create authentication.k8s.io/selfsubjectreviews',
      'create authorization.k8s.io/subjectaccessreviews',
    ].toSorted(),
  )
})

describe('with these roles on a control plane', () => {
  let server: ApiServer
  let admin: RestClient
  let own: RestClient
  const start = async (values: object = {}): Promise<void> => {
    server = await startApiServer({
      store: createMemoryStore(),
      kinds: allKinds,
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      uid: randomUUID,
      random: Math.random,
      tokens: [{ token: 'of-alice', user: 'alice', groups: ['team-a'] }],
    })
    admin = clientOver(server.local({ caller: ADMIN }))
    own = clientOver(server.local({ caller: CONSOLE }))
    const kinds = [clusterRole, clusterRoleBinding, role, roleBinding] as unknown as Kind[]
    for (const object of rbacOf(values)) {
      const kind = kinds.find((each) => each.kind === object.kind)
      if (!kind) throw new Error(`${String(object.kind)} is no kind of RBAC`)
      await admin.create(kind, object)
    }
  }
  beforeEach(() => start())
  afterEach(async () => {
    await own.close()
    await admin.close()
    await server.close()
  })

  test('the console fills its caches, follows them and tells who may see what', async () => {
    const watchDefinition = definitionWatch({ client: own, clock: systemClock, random: Math.random })
    const served = await FollowedKinds.open({ client: own, clock: systemClock, kinds: KINDS_READ, watchDefinition })
    onTestFinished(() => served.stop())
    expect(KINDS_READ.filter((kind) => !served.readable(kind)).map(({ kind }) => kind)).toEqual([])
    const errors: unknown[] = []
    const shared = {
      client: own,
      clock: systemClock,
      random: Math.random,
      onError: (error: unknown) => void errors.push(error),
    }
    const informers = createInformers(shared)
    const cache = new ControlPlaneCache(informers, served)
    const access = new AccessCache({
      ...shared,
      informers,
      cache,
      log: createLogger({ level: 'silent' }),
      metrics: noBffMetrics,
    })
    for (const kind of [...KINDS_READ, ...SIGNS]) informers.of(kind)
    await informers.whenSynced()
    const alice = access.of({
      identity: { user: 'alice', groups: ['team-a'] },
      key: 'alice',
      via: 'token',
      client: own.as({ user: 'alice', groups: ['team-a'] }),
    })
    const scope = await alice.whenReviewed()
    expect(scope.seesAll({ group: cluster.group, resource: cluster.plural })).toBe(false)
    await admin.create(clusterRoleBinding, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'alice' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'alice' }],
    })
    await eventually(() => expect(alice.scope?.seesAll({ group: cluster.group, resource: cluster.plural })).toBe(true))
    expect(
      [...KINDS_READ, ...SIGNS].map((kind) => informers.of(kind).freshness().state).filter((state) => state !== 'live'),
    ).toEqual([])
    expect(errors).toEqual([])
    alice.close()
    access.close()
    await informers.stop()
  })

  test('it acts as the user who logged in, with all that the API server said of them', async () => {
    expect(await reviewToken(own, 'of-alice')).toMatchObject({
      user: 'alice',
      groups: expect.arrayContaining(['team-a']),
    })
    const extra = Object.fromEntries(USER_EXTRAS.map((name) => [name.replace('userextras/', ''), ['x']]))
    await mustBeAbleToActAs(own, { user: 'alice', uid: '1', groups: ['team-a'], extra })
    await mustBeAbleToActAs(own, { user: 'system:serviceaccount:shop:robot', groups: ['system:serviceaccounts'] })
  })

  test('actions are recorded as Events, and one instance leads', async () => {
    const errors: unknown[] = []
    const shared = {
      client: own,
      clock: systemClock,
      random: Math.random,
      onError: (error: unknown) => void errors.push(error),
    }
    const events = createEventRecorder(shared)
    const regarding = { apiVersion: 'v1', kind: 'Namespace', name: 'karmada-system', namespace: 'karmada-system' }
    for (let times = 0; times < 2; times += 1) {
      events.record({ component: 'test', type: 'Normal', reason: 'Tested', message: 'x', regarding })
      await eventually(async () => {
        const { body } = await own.raw('GET', '/api/v1/namespaces/karmada-system/events')
        expect((body as { items: { count: number }[] }).items[0]?.count).toBe(times + 1)
      })
    }
    const led = Promise.withResolvers<void>()
    const election = startElection(
      { ...shared, identity: 'one', namespace: 'karmada-system', name: 'evenkeel-x' },
      { onLead: () => led.resolve(), onLost: () => undefined },
    )
    await led.promise
    await election.stop()
    expect(errors).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['read secrets', () => own.list(secret)],
    [
      'write bindings',
      () => own.patch(resourceBinding, { namespace: 'default', name: 'x' }, { type: 'merge', value: {} }),
    ],
    ['change queues', () => own.delete(queue, { namespace: 'default', name: 'x' })],
    ['change clusters', () => own.delete(cluster, { name: 'member1' })],
    [
      'give itself rights',
      () =>
        own.patch(
          clusterRole,
          { name: 'evenkeel' },
          { type: 'merge', value: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] } },
        ),
    ],
  ])('it may not %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({ code: 403 })
  })

  test('named groups keep it from acting as system:masters', async () => {
    await own.close()
    await admin.close()
    await server.close()
    await start({ impersonate: { groups: ['team-a'] } })
    await mustBeAbleToActAs(own, { user: 'alice', groups: ['team-a'] })
    await expect(mustBeAbleToActAs(own, { user: 'alice', groups: ['system:masters'] })).rejects.toMatchObject({
      code: 403,
    })
  })
})
