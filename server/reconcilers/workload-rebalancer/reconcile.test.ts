import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BindingSpec, BindingStatus } from '@/lib/kube/kinds/binding'
import { kubeError } from '@/lib/kube/errors'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { workloadRebalancer, type WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { aBinding, aClusterBinding } from '@/lib/testing/builders'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Fault, withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { workloadRebalancerController } from '.'

const START = '2026-01-01T00:00:00Z'
let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

type Target = WorkloadRebalancer['spec']['workloads'][number]
const deployment = (name: string): Target => ({ apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'default' })
const clusterRole = (name: string): Target => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  name,
})

const rebalance = (workloads: Target[], ttlSecondsAfterFinished?: number, name = 'demo') =>
  env.client.create(workloadRebalancer, {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads, ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }) },
  })
const change = (spec: Partial<WorkloadRebalancer['spec']>, name = 'demo') =>
  env.client.patch(workloadRebalancer, { name }, { type: 'merge', value: { spec } })
const bind = (name: string, status?: BindingStatus, spec?: Partial<BindingSpec>) =>
  env.create(resourceBinding, aBinding(name, { ...(status && { status }), ...(spec && { spec }) }))
const triggered = async (name: string) =>
  (await env.client.get(resourceBinding, { namespace: 'default', name: `${name}-deployment` })).spec
    .rescheduleTriggeredAt
const read = (name = 'demo') => env.client.get(workloadRebalancer, { name })
const results = async (name = 'demo') =>
  ((await read(name)).status?.observedWorkloads ?? []).map(({ workload, result, reason }) => [
    workload.name,
    result ?? '',
    reason ?? '',
  ])
const present = async (name = 'demo') =>
  (await env.client.list(workloadRebalancer)).items.some(({ metadata }) => metadata.name === name)
const finished = (name = 'demo') =>
  env.eventually(
    async () => {
      const { metadata, status } = await read(name)
      expect(status?.finishTime).toBeDefined()
      expect(status?.observedGeneration).toBe(metadata.generation)
    },
    { flowMs: 0 },
  )
const run = (context: ReconcilerContext = env.context(), options = {}) =>
  env.run(workloadRebalancerController(context, options))
const faulty = (...faults: Fault[]): ReconcilerContext => ({
  ...env.context(),
  client: withFaults(env.client, ...faults),
})
const unreachable = (): never => {
  throw kubeError(0, 'Unreachable', 'connection reset')
}

