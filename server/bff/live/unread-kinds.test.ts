/** Lists of kinds that cannot be read say why, against a real API server without some kinds or some rights. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { clusterRole } from '@/lib/kube/kinds/cluster-role'
import { clusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import { queue } from '@/lib/kube/kinds/queue'
import type { Kind } from '@/lib/kube/kind'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { UnreadReason } from '@/lib/view/unread'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { ensureDefinitions } from '@/server/reconcilers/shared/definitions'
import { systemClock } from '@/server/runtime/system-clock'
import { KINDS_READ } from '../cache/control-plane-cache'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, nameOfResource } from '../access/resources'
import { type Grants, scopeOf } from '../access/scope'
import { type ConsoleUnread, FollowedKinds } from '../cache/served-kinds'
import { unreadOf, worthNoting } from '../read-model/unread-kinds'
import type { TestReader } from '../testing/live-client'
import { eventually, startBff } from '../testing/start-bff'

const rbac = 'rbac.authorization.k8s.io'
const EAGER_MS = 3_000

interface Setup {
  /** Kinds that the API server does not have. */
  missing?: readonly string[]
  /** Resources that the console may not list. */
  withheld?: readonly string[]
}

/** A console that is an ordinary user of the API server, with permission for all kinds that it reads. */
async function start({ missing = [], withheld = [] }: Setup) {
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds.filter(({ kind }) => !missing.includes(kind)),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => crypto.randomUUID(),
    random: Math.random,
    tokens: [
      { token: 'admin', user: 'admin', groups: ['system:masters'] },
      { token: 'console', user: 'console', groups: [] },
    ],
  })
  const admin = createRestClient({ url: server.url, token: 'admin' })
  const client = createRestClient({ url: server.url, token: 'console' })
  const grant = async (name: string, kinds: readonly Kind[]): Promise<void> => {
    const rules = kinds.map(({ group, plural }) => ({
      apiGroups: [group],
      resources: [plural],
      verbs: ['get', 'list', 'watch'],
    }))
    await admin.create(clusterRole, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules })
    await admin.create(clusterRoleBinding, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name: 'console', apiGroup: rbac }],
    })
  }
  await grant(
    'most',
    KINDS_READ.filter(({ kind }) => !withheld.includes(kind)),
  )
  const clock = createFakeClock()
  const served = await FollowedKinds.open({ client, clock, kinds: KINDS_READ })
  const onError = (error: unknown): never => {
    throw error
  }
  const informers = createInformers({ client, clock: systemClock, random: () => 0, onError })
  onTestFinished(async () => {
    served.stop()
    await informers.stop()
    await Promise.all([client.close(), admin.close()])
    await server.close()
  })
  const bff = await startBff({ client, informers, served })
  return { ...bff, admin, clock, grant, server }
}

/** The final message of a page of that topic. */
async function settled(reader: TestReader) {
  await eventually(() => expect(['live', 'refused']).toContain(reader.state.phase))
  const { phase, unread = [], entities } = reader.state
  return { phase, held: entities.size, unread: unread.map(({ kind, reason }) => [kind, reason]) }
}

const all = (kinds: readonly string[], reason: UnreadReason) =>
  kinds.map((kind): [string, UnreadReason] => [kind, reason])
const refused = (...unread: [string, UnreadReason][]) => ({ phase: 'refused', held: 0, unread })
const live = (...unread: [string, UnreadReason][]) => ({ phase: 'live', held: 0, unread })

const queuePage = 'queue/team-a/first'
const workloadPage = 'workload/apps~v1/Deployment/shop/web'

