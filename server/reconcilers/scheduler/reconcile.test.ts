import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { findCondition } from '@/lib/kube/conditions'
import { HELD_PLACED_ANNOTATION } from '@/lib/kube/names'
import {
  aBinding,
  aClusterBinding,
  aCluster,
  aggregated,
  type BindingOptions,
  byWeight,
  duplicated,
  healthyIn,
  inGroups,
} from '@/lib/testing/builders'
import { type Fault, withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { schedulerController, type SchedulerOptions } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const ref = (name: string) => ({ namespace: 'default', name: `${name}-deployment` })
const bind = (name: string, options: BindingOptions = {}) => env.create(resourceBinding, aBinding(name, options))
const read = (name: string) => env.client.get(resourceBinding, ref(name))
const run = (options: SchedulerOptions = {}, context: ReconcilerContext = env.context()) =>
  env.run(schedulerController(context, options))
const change = (name: string, spec: Partial<BindingSpec>) =>
  env.client.patch(resourceBinding, ref(name), { type: 'merge', value: { spec } })
const trigger = (name: string, rescheduleTriggeredAt: string) => change(name, { rescheduleTriggeredAt })
const faulty = (...faults: Fault[]): ReconcilerContext => ({
  ...env.context(),
  client: withFaults(env.client, ...faults),
})

const placed = ({ spec }: ResourceBinding): Record<string, number> =>
  Object.fromEntries((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))
const scheduled = ({ status }: ResourceBinding) => {
  const { status: is, reason, message } = findCondition(status?.conditions, 'Scheduled') ?? {}
  return is === undefined ? undefined : `${is} ${reason}: ${message}`
}
const SUCCESS = 'True Success: Binding has been scheduled successfully.'
const NO_FIT =
  'False NoClusterFit: 0/1 clusters are available: 1 cluster(s) did not match the placement cluster affinity constraint.'
const still = { flowMs: 0 }

const becomes = (name: string, clusters: Record<string, number>, condition: string = SUCCESS) =>
  env.eventually(async () => {
    const binding = await read(name)
    expect(placed(binding)).toEqual(clusters)
    expect(scheduled(binding)).toBe(condition)
    expect(binding.status?.schedulerObservedGeneration).toBe(binding.metadata.generation)
    return binding
  }, still)
const fails = (name: string, condition: string) =>
  env.eventually(async () => {
    const binding = await read(name)
    expect(scheduled(binding)).toBe(condition)
    return binding
  }, still)

/** Waits until the scheduler has processed everything so far: a binding created last is scheduled. */
let probes = 0
async function hasLooked(): Promise<void> {
  const name = `probe-${++probes}`
  await bind(name, { placement: duplicated(), spec: { schedulePriority: { priority: -1_000_000 } } })
  await env.eventually(async () => expect(scheduled(await read(name))).toBeDefined(), still)
}

async function reports(name: string, status: Partial<NonNullable<Cluster['status']>>): Promise<void> {
  await env.client.patch(clusterKind, { name }, { type: 'merge', value: { status } }, { subresource: 'status' })
}
const hasRoom = (name: string, cpu: string) =>
  reports(name, { resourceSummary: { allocatable: { cpu, memory: '256Gi', pods: '1000' } } })

describe('a new binding', () => {
  test('is placed, and the status has time and generation', async () => {
    await env.createCluster('member1')
    await env.createCluster('member2')
    await run()
    await bind('web', { replicas: 3, placement: byWeight({ member1: 2, member2: 1 }) })
    const { metadata, status } = await becomes('web', { member1: 2, member2: 1 })
    expect(JSON.parse(metadata.annotations?.['policy.karmada.io/applied-placement'] ?? '')).toEqual(
      byWeight({ member1: 2, member2: 1 }),
    )
    expect(status).toEqual({
      schedulerObservedGeneration: 2,
      lastScheduledTime: '2026-01-01T00:00:00Z',
      conditions: [
        {
          type: 'Scheduled',
          status: 'True',
          reason: 'Success',
          message: 'Binding has been scheduled successfully.',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })
  })

  test('is reported by events on the binding and on its template', async () => {
    await env.createCluster('member1')
    await run()
    await bind('web', { replicas: 3 })
    await env.create(clusterResourceBinding, aClusterBinding('role'))
    const message = 'Binding has been scheduled successfully. Result'
    await env.eventually(async () => {
      const events = (await env.recordedEvents()).map(
        (event) =>
          `${event.type} ${event.reason} ${event.involvedObject.kind}/${event.involvedObject.name} ${event.message} ${event.source?.component}`,
      )
      expect(events.toSorted()).toEqual([
        `Normal ScheduleBindingSucceed ClusterResourceBinding/role-clusterrole ${message} {member1:0} default-scheduler`,
        `Normal ScheduleBindingSucceed ClusterRole/role ${message} {member1:0} default-scheduler`,
        `Normal ScheduleBindingSucceed Deployment/web ${message}: {member1:3} default-scheduler`,
        `Normal ScheduleBindingSucceed ResourceBinding/web-deployment ${message}: {member1:3} default-scheduler`,
      ])
    }, still)
  })

  test.each([
    ['names another scheduler', { spec: { schedulerName: 'other' } }],
    ['has no label of a policy', { metadata: { labels: {} } }],
  ] satisfies [string, BindingOptions][])('is ignored if it %s', async (_name, options) => {
    await env.createCluster('member1')
    await run()
    await bind('web', options)
    await hasLooked()
    expect((await read('web')).status).toBeUndefined()
  })
})

test('a higher priority goes first', async () => {
  await env.createCluster('member1')
  for (const [name, priority] of [
    ['low', 0],
    ['lowest', -5],
    ['high', 100],
  ] as const)
    await bind(name, { spec: { schedulePriority: { priority } } })
  await run({ concurrency: 1 })
  for (const name of ['low', 'lowest', 'high']) await becomes(name, { member1: 1 })
  const events = (await env.recordedEvents()).filter(({ involvedObject }) => involvedObject.kind === 'ResourceBinding')
  const order = events.toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
  expect(order.map(({ involvedObject }) => involvedObject.name)).toEqual([
    'high-deployment',
    'low-deployment',
    'lowest-deployment',
  ])
})

describe('a placed binding', () => {
  test('follows its replicas and keeps the current result', async () => {
    await env.createCluster('member1')
    await env.createCluster('member2')
    await run()
    await bind('web', { replicas: 2, placement: aggregated(), clusters: [{ name: 'member2', replicas: 2 }] })
    await becomes('web', { member2: 2 })
    await change('web', { replicas: 5 })
    await becomes('web', { member2: 5 })
  })

  test('is not written again if nothing changes, with any kind of placement', async () => {
    for (const name of ['member1', 'member2']) await env.createCluster(name)
    await run()
    await bind('divided', { replicas: 4, placement: aggregated('member1') })
    await bind('duplicated', { replicas: 4 })
    await becomes('divided', { member1: 4 })
    await becomes('duplicated', { member1: 4, member2: 4 })
    await hasLooked()
    const versions = async () =>
      Promise.all(['divided', 'duplicated'].map(async (name) => (await read(name)).metadata.resourceVersion))
    const before = await versions()
    await env.advance(60_000)
    await env.client.patch(
      clusterKind,
      { name: 'member1' },
      { type: 'merge', value: { metadata: { labels: { tier: 'gold' } } } },
    )
    await hasLooked()
    expect(await versions()).toEqual(before)
    // One write of the result and one report each.
    expect((await read('divided')).metadata.generation).toBe(2)
  })

  test('reports success although other clients write its status all the time', async () => {
    await env.createCluster('member1')
    let count = 0
    const aggregate = async (): Promise<void> => {
      const status = { aggregatedStatus: [{ ...healthyIn('member1'), appliedMessage: String(count++) }] }
      await env.client.patch(
        resourceBinding,
        ref('web'),
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      )
    }
    await run({}, faulty({ verb: 'patch', kind: resourceBinding, name: 'web-deployment', times: 3, before: aggregate }))
    await bind('web', { replicas: 2 })
    const { status } = await env.eventually(async () => {
      const binding = await read('web')
      expect(scheduled(binding)).toBe(SUCCESS)
      return binding
    })
    expect(status?.aggregatedStatus).toHaveLength(1)
    expect(count).toBe(3)
  })

  test('is reported as moved although its spec changes before the report', async () => {
    await env.createCluster('member1')
    const before = {
      type: 'Scheduled',
      status: 'True',
      reason: 'Success',
      message: 'Binding has been scheduled successfully.',
      lastTransitionTime: '2025-12-31T00:00:00Z',
    } as const
    await bind('web', {
      replicas: 2,
      placement: aggregated(),
      clusters: [{ name: 'gone', replicas: 2 }],
      status: { lastScheduledTime: '2025-12-31T00:00:00Z', conditions: [before] },
    })
    let isTaskDone = false
    const endTask = async (): Promise<void> => {
      if (isTaskDone) return
      isTaskDone = true
      await change('web', {
        gracefulEvictionTasks: [{ fromCluster: 'gone', reason: 'TaintUntolerated', producer: 'TaintManager' }],
      })
    }
    await run({}, faulty({ verb: 'patch', kind: resourceBinding, name: 'web-deployment', after: endTask }))
    const { status } = await becomes('web', { member1: 2 })
    expect(isTaskDone).toBe(true)
    expect(status?.lastScheduledTime).toBe('2026-01-01T00:00:00Z')
    await env.eventually(
      async () =>
        expect((await env.recordedEvents()).map(({ message }) => message)).toContain(
          'Binding has been scheduled successfully. Result: {member1:2}',
        ),
      { flowMs: 100 },
    )
  })

  test('gets its report if an earlier reconcile stopped after writing the result', async () => {
    await env.createCluster('member1')
    const crash = (): never => {
      throw new Error('killed')
    }
    let writes = 0
    await run(
      {},
      faulty({
        verb: 'patch',
        kind: resourceBinding,
        name: 'web-deployment',
        times: 2,
        before: () => (++writes === 2 ? crash() : undefined),
      }),
    )
    await bind('web', { replicas: 2, placement: aggregated() })
    await env.eventually(async () => expect(scheduled(await read('web'))).toBe(SUCCESS))
    expect((await read('web')).status?.lastScheduledTime).toBeDefined()
  })

  test('leaves a cluster that is being deleted', async () => {
    const draft = aCluster('member1')
    await env.create(clusterKind, {
      ...draft,
      metadata: { ...draft.metadata, finalizers: ['karmada.io/cluster-controller'] },
    })
    await run()
    await bind('web', { replicas: 2, placement: aggregated() })
    await becomes('web', { member1: 2 })
    await env.createCluster('member2')
    await env.client.delete(clusterKind, { name: 'member1' })
    await becomes('web', { member2: 2 })
  })
})

describe('suspension', () => {
  test('a suspended binding is not placed when capacity appears, and is placed when it is resumed', async () => {
    await env.createCluster('member1', { cpu: '100m' })
    await run()
    await bind('web', { replicas: 5, cpu: '1', placement: aggregated() })
    await env.eventually(async () => expect(scheduled(await read('web'))).toContain('False Unschedulable'), still)
    await change('web', { suspension: { scheduling: true } })
    await hasRoom('member1', '64')
    await env.advance(3_600_000)
    await hasLooked()
    expect(placed(await read('web'))).toEqual({})
    await change('web', { suspension: { scheduling: false } })
    await becomes('web', { member1: 5 })
  })

  test('a trigger of a suspended binding is processed when it is resumed', async () => {
    for (const name of ['member1', 'member2']) await env.createCluster(name)
    await run()
    await bind('web', { replicas: 4, placement: byWeight({ member1: 1, member2: 1 }) })
    await becomes('web', { member1: 2, member2: 2 })
    await env.client.patch(resourceBinding, ref('web'), {
      type: 'merge',
      value: {
        metadata: { annotations: { [HELD_PLACED_ANNOTATION]: 'default/line' } },
        spec: { suspension: { scheduling: true } },
      },
    })
    await env.advance(10_000)
    await trigger('web', '2026-01-01T00:00:05Z')
    await hasLooked()
    expect((await read('web')).status?.lastScheduledTime).toBe('2026-01-01T00:00:00Z')
    await change('web', { suspension: { scheduling: false } })
    await env.eventually(
      async () => expect((await read('web')).status?.lastScheduledTime).toBe('2026-01-01T00:00:10Z'),
      still,
    )
  })
})

describe('a fresh run', () => {
  beforeEach(async () => {
    await env.createCluster('member1', { cpu: '3' })
    await env.createCluster('member2', { cpu: '3' })
  })

  test('moves an aggregated workload to one cluster again once it fits', async () => {
    await run()
    await bind('web', { replicas: 6, cpu: '1', placement: aggregated() })
    await becomes('web', { member1: 3, member2: 3 })
    await hasRoom('member2', '16')
    await hasLooked()
    expect(placed(await read('web'))).toEqual({ member1: 3, member2: 3 })
    await env.advance(60_000)
    await trigger('web', '2026-01-01T00:00:30Z')
    const { status } = await becomes('web', { member2: 6 })
    expect(status?.lastScheduledTime).toBe('2026-01-01T00:01:00Z')
    expect(status?.conditions?.[0]?.lastTransitionTime).toBe('2026-01-01T00:00:00Z')
  })

  test('starts with the first affinity group again', async () => {
    await env.client.patch(
      clusterKind,
      { name: 'member1' },
      {
        type: 'merge',
        value: { metadata: { labels: { up: 'no' } }, spec: { taints: [{ key: 'down', effect: 'NoSchedule' }] } },
      },
    )
    await run()
    await bind('web', { replicas: 2, placement: inGroups({ primary: ['member1'], backup: ['member2'] }) })
    expect((await becomes('web', { member2: 2 })).status?.schedulerObservingAffinityName).toBe('backup')
    await env.client.patch(clusterKind, { name: 'member1' }, { type: 'merge', value: { spec: { taints: null } } })
    await hasLooked()
    expect(placed(await read('web'))).toEqual({ member2: 2 })
    await env.advance(60_000)
    await trigger('web', '2026-01-01T00:00:30Z')
    const { status } = await becomes('web', { member1: 2 })
    expect(status?.schedulerObservingAffinityName).toBe('primary')
  })

  test('processes one trigger exactly once, also one dated to the next second', async () => {
    await run()
    await bind('web', { replicas: 2, placement: aggregated('member1') })
    await becomes('web', { member1: 2 })
    await trigger('web', '2026-01-01T00:00:01Z')
    await env.eventually(
      async () => expect((await read('web')).status?.lastScheduledTime).toBe('2026-01-01T00:00:02Z'),
      still,
    )
    await change('web', { replicas: 3 })
    const { status } = await becomes('web', { member1: 3 })
    expect(status?.lastScheduledTime).toBe('2026-01-01T00:00:02Z')
  })

  test('does not report a trigger as processed that was written while it ran', async () => {
    let stamped = false
    const stamp = async (): Promise<void> => {
      if (stamped) return
      stamped = true
      await trigger('web', '2026-01-01T00:00:00Z')
    }
    const seen: string[] = []
    await bind('web', {
      replicas: 2,
      placement: aggregated('member1'),
      clusters: [{ name: 'member1', replicas: 1 }],
      status: { lastScheduledTime: '2025-12-31T00:00:00Z' },
    })
    const context = faulty({
      verb: 'patch',
      kind: resourceBinding,
      times: 100,
      after: stamp,
      before: async () => void seen.push((await read('web')).status?.lastScheduledTime ?? ''),
    })
    await run({}, context)
    await env.eventually(async () => {
      const { metadata, status } = await read('web')
      expect(status?.lastScheduledTime).toBe('2026-01-01T00:00:01Z')
      expect(status?.schedulerObservedGeneration).toBe(metadata.generation)
    })
    // The report of the first reconcile was rejected, so the trigger was still pending when the second began.
    expect(seen.length).toBeGreaterThanOrEqual(3)
  })

  test('without a feasible cluster keeps the replicas, says why, and is processed when a cluster fits again', async () => {
    const tier = (value: string | null) =>
      env.client.patch(
        clusterKind,
        { name: 'member1' },
        { type: 'merge', value: { metadata: { labels: { tier: value } } } },
      )
    await tier('gold')
    await run()
    await bind('web', {
      replicas: 2,
      placement: { ...aggregated(), clusterAffinity: { labelSelector: { matchLabels: { tier: 'gold' } } } },
    })
    await becomes('web', { member1: 2 })
    await tier(null)
    await env.advance(60_000)
    await trigger('web', '2026-01-01T00:00:30Z')
    const kept = await env.eventually(async () => {
      const binding = await read('web')
      expect(scheduled(binding)).toMatch(/^False NoClusterFit: 0\/2 clusters are available/)
      return binding
    }, still)
    expect(placed(kept)).toEqual({ member1: 2 })
    expect(kept.status?.lastScheduledTime).toBe('2026-01-01T00:00:00Z')
    await tier('gold')
    expect((await becomes('web', { member1: 2 })).status?.lastScheduledTime).toBe('2026-01-01T00:01:00Z')
  })
})

describe('a binding that cannot be placed', () => {
  test('loses its clusters when none fits any more, and gets one as soon as one fits', async () => {
    await env.createCluster('member1')
    await run()
    await bind('web', { replicas: 2, placement: aggregated('member2') })
    expect(placed(await fails('web', NO_FIT))).toEqual({})
    await env.createCluster('member2')
    await becomes('web', { member2: 2 })
  })

  test.each([
    ['gets room', () => hasRoom('member1', '64')],
    [
      'loses a taint',
      () =>
        env.client
          .patch(clusterKind, { name: 'member1' }, { type: 'merge', value: { spec: { taints: null } } })
          .then(() => undefined),
    ],
    [
      'gets a label',
      () =>
        env.client
          .patch(clusterKind, { name: 'member1' }, { type: 'merge', value: { metadata: { labels: { tier: 'gold' } } } })
          .then(() => undefined),
    ],
    ['serves its kind', () => reports('member1', { apiEnablements: aCluster('x').status?.apiEnablements ?? [] })],
  ])('is placed as soon as the cluster %s', async (what, happens) => {
    await env.createCluster('member1', {
      ...(what === 'gets room' && { cpu: '100m' }),
      ...(what === 'loses a taint' && { taints: [{ key: 'down', effect: 'NoSchedule' }] }),
    })
    if (what === 'serves its kind') await reports('member1', { apiEnablements: [] })
    const gold = { ...aggregated(), clusterAffinity: { labelSelector: { matchLabels: { tier: 'gold' } } } }
    await run()
    await bind('web', { replicas: 2, cpu: '1', placement: what === 'gets a label' ? gold : aggregated() })
    await env.eventually(async () => expect(scheduled(await read('web'))).toMatch(/^False/), still)
    await happens()
    await becomes('web', { member1: 2 })
  })

  test('waits for five minutes without wakeOnCapacity, as upstream', async () => {
    await env.createCluster('member1', { cpu: '100m' })
    await run({ wakeOnCapacity: false })
    await bind('web', { replicas: 2, cpu: '1', placement: aggregated() })
    await fails(
      'web',
      'False Unschedulable: failed to assign replicas: failed to scale up: Clusters available replicas 0 are not enough to schedule.',
    )
    await hasRoom('member1', '64')
    await hasLooked()
    await env.advance(299_000)
    await hasLooked()
    expect(placed(await read('web'))).toEqual({})
    await env.advance(1000)
    await becomes('web', { member1: 2 })
  })

  test('is reported once, however often it is reconciled', async () => {
    await env.createCluster('member1', { cpu: '100m' })
    await run()
    await bind('web', { replicas: 2, cpu: '1', placement: aggregated() })
    await env.eventually(async () => expect(scheduled(await read('web'))).toMatch(/^False/), still)
    for (const cpu of ['110m', '120m', '130m']) {
      await hasRoom('member1', cpu)
      await hasLooked()
    }
    const failures = (await env.recordedEvents()).filter(
      ({ reason, involvedObject }) => reason === 'ScheduleBindingFailed' && involvedObject.name === 'web',
    )
    expect(failures).toMatchObject([{ count: 1, type: 'Warning' }])
  })

  test('for a reason other than capacity or filters is retried after some seconds', async () => {
    await env.createCluster('member1')
    await run({ wakeOnCapacity: false })
    await bind('web', {
      replicas: 2,
      placement: { ...duplicated(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 2 }] },
    })
    await env.eventually(async () => expect(scheduled(await read('web'))).toMatch(/^False SchedulerError/), still)
    await env.createCluster('member2')
    await env.eventually(async () => expect(placed(await read('web'))).toEqual({ member1: 2, member2: 2 }), {
      flowMs: 100,
    })
  })
})