describe('a reconcile', () => {
  test('triggers targets with a binding, fails those without, and reports in order of the keys', async () => {
    await bind('demo-deploy-1')
    await env.create(clusterResourceBinding, aClusterBinding('demo-role'))
    await run()
    await rebalance([deployment('demo-deploy-1'), clusterRole('demo-role'), deployment('demo-deploy-2')])
    await finished()
    expect((await read()).status).toEqual({
      observedGeneration: 1,
      finishTime: START,
      observedWorkloads: [
        { workload: deployment('demo-deploy-1'), result: 'Successful' },
        { workload: deployment('demo-deploy-2'), result: 'Failed', reason: 'ReferencedBindingNotFound' },
        { workload: clusterRole('demo-role'), result: 'Successful' },
      ],
    })
    expect(await triggered('demo-deploy-1')).toBe(START)
    expect(
      (await env.client.get(clusterResourceBinding, { name: 'demo-role-clusterrole' })).spec.rescheduleTriggeredAt,
    ).toBe(START)
  })

  test.each<[string, Partial<Target>]>([
    ['a version that is not served', { apiVersion: 'apps/v9' }],
    ['a kind in lower case', { kind: 'deployment' }],
    ['a plural', { kind: 'deployments' }],
    ['another group', { apiVersion: 'extensions/v1beta1' }],
    ['no group', { apiVersion: 'v1' }],
    ['a group that is unknown', { apiVersion: 'apps.example.com/v1' }],
    ['a version that is none', { apiVersion: 'apps/' }],
    ['a path', { apiVersion: 'apps/v1/../v1' }],
  ])('finds no workload under %s', async (_case, wrong) => {
    await bind('a')
    await run()
    await rebalance([{ ...deployment('a'), ...wrong }])
    await finished()
    expect(await results()).toEqual([['a', 'Failed', 'ReferencedBindingNotFound']])
    expect(await triggered('a')).toBeUndefined()
  })

  test('finds a workload under another served version', async () => {
    const scaler = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'a', namespace: 'default' }
    const draft = aBinding('a', { spec: { resource: scaler } })
    await env.create(resourceBinding, { ...draft, metadata: { ...draft.metadata, name: 'a-horizontalpodautoscaler' } })
    await run()
    await rebalance([
      { ...scaler, apiVersion: 'autoscaling/v1' },
      { ...scaler, apiVersion: 'autoscaling/v7' },
    ])
    await finished()
    expect(
      (await read()).status?.observedWorkloads?.map(({ workload, result }) => [workload.apiVersion, result]),
    ).toEqual([
      ['autoscaling/v1', 'Successful'],
      ['autoscaling/v7', 'Failed'],
    ])
  })

  test('keeps a failure final, also if the binding is created later', async () => {
    await run()
    await rebalance([deployment('a')])
    await finished()
    await bind('a')
    await env.advance(5000)
    await change({ ttlSecondsAfterFinished: 3600 })
    await finished()
    expect(await results()).toEqual([['a', 'Failed', 'ReferencedBindingNotFound']])
  })

  test('finds a binding that is not cached yet', async () => {
    await run()
    for (const name of Array.from({ length: 20 }, (_, i) => `app-${i}`)) {
      await bind(name)
      await rebalance([deployment(name)], undefined, name)
      await finished(name)
      expect(await results(name)).toEqual([[name, 'Successful', '']])
    }
  })

  test('leaves a target without result while its attempt fails for a temporary reason, and retries', async () => {
    await bind('a')
    await bind('b')
    await run(faulty({ verb: 'patch', kind: resourceBinding, name: 'b-deployment', times: 3, before: unreachable }))
    await rebalance([deployment('a'), deployment('b')])
    await env.eventually(
      async () =>
        expect(await results()).toEqual([
          ['a', 'Successful', ''],
          ['b', '', ''],
        ]),
      { flowMs: 0 },
    )
    expect((await read()).status?.finishTime).toBeUndefined()
    await env.eventually(async () =>
      expect(await results()).toEqual([
        ['a', 'Successful', ''],
        ['b', 'Successful', ''],
      ]),
    )
    expect((await read()).status?.finishTime).toBeDefined()
  })

  test('resolves a conflict over a binding within the reconcile', async () => {
    await bind('a')
    const touch = (): Promise<unknown> =>
      env.client.patch(
        resourceBinding,
        { namespace: 'default', name: 'a-deployment' },
        { type: 'merge', value: { metadata: { annotations: { touched: 'yes' } } } },
      )
    await run(faulty({ verb: 'patch', kind: resourceBinding, before: () => touch().then(() => undefined) }))
    await rebalance([deployment('a')])
    await finished()
    expect(await triggered('a')).toBe(START)
  })

  test('does nothing for workloads whose results would not fit, and says so once', async () => {
    const many = Array.from({ length: 7000 }, (_, at) => deployment(`w${at}-${'x'.repeat(30)}`))
    await bind(many[0]!.name)
    await run()
    await rebalance(many)
    await env.eventually(async () =>
      expect((await env.recordedEvents()).map(({ reason, message }) => [reason, message])).toEqual([
        [
          'TooManyWorkloads',
          'Nothing was rescheduled: the results of 7,000 workloads do not fit into one object. Create several rebalancers with fewer workloads each.',
        ],
      ]),
    )
    expect(await triggered(many[0]!.name)).toBeUndefined()
    await change({ workloads: many.slice(0, 1) })
    await finished()
    expect(await results()).toEqual([[many[0]!.name, 'Successful', '']])
  })

  test('triggers a suspended binding too, which is scheduled when it is resumed', async () => {
    await bind('a', undefined, { suspension: { scheduling: true } })
    await run()
    await rebalance([deployment('a')])
    await finished()
    expect(await results()).toEqual([['a', 'Successful', '']])
    await env.eventually(async () =>
      expect((await env.recordedEvents()).map(({ reason, message }) => [reason, message])).toEqual([
        [
          'RescheduleHeld',
          'Scheduling of default/a-deployment is suspended. It is rescheduled when scheduling is resumed.',
        ],
      ]),
    )
  })

  test('writes nothing the second time', async () => {
    await bind('a')
    await run()
    await rebalance([deployment('a')])
    await finished()
    const versions = async () => [
      (await read()).metadata.resourceVersion,
      (await env.client.list(resourceBinding)).items[0]?.metadata.resourceVersion,
    ]
    const before = await versions()
    await env.run({ ...workloadRebalancerController(env.context()), name: 'again' })
    await env.eventually(async () => expect(await versions()).toEqual(before))
  })

  test('handles hundreds of targets at once', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `app-${String(i).padStart(3, '0')}`)
    await Promise.all(names.map((name) => bind(name)))
    await run()
    await rebalance(names.map(deployment))
    await finished()
    expect((await results()).every(([, result]) => result === 'Successful')).toBe(true)
    expect(
      (await env.client.list(resourceBinding)).items.every(({ spec }) => spec.rescheduleTriggeredAt === START),
    ).toBe(true)
  })
})