describe('a kind that is not there', () => {
  test.each([
    ['queues', ['Queue']],
    [queuePage, ['Queue']],
    ['rebalancers', ['WorkloadRebalancer']],
    ['rebalancer/one', ['WorkloadRebalancer']],
    ['plans', ['RebalancePlan']],
    ['plan/one', ['RebalancePlan']],
    ['spreads', ['WorkloadSpread']],
    ['clusters', ['Cluster']],
    ['policies', ['PropagationPolicy', 'ClusterPropagationPolicy']],
    ['workloads', ['ResourceBinding', 'ClusterResourceBinding']],
    [workloadPage, ['ResourceBinding']],
    ['failover', ['ResourceBinding', 'ClusterResourceBinding', 'Cluster']],
    ['failover-history', ['ResourceBinding', 'ClusterResourceBinding', 'Cluster']],
    ['summary', ['ResourceBinding', 'ClusterResourceBinding', 'Cluster']],
  ])('%s: is called not served, or no permission of the console, and never empty', async (topic, kinds) => {
    const absent = await start({ missing: kinds })
    expect(await settled(absent.read(topic))).toEqual(refused(...all(kinds, 'NotServed')))
    const withheld = await start({ withheld: kinds })
    expect(await settled(withheld.read(topic))).toEqual(refused(...all(kinds, 'ConsoleHasNoPermission')))
  })

  test('is named above a list that shows another one, too', async () => {
    const { read } = await start({
      missing: ['Cluster'],
      withheld: ['ClusterPropagationPolicy', 'ClusterResourceBinding'],
    })
    expect(await settled(read('policies'))).toEqual(live(['ClusterPropagationPolicy', 'ConsoleHasNoPermission']))
    expect(await settled(read('workloads'))).toEqual(live(['ClusterResourceBinding', 'ConsoleHasNoPermission']))
    expect(await settled(read('failover'))).toEqual(
      live(['ClusterResourceBinding', 'ConsoleHasNoPermission'], ['Cluster', 'NotServed']),
    )
    expect(await settled(read('queues'))).toEqual(live())
  })

  test('does not hide what the console did itself', async () => {
    const { read } = await start({ withheld: ['Event'] })
    expect(await settled(read('activity'))).toEqual(live(['Event', 'ConsoleHasNoPermission']))
  })

  test('is no empty list and no missing object of the HTTP API either', async () => {
    const kinds = ['Queue', 'RebalancePlan', 'WorkloadRebalancer', 'WorkloadSpread', 'Cluster']
    const { url, read } = await start({ missing: kinds.slice(0, 4), withheld: kinds.slice(4) })
    await settled(read('workloads'))
    const problem = async (path: string) => {
      const answer = await fetch(`${url}/api/v1/${path}`)
      return { status: answer.status, ...((await answer.json()) as { reason?: string; detail?: string }) }
    }
    const lists = ['queues', 'rebalance-plans', 'rebalancers', 'spreads', 'clusters']
    const objects = [
      'queues/shop/line',
      'rebalance-plans/home',
      'rebalancers/one',
      'spreads/shop/web',
      'clusters/member1',
    ]
    for (const path of [...lists, ...objects])
      expect(await problem(path), path).toMatchObject({ status: 503, reason: 'Unavailable' })
    expect((await problem('queues')).detail).toMatch(/does not serve queues\.evenkeel\.io/)
    expect(await problem('workloads')).toMatchObject({ status: 200 })
    expect(await problem('policies/shop/none')).toMatchObject({ status: 404 })
  })

  test('is told before the first frame, with what to do, in words', async () => {
    const { read } = await start({ missing: ['ClusterPropagationPolicy', 'Queue', 'WorkloadSpread'] })
    const policies = read('policies')
    await settled(policies)
    const order = policies.received.map(({ event }) => event).filter((event) => ['unread', 'snapshot'].includes(event))
    expect(order).toEqual(['unread', 'snapshot'])
    const sentence = async (topic: string): Promise<string> => {
      const reader = read(topic)
      await settled(reader)
      return reader.state.unread![0]!.sentence
    }
    expect(await sentence('policies')).toMatch(
      /does not serve clusterpropagationpolicies\.policy\.karmada\.io.*kubeconfig leads/,
    )
    expect(await sentence('queues')).toMatch(/queues\.evenkeel\.io.*--reconcilers=all/)
    expect(await sentence('spreads')).toMatch(/OpenKruise/)
  })
})

