import { afterEach, beforeEach, expect, test } from 'vitest'
import { resourceBinding as bindingKind, type GracefulEvictionTask, type ResourceBinding } from '@/lib/kube/kinds'
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

async function start(options: { clusters?: string[]; rules?: GracefulEvictionOptions } = {}): Promise<void> {
  const clusters = (options.clusters ?? ['new']).map((name) => ({ name, replicas: 2 }))
  await env.create(bindingKind, aBinding('web', { clusters, spec: { gracefulEvictionTasks: [task] }, status: { schedulerObservedGeneration: 1 } }))
  await env.run(gracefulEvictionController(env.context(), options.rules))
}

async function report(...names: string[]): Promise<void> {
  const { metadata } = await read()
  const status = { schedulerObservedGeneration: metadata.generation, aggregatedStatus: names.map(healthyIn) }
  await env.client.patch(bindingKind, REF, { type: 'merge', value: { status } }, { subresource: 'status' })
}

const started = () => env.eventually(async () => expect((await tasks())?.[0]?.creationTimestamp).toBe('2026-01-01T00:00:00Z'), { flowMs: 0 })

test('a task is dropped when its replacement is healthy, and both objects are told', async () => {
  await start()
  await started()
  await report('new')
  await env.eventually(async () => expect(await tasks()).toBeUndefined())
  const { metadata: { annotations } } = await read()
  expect(JSON.parse(annotations!['rebalance.evenkeel.io/left']!)).toEqual([
    { cluster: 'lost', replicas: 2, at: '2026-01-01T00:00:00Z', reason: 'TaintUntolerated' },
  ])
  await env.eventually(async () => {
    const events = await env.recordedEvents()
    expect(events.map(({ involvedObject, reason, message, source }) => [involvedObject.kind, source?.component, reason, message])).toEqual([
      ['ResourceBinding', 'resource-binding-graceful-eviction-controller', 'EvictWorkloadFromClusterSucceed', 'Evict from cluster lost succeed.'],
      ['Deployment', 'resource-binding-graceful-eviction-controller', 'EvictWorkloadFromClusterSucceed', 'Evict from cluster lost succeed.'],
    ])
  })
})

test('a task without a healthy replacement ends with its grace', async () => {
  await start({ rules: { timeoutMs: 60_000 } })
  await started()
  await env.advance(60_000)
  expect(await tasks()).toHaveLength(1)
  await env.advance(1)
  await env.eventually(async () => expect(await tasks()).toBeUndefined(), { flowMs: 0 })
})

test('the last copies stay while nothing is scheduled', async () => {
  await start({ clusters: [] })
  await started()
  await report()
  await env.advance(500_000)
  expect(await tasks()).toHaveLength(1)
})

test('the last copies go at once when told to do as upstream does', async () => {
  await start({ clusters: [], rules: { emptyCountsAsHealthy: true } })
  await report()
  await env.eventually(async () => {
    await report()
    expect(await tasks()).toBeUndefined()
  })
})
