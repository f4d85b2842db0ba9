import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cluster as clusterKind,
  resourceBinding as bindingKind,
  type GracefulEvictionTask,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { PLAN_PRODUCER } from '@/lib/domain/eviction'
import { aBinding, healthyIn } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { gracefulEvictionController, type GracefulEvictionOptions } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const REF = { namespace: 'default', name: 'web-deployment' }
const task = { fromCluster: 'lost', producer: 'TaintManager', reason: 'TaintUntolerated', replicas: 2 }
const tasks = async (): Promise<GracefulEvictionTask[] | undefined> => (await read()).spec.gracefulEvictionTasks
const read = (): Promise<ResourceBinding> => env.client.get(bindingKind, REF)

const eventsOf = async (reason: string) => (await env.recordedEvents()).filter((one) => one.reason === reason)

async function start(
  options: { clusters?: string[]; loop?: GracefulEvictionOptions; task?: Partial<GracefulEvictionTask> } = {},
): Promise<void> {
  for (const name of ['lost', 'new']) await env.createCluster(name)
  const clusters = (options.clusters ?? ['new']).map((name) => ({ name, replicas: 2 }))
  await env.create(
    bindingKind,
    aBinding('web', {
      clusters,
      spec: { gracefulEvictionTasks: [{ ...task, ...options.task }] },
      status: { schedulerObservedGeneration: 1 },
    }),
  )
  await env.run(gracefulEvictionController(env.context(), options.loop))
}

async function report(...names: string[]): Promise<void> {
  const { metadata } = await read()
  const status = { schedulerObservedGeneration: metadata.generation, aggregatedStatus: names.map(healthyIn) }
  await env.client.patch(bindingKind, REF, { type: 'merge', value: { status } }, { subresource: 'status' })
}

const started = () =>
  env.eventually(async () => expect((await tasks())?.[0]?.creationTimestamp).toBe('2026-01-01T00:00:00Z'), {
    flowMs: 0,
  })

test('a task is dropped when its replacement is healthy, with events on both objects', async () => {
  await start()
  await started()
  await report('new')
  await env.eventually(async () => expect(await tasks()).toBeUndefined())
  const {
    metadata: { annotations },
  } = await read()
  expect(JSON.parse(annotations!['rebalance.evenkeel.io/left']!)).toEqual([
    { cluster: 'lost', replicas: 2, at: '2026-01-01T00:00:00Z', reason: 'TaintUntolerated' },
  ])
  await env.eventually(async () => {
    const events = await env.recordedEvents()
    expect(
      events.map(({ involvedObject, reason, message, source }) => [
        involvedObject.kind,
        source?.component,
        reason,
        message,
      ]),
    ).toEqual([
      [
        'ResourceBinding',
        'resource-binding-graceful-eviction-controller',
        'EvictWorkloadFromClusterSucceed',
        'Evict from cluster lost succeed.',
      ],
      [
        'Deployment',
        'resource-binding-graceful-eviction-controller',
        'EvictWorkloadFromClusterSucceed',
        'Evict from cluster lost succeed.',
      ],
    ])
  })
})

test('a task without a healthy replacement ends with its grace period', async () => {
  await start({ loop: { gracefulEvictionTimeoutMs: 60_000 } })
  await started()
  await env.advance(60_000)
  expect(await tasks()).toHaveLength(1)
  await env.advance(1)
  await env.eventually(async () => expect(await tasks()).toBeUndefined(), { flowMs: 0 })
})

test('the last replicas stay while nothing is scheduled', async () => {
  await start({ clusters: [] })
  await started()
  await report()
  await env.advance(500_000)
  expect(await tasks()).toHaveLength(1)
})

test('the last replicas are deleted at once in upstream mode', async () => {
  await start({ clusters: [], loop: { upstreamEviction: true } })
  await report()
  await env.eventually(async () => {
    await report()
    expect(await tasks()).toBeUndefined()
  })
})