describe('a changed spec', () => {
  test('adds new targets, keeps successful former ones, drops failed former ones, and sets a new finish time', async () => {
    for (const name of ['kept', 'added']) await bind(name)
    await run()
    await rebalance([deployment('kept'), deployment('missing')])
    await finished()
    await env.advance(10_000)
    await change({ workloads: [deployment('added')] })
    await finished()
    expect(await results()).toEqual([
      ['added', 'Successful', ''],
      ['kept', 'Successful', ''],
    ])
    expect((await read()).status).toMatchObject({ observedGeneration: 2, finishTime: '2026-01-01T00:00:10Z' })
  })

  test('that only changes the order reschedules nothing', async () => {
    for (const name of ['a', 'b']) await bind(name)
    await run()
    await rebalance([deployment('a'), deployment('b')])
    await finished()
    await env.advance(10_000)
    await change({ workloads: [deployment('b'), deployment('a')] })
    await finished()
    expect(await results()).toEqual([
      ['a', 'Successful', ''],
      ['b', 'Successful', ''],
    ])
    expect(await triggered('a')).toBe(START)
  })
})

describe('triggers', () => {
  const scheduledAt = (lastScheduledTime: string): BindingStatus => ({ lastScheduledTime })

  test.each([
    ['never scheduled', undefined, undefined, START],
    ['scheduled before', '2025-12-31T23:59:59Z', undefined, START],
    ['scheduled in the same second', START, undefined, '2026-01-01T00:00:01Z'],
    ['scheduled later, by a clock ahead of ours', '2026-01-01T00:00:07Z', undefined, '2026-01-01T00:00:08Z'],
    ['triggered before and served', '2025-12-31T12:00:00Z', '2025-12-31T11:00:00Z', START],
    ['triggered in the same second and still waiting', '2025-12-31T12:00:00Z', START, START],
    ['triggered in the same second and served already', START, START, '2026-01-01T00:00:01Z'],
    ['triggered later and still waiting', '2025-12-31T12:00:00Z', '2026-01-01T00:00:05Z', '2026-01-01T00:00:05Z'],
    ['triggered later and served already', '2026-01-01T00:00:05Z', '2026-01-01T00:00:05Z', '2026-01-01T00:00:06Z'],
  ])('a binding %s', async (_name, scheduled, trigger, expected) => {
    await bind(
      'a',
      scheduled ? scheduledAt(scheduled) : undefined,
      trigger ? { rescheduleTriggeredAt: trigger } : undefined,
    )
    await run()
    await rebalance([deployment('a')])
    await env.eventually(async () => expect((await read()).status?.observedGeneration).toBe(1), { flowMs: 0 })
    await env.advance(1000)
    await finished()
    expect(await triggered('a')).toBe(expected)
  })

  test('trigger times never run ahead of the clock, however often a user rebalances', async () => {
    await bind('a', scheduledAt(START))
    await run()
    for (let round = 1; round <= 5; round += 1) {
      await rebalance([deployment('a')], undefined, `round-${round}`)
      await env.eventually(async () => expect((await read(`round-${round}`)).status?.finishTime).toBeDefined())
      const stamp = await triggered('a')
      expect(Date.parse(stamp!)).toBeLessThanOrEqual(env.clock.now())
      const served = new Date(Date.parse(stamp!) + 1000).toISOString().replace('.000Z', 'Z')
      await env.client.patch(
        resourceBinding,
        { namespace: 'default', name: 'a-deployment' },
        { type: 'merge', value: { status: { lastScheduledTime: served } } },
        { subresource: 'status' },
      )
    }
  })

  test.each([
    ['an hour ahead', '2026-01-01T01:00:00Z'],
    ['an hour behind', '2025-12-31T23:00:00Z'],
  ])('a scheduler whose clock is %s is triggered once, also if the report was lost', async (_name, served) => {
    await bind('a', scheduledAt(served))
    const stamps: string[] = []
    const serve = (): Promise<void> =>
      env.client
        .patch(
          resourceBinding,
          { namespace: 'default', name: 'a-deployment' },
          { type: 'merge', value: { status: { lastScheduledTime: '2026-01-01T01:00:05Z' } } },
          { subresource: 'status' },
        )
        .then(({ spec }) => void stamps.push(spec.rescheduleTriggeredAt!))
    await run(
      faulty(
        { verb: 'patch', kind: resourceBinding, after: serve },
        { verb: 'update', kind: workloadRebalancer, times: 2, before: unreachable },
      ),
    )
    await rebalance([deployment('a')])
    await env.eventually(async () => expect((await read()).status?.finishTime).toBeDefined())
    expect(stamps).toHaveLength(1)
    expect(await triggered('a')).toBe(stamps[0])
  })

  test('a target added to an old rebalancer still moves', async () => {
    await bind('a')
    await bind('b', scheduledAt('2026-01-01T00:30:00Z'), { rescheduleTriggeredAt: '2026-01-01T00:30:00Z' })
    await run()
    await rebalance([deployment('a')])
    await finished()
    await env.advance(3_600_000)
    await change({ workloads: [deployment('a'), deployment('b')] })
    await finished()
    expect(await triggered('b')).toBe('2026-01-01T00:30:01Z')
  })

  test('in upstream mode the trigger is the creation time', async () => {
    await bind('a', scheduledAt(START))
    await run(env.context(), { lastingTriggers: false })
    await rebalance([deployment('a')])
    await finished()
    expect(await triggered('a')).toBe(START)
  })
})

