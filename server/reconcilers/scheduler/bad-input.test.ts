import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import {
  aCluster,
  aClusterBinding,
  aggregated,
  type BindingOptions,
  byAvailableReplicas,
  byWeight,
  duplicated,
} from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { schedulerController } from '.'
import { schedulingIn } from './testing/scheduling'

let env: Env
let words: ReturnType<typeof schedulingIn>
beforeEach(async () => {
  env = await startEnv()
  words = schedulingIn(env)
  await env.run(schedulerController(env.context()))
})
afterEach(() => env.close())

type Status = NonNullable<Cluster['status']>

const served = aCluster('x').status?.apiEnablements ?? []
const summary = (resourceSummary: Status['resourceSummary']): Partial<Status> => ({
  apiEnablements: served,
  resourceSummary,
})
const spreading = (field: 'cluster' | 'region' | 'zone', groups: number): Placement => ({
  ...duplicated(),
  spreadConstraints: [{ spreadByField: field, minGroups: groups, maxGroups: groups }],
})
const selecting = (key: string, operator: string): Placement => ({
  ...aggregated(),
  clusterAffinity: { labelSelector: { matchExpressions: [{ key, operator }] } },
})
const lacking = /^False Unschedulable: .*Clusters available replicas 0 are not enough to schedule\.$/

/** An odd input, and the result for the binding `odd` of two replicas. */
interface Story {
  binding?: BindingOptions
  /** Replaces the status of the only cluster. */
  status?: Partial<Status> | null
  spec?: Partial<Cluster['spec']>
  says: RegExp
}

const stories: [string, Story][] = [
  [
    'a strategy that does not exist',
    {
      binding: { placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } } },
      says: /^False SchedulerError: failed to assign replicas: unsupported replica scheduling strategy/,
    },
  ],
  [
    'more clusters than there are',
    {
      binding: { placement: spreading('cluster', 3) },
      says: /^False SchedulerError: failed to select clusters: the number of feasible clusters is less than/,
    },
  ],
  [
    'regions that no cluster names',
    {
      binding: { placement: spreading('region', 2) },
      says: /^False NoClusterFit: .*1 cluster\(s\) did not have region property\.$/,
    },
  ],
  [
    'constraints on zones only',
    {
      binding: { placement: spreading('zone', 1) },
      spec: { zone: 'z', zones: ['z'] },
      says: /^False SchedulerError: .*just support cluster and region spread constraint$/,
    },
  ],
  [
    'weights that match nothing',
    { binding: { placement: { ...byWeight({ elsewhere: 3 }), clusterAffinity: {} } }, says: /^True Success/ },
  ],
  [
    'a selector whose operator does not exist',
    { binding: { placement: selecting('tier', 'Near') }, says: /^False NoClusterFit/ },
  ],
  [
    'a selector whose key is none',
    { binding: { placement: selecting('a b!', 'Exists') }, says: /^False NoClusterFit/ },
  ],
  [
    'a selector that lacks its values',
    { binding: { placement: selecting('tier', 'In') }, says: /^False NoClusterFit/ },
  ],
  [
    'affinity groups, none of them given',
    { binding: { placement: { ...aggregated(), clusterAffinities: [] } }, says: /^True Success/ },
  ],
  ['a cluster without status', { status: null, says: /^False NoClusterFit: .*did not have the API resource\.$/ }],
  ['a cluster that reports no capacity', { status: { apiEnablements: served }, says: lacking }],
  ['a cluster that reports an empty capacity', { status: summary({}), says: lacking }],
  [
    'a cluster that has given more than it had',
    {
      status: summary({ allocatable: { cpu: '1', memory: '1Gi', pods: '3' }, allocated: { pods: '9' } }),
      says: lacking,
    },
  ],
  [
    'a cluster with negative counts',
    { status: summary({ allocatable: { cpu: '-4', memory: '-1Gi', pods: '-5' } }), says: lacking },
  ],
  [
    'a cluster with a negative count of nodes',
    {
      status: summary({
        allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
        allocatableModelings: [{ grade: 0, count: -3 }],
      }),
      says: /^True Success/,
    },
  ],
]

describe('a binding with an odd request to', () => {
  test.each(stories)(
    '%s ends in a condition, and the others are scheduled',
    async (_name, { binding, status, spec, says }) => {
      const draft = aCluster('member1')
      const created = await env.client.create(clusterKind, { ...draft, spec: { ...draft.spec, ...spec } })
      if (status !== null)
        await env.client.update(clusterKind, { ...created, status: status ?? draft.status }, { subresource: 'status' })
      await words.bind('odd', { replicas: 2, placement: byAvailableReplicas(), ...binding })
      const {
        spec: { clusters = [] },
      } = await words.says('odd', says)
      expect(clusters.length > 0).toBe(String(says).includes('True'))
      if (clusters.length === 0) expect(await words.failuresOf('odd')).toBeGreaterThan(0)
      await env.createCluster('member2')
      await words.bind('next', { replicas: 2, placement: aggregated('member2') })
      await words.becomes('next', { member2: 2 })
    },
  )

  test('nothing, without a placement, has no condition, and the others are scheduled', async () => {
    await env.createCluster('member1')
    await words.bind('odd', { spec: { placement: undefined } })
    await words.hasLooked()
    expect((await words.read('odd')).status).toBeUndefined()
    expect(await words.failuresOf('odd')).toBe(0)
    await words.change('odd', { placement: duplicated() })
    await words.becomes('odd', { member1: 1 })
  })

  test('a cluster-scoped binding behaves alike', async () => {
    await env.createCluster('member1')
    await env.create(clusterResourceBinding, aClusterBinding('odd', { placement: spreading('cluster', 3) }))
    await env.create(clusterResourceBinding, aClusterBinding('none', { spec: { placement: undefined } }))
    await env.create(clusterResourceBinding, aClusterBinding('fine'))
    await env.eventually(
      async () => {
        const [odd, none, fine] = await Promise.all(
          ['odd', 'none', 'fine'].map((name) =>
            env.client.get(clusterResourceBinding, { name: `${name}-clusterrole` }),
          ),
        )
        expect(odd?.status?.conditions).toMatchObject([{ status: 'False', reason: 'SchedulerError' }])
        expect(none?.status).toBeUndefined()
        expect(fine?.spec.clusters).toEqual([{ name: 'member1' }])
      },
      { flowMs: 0 },
    )
  })
})

describe('a quantity that does not parse', () => {
  test.each(['abc', '1.2.3', '5 cores', '--1', '1Zi', '9e2147483647', '1E99999999999'])(
    '%s is rejected, in a cluster and in a binding, before the scheduler reads it',
    async (cpu) => {
      await env.createCluster('member1')
      await expect(words.reports('member1', { resourceSummary: { allocatable: { cpu, pods: '10' } } })).rejects.toThrow(
        'quantities must match',
      )
      await expect(words.bind('odd', { cpu })).rejects.toThrow('quantities must match')
      await words.bind('fine', { replicas: 2, placement: byAvailableReplicas() })
      await words.becomes('fine', { member1: 2 })
    },
  )

  test('1e400 in a binding is more than any cluster has', async () => {
    const cpu = '1e400'
    await env.createCluster('member1')
    await words.bind('odd', { replicas: 2, cpu, placement: byAvailableReplicas() })
    await words.says('odd', lacking)
    await words.bind('next', { replicas: 2, placement: byAvailableReplicas() })
    await words.becomes('next', { member1: 2 })
  })
})