test('the grace period restarts as long as the workload is scheduled nowhere, with an event', async () => {
  await start({ clusters: [], loop: { gracefulEvictionTimeoutMs: 120_000 } })
  await started()
  await env.advance(120_001)
  await env.eventually(async () => expect((await tasks())?.[0]?.creationTimestamp).toBe('2026-01-01T00:02:00Z'), {
    flowMs: 0,
  })
  await env.advance(0)
  await env.eventually(async () =>
    expect((await eventsOf('EvictionWaits'))[0]?.message).toBe(
      'The grace period of the old replicas in cluster lost was extended: the workload is not scheduled to any other cluster.',
    ),
  )
})

test('a grace period of zero does not restart continuously', async () => {
  await start({ clusters: [], task: { gracePeriodSeconds: 0 } })
  await started()
  await env.advance(59_000)
  expect((await tasks())?.[0]?.creationTimestamp).toBe('2026-01-01T00:00:00Z')
})

test('a task for a missing cluster is dropped, even one that an operator must release', async () => {
  await start({ task: { fromCluster: 'never-joined', suppressDeletion: true } })
  await env.eventually(async () => expect(await tasks()).toBeUndefined())
})

test('a task is dropped with its cluster', async () => {
  await start({ task: { suppressDeletion: true } })
  await started()
  await env.client.delete(clusterKind, { name: 'lost' })
  await env.eventually(async () => expect(await tasks()).toBeUndefined())
})

test('as upstream, a task for a missing cluster waits like any other', async () => {
  await start({ task: { fromCluster: 'never-joined' }, loop: { rules: { dropUnknownClusters: false } } })
  await started()
  await env.advance(60_000)
  expect(await tasks()).toHaveLength(1)
})

test('old replicas that an operator must release are reported at the start', async () => {
  await start({ task: { suppressDeletion: true } })
  await started()
  await env.eventually(async () => expect(await eventsOf('EvictedCopyKept')).toHaveLength(2))
})

test('old replicas that later need an operator, by a task with a time, are reported once', async () => {
  await start({ task: { creationTimestamp: '2026-01-01T00:00:00Z' } })
  const kept = { ...task, creationTimestamp: '2026-01-01T00:00:00Z', suppressDeletion: true }
  const write = (gracefulEvictionTasks: object[]) =>
    env.client.patch(bindingKind, REF, { type: 'merge', value: { spec: { gracefulEvictionTasks } } })
  await write([kept])
  await env.eventually(async () => expect(await eventsOf('EvictedCopyKept')).toHaveLength(2))
  await write([
    { ...kept, message: 'still' },
    { ...kept, fromCluster: 'new', producer: PLAN_PRODUCER, reason: 'Rebalance' },
  ])
  await report()
  await write([{ ...kept, suppressDeletion: false }])
  await env.eventually(async () => expect(await eventsOf('EvictWorkloadFromClusterSucceed')).toHaveLength(2))
  expect(
    (await eventsOf('EvictedCopyKept')).map(({ count, message }) => [count ?? 1, message?.includes('cluster lost')]),
  ).toEqual([
    [1, true],
    [1, true],
  ])
})

test('old replicas that needed an operator before the start of the controller are not reported again', async () => {
  await start({ task: { suppressDeletion: true, creationTimestamp: '2026-01-01T00:00:00Z' } })
  const released = { ...task, creationTimestamp: '2026-01-01T00:00:00Z', suppressDeletion: false }
  await env.client.patch(bindingKind, REF, { type: 'merge', value: { spec: { gracefulEvictionTasks: [released] } } })
  await env.eventually(async () => expect(await eventsOf('EvictWorkloadFromClusterSucceed')).toHaveLength(2))
  expect(await eventsOf('EvictedCopyKept')).toEqual([])
})

test('a grace period that began in the future restarts now', async () => {
  await start({ task: { creationTimestamp: '2027-01-01T00:00:00Z' } })
  await started()
})