describe('the TTL', () => {
  const still = async () => expect(await present()).toBe(true)
  const gone = () => env.eventually(async () => expect(await present()).toBe(false), { flowMs: 0 })

  test('deletes a finished rebalancer when it is over, and not before', async () => {
    await bind('a')
    await run()
    await rebalance([deployment('a')], 60)
    await finished()
    await env.advance(59_000)
    await still()
    await env.advance(1000)
    await gone()
  })

  test('of zero deletes at once', async () => {
    await bind('a')
    await run()
    await rebalance([deployment('a')], 0)
    await gone()
    expect(await triggered('a')).toBe(START)
  })

  test('absent keeps the rebalancer', async () => {
    await bind('a')
    await run()
    await rebalance([deployment('a')])
    await finished()
    await env.advance(1_000_000_000)
    await still()
  })

  test('does not start while a target has no result', async () => {
    await bind('a')
    await run(faulty({ verb: 'patch', kind: resourceBinding, times: 4, before: unreachable }))
    await rebalance([deployment('a')], 0)
    await env.eventually(async () => expect(await results()).toEqual([['a', '', '']]), { flowMs: 0 })
    await env.eventually(async () => expect(await present()).toBe(false))
    expect(await triggered('a')).toBeDefined()
  })

  test('restarts when a target is added (case 1)', async () => {
    for (const name of ['a', 'b']) await bind(name)
    await run()
    await rebalance([deployment('a')], 60)
    await finished()
    await env.advance(50_000)
    await change({ workloads: [deployment('a'), deployment('b')] })
    await finished()
    await env.advance(59_000)
    await still()
    await env.advance(1000)
    await gone()
  })

  test('applies as last changed (case 2)', async () => {
    await bind('a')
    await run()
    await rebalance([deployment('a')], 3600)
    await finished()
    await env.advance(10_000)
    await change({ ttlSecondsAfterFinished: 30 })
    await finished()
    await env.advance(29_000)
    await still()
    await env.advance(1000)
    await gone()
  })

  test('is not applied if a change occurs between the last check and the deletion (case 3)', async () => {
    for (const name of ['a', 'b']) await bind(name)
    const add = (): Promise<unknown> => change({ workloads: [deployment('a'), deployment('b')] })
    await run(faulty({ verb: 'get', kind: workloadRebalancer, after: () => add().then(() => undefined) }))
    await rebalance([deployment('a')], 60)
    await finished()
    await env.advance(60_000)
    await env.eventually(async () => expect(await results()).toHaveLength(2), { flowMs: 0 })
    await finished()
    await still()
    expect(await triggered('b')).toBeDefined()
    await env.advance(60_000)
    await gone()
  })
})