describe('an open page follows', () => {
  test('the installation of a kind, without an empty list in between, and its removal', async () => {
    const { read, admin, clock } = await start({ missing: ['Queue'] })
    const list = read('queues')
    const page = read(queuePage)
    expect([await settled(list), await settled(page)]).toEqual([
      refused(['Queue', 'NotServed']),
      refused(['Queue', 'NotServed']),
    ])
    await ensureDefinitions(admin, [queue as unknown as Kind])
    await admin.create(queue, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Queue',
      metadata: { namespace: 'default', name: 'first' },
      spec: {},
    })
    await eventually(() => {
      clock.advance(EAGER_MS)
      expect(Object.keys(list.held)).toEqual(['default/first'])
    })
    await eventually(() => expect(page.state.phase).toBe('live'))
    expect(list.messages('snapshot')).toMatchObject([{ entities: [{ id: 'default/first' }] }])
    expect([list.state.unread, page.state.unread]).toEqual([[], []])

    await admin.raw('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/queues.evenkeel.io')
    await eventually(() => expect([list.state.phase, page.state.phase]).toEqual(['refused', 'refused']), 30_000)
    expect([list.state.unread, page.state.unread]).toMatchObject([[{ reason: 'NotServed' }], [{ reason: 'NotServed' }]])
  })

  test('a right that is granted: the note above the list goes', async () => {
    const { read, clock, grant } = await start({ withheld: ['ClusterPropagationPolicy'] })
    const policies = read('policies')
    expect(await settled(policies)).toEqual(live(['ClusterPropagationPolicy', 'ConsoleHasNoPermission']))
    await grant('rest', [clusterPropagationPolicy as unknown as Kind])
    await eventually(() => {
      clock.advance(EAGER_MS)
      expect(policies.state.unread).toEqual([])
    })
    expect(policies.state.phase).toBe('live')
  })
})

describe('a reader who may not list a kind', () => {
  const [bindings, clusterBindings] = [nameOfResource(BINDINGS), nameOfResource(CLUSTER_BINDINGS)]
  const WORKLOADS = [BINDINGS, CLUSTER_BINDINGS]
  test.each<[string, Grants, (kind: Kind) => ConsoleUnread | undefined, [string, UnreadReason][], boolean, number]>([
    [
      'of nothing',
      new Map(),
      reads,
      [
        ['ResourceBinding', 'NoPermission'],
        ['ClusterResourceBinding', 'NoPermission'],
      ],
      true,
      0,
    ],
    [
      'of one kind everywhere',
      new Map([[bindings, 'all']]),
      reads,
      [['ClusterResourceBinding', 'NoPermission']],
      false,
      1,
    ],
    [
      'of a namespace',
      new Map([[bindings, new Set(['shop'])]]),
      reads,
      [['ClusterResourceBinding', 'NoPermission']],
      false,
      0,
    ],
    [
      'of everything',
      new Map([
        [bindings, 'all'],
        [clusterBindings, 'all'],
      ]),
      reads,
      [],
      false,
      0,
    ],
    [
      'of a kind that is not there',
      new Map([[bindings, 'all']]),
      lacks,
      [['ClusterResourceBinding', 'NotServed']],
      false,
      1,
    ],
    [
      'of a kind that the console may not list',
      new Map([
        [bindings, 'all'],
        [clusterBindings, 'all'],
      ]),
      mayNot,
      [['ClusterResourceBinding', 'ConsoleHasNoPermission']],
      false,
      1,
    ],
  ])('%s', (...[, grants, why, expected, isAll, noted]) => {
    const scope = scopeOf(grants)
    const found = unreadOf(WORKLOADS, scope, why)
    expect(found.unread.map(({ kind, reason }) => [kind, reason])).toEqual(expected)
    expect(found.isAll).toBe(isAll)
    expect(worthNoting(found.unread, WORKLOADS, scope)).toHaveLength(noted)
  })

  test('a tenant who sees all clusters gets no note about kinds of others', () => {
    const resources = [...WORKLOADS, CLUSTERS]
    const notesFor = (grants: Grants): string[] => {
      const scope = scopeOf(grants)
      return worthNoting(unreadOf(resources, scope, reads).unread, resources, scope).map(({ kind }) => kind)
    }
    const clusters: [string, 'all'] = [nameOfResource(CLUSTERS), 'all']
    expect(notesFor(new Map<string, 'all' | Set<string>>([[bindings, new Set(['shop'])], clusters]))).toEqual([])
    expect(notesFor(new Map([[bindings, 'all'], clusters]))).toEqual(['ClusterResourceBinding'])
    expect(notesFor(new Map([clusters]))).toEqual(['ResourceBinding', 'ClusterResourceBinding'])
  })
})

function reads(): undefined {
  return undefined
}
function lacks({ kind }: Kind): ConsoleUnread | undefined {
  return kind === 'ClusterResourceBinding' ? 'NotServed' : undefined
}
function mayNot({ kind }: Kind): ConsoleUnread | undefined {
  return kind === 'ClusterResourceBinding' ? 'ConsoleHasNoPermission' : undefined
}
