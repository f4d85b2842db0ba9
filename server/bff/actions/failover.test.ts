import { message } from '@/lib/messages/message'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { aBinding } from '@/lib/testing/builders'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { ready, sampleBinding, sampleCluster } from '@/lib/view/project/testing/samples'
import { EventLoopTurns } from '@/server/runtime/turns'
import type { JournalEntry } from '@/lib/view/journal'
import type { FailoverPlanView } from '@/lib/view/failover-model'
import { startEnv } from '@/server/testing/start-env'
import { EVERYTHING } from '../access/scope'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { call } from '../testing/call'
import { FedInformers } from '../testing/fed-informers'
import { eventually, startBff } from '../testing/start-bff'
import { workloadRowsOf } from '../testing/workload-rows'
import { blockersIn } from './failover'

const WEB = 'apps~v1/Deployment/demo/web'
const dynamic = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
} as const
const key = { namespace: 'demo', name: 'web-deployment' }

/** Two clusters, and one workload in the first of them. No controller runs, so requests stay visible. */
async function startFleet() {
  const env = await startEnv()
  onTestFinished(() => env.close())
  await env.createNamespace('demo')
  for (const name of ['m1', 'm2']) await env.createCluster(name)
  await env.create(
    resourceBinding,
    aBinding('web', {
      namespace: 'demo',
      replicas: 4,
      placement: dynamic,
      clusters: [{ name: 'm1', replicas: 4 }],
      status: { lastScheduledTime: '2025-12-31T00:00:00Z', schedulerObservedGeneration: 1 },
    }),
  )
  const { client, informers, clock } = env
  const about = { mode: 'embedded' as const, server: env.url, user: 'test-admin', reconcilers: () => [] }
  const bff = await startBff({ client, informers, clock, about })
  await eventually(async () => expect((await call(`${bff.url}/readyz`)).status).toBe(200))
  const plan = async (order: object) =>
    (await call(`${bff.url}/api/v1/failover-previews`, { body: order })).json as FailoverPlanView
  const action = (order: object, base: string) => call(`${bff.url}/api/v1/failover-actions`, { body: { order, base } })
  const order = async (what: object) => action(what, (await plan(what)).base)
  /** Waits until the caches have the present version. */
  const seen = async (version: string | undefined) =>
    eventually(() =>
      expect(informers.of(resourceBinding).get('demo/web-deployment')?.metadata.resourceVersion).toBe(version),
    )
  const spec = async () => {
    const binding = await client.get(resourceBinding, key)
    await seen(binding.metadata.resourceVersion)
    return binding.spec
  }
  return {
    env,
    url: bff.url,
    plan,
    action,
    order,
    spec,
    taints: async () => (await client.get(cluster, { name: 'm1' })).spec.taints,
  }
}

const evict = (purgeMode: string) => ({ action: 'evict', workload: WEB, cluster: 'm1', purgeMode })

describe('evicting by hand', () => {
  test('has a preview with its result, which changes nothing', async () => {
    const { plan, spec } = await startFleet()
    expect(await plan(evict('Gracefully'))).toMatchObject({
      action: 'evict',
      object: { kind: 'ResourceBinding', ...key },
      before: [{ cluster: 'm1', replicas: 4 }],
      after: [{ cluster: 'm2', replicas: 4 }],
      warnings: [],
    })
    expect((await plan(evict('Directly'))).warnings).toHaveLength(1)
    expect((await spec()).gracefulEvictionTasks).toBeUndefined()
  })

  test.each(['Directly', 'Gracefully', 'Never'])(
    'writes one task with purge mode %s and takes the cluster out of the result',
    async (purgeMode) => {
      const { order, spec } = await startFleet()
      expect((await order(evict(purgeMode))).json).toEqual({ asked: true })
      const { gracefulEvictionTasks, clusters = [] } = await spec()
      expect(clusters).toEqual([])
      expect(gracefulEvictionTasks).toMatchObject([
        {
          fromCluster: 'm1',
          producer: 'evenkeel',
          reason: 'AskedFor',
          message: 'asked for by test-admin',
          replicas: 4,
          purgeMode,
        },
      ])
      expect(gracefulEvictionTasks?.[0]?.suppressDeletion).toBe(purgeMode === 'Never' ? true : undefined)
    },
  )

  test('is not done when the binding changed since, and the new plan is in the refusal', async () => {
    const { env, plan, action, spec } = await startFleet()
    const { base } = await plan(evict('Gracefully'))
    await env.client.patch(resourceBinding, key, { type: 'merge', value: { spec: { replicas: 6 } } })
    const answer = await action(evict('Gracefully'), base)
    expect(answer).toMatchObject({ status: 409, json: { reason: 'PlanOutdated', plan: { action: 'evict' } } })
    expect((await spec()).gracefulEvictionTasks).toBeUndefined()
  })

  test('is done though the status changed since: what was planned still holds', async () => {
    const { env, plan, action, spec } = await startFleet()
    const { base } = await plan(evict('Gracefully'))
    await env.client.patch(
      resourceBinding,
      key,
      { type: 'merge', value: { status: { lastScheduledTime: '2026-01-01T00:00:09Z' } } },
      { subresource: 'status' },
    )
    expect((await action(evict('Gracefully'), base)).json).toEqual({ asked: true })
    expect((await spec()).gracefulEvictionTasks).toHaveLength(1)
  })

  test('is refused where there is nothing to evict', async () => {
    const { url } = await startFleet()
    const ask = (body: object) => call(`${url}/api/v1/failover-previews`, { body })
    expect(await ask({ ...evict('Gracefully'), cluster: 'm2' })).toMatchObject({
      status: 409,
      json: { reason: 'NothingToDo' },
    })
    expect(await ask({ ...evict('Gracefully'), workload: 'apps~v1/Deployment/demo/none' })).toMatchObject({
      status: 404,
    })
    expect(await ask(evict('Sometimes'))).toMatchObject({ status: 400 })
  })
})

test('an old copy is kept, then released', async () => {
  const { order, spec, plan, url } = await startFleet()
  await order(evict('Gracefully'))
  await spec()
  await order({ action: 'keep', workload: WEB, cluster: 'm1' })
  expect((await spec()).gracefulEvictionTasks).toMatchObject([{ suppressDeletion: true }])
  expect(
    await call(`${url}/api/v1/failover-previews`, { body: { action: 'keep', workload: WEB, cluster: 'm1' } }),
  ).toMatchObject({ status: 409 })
  expect((await plan({ action: 'release', workload: WEB, cluster: 'm1' })).warnings).toEqual([
    message('failover.plan.lastReplicas'),
  ])
  await order({ action: 'release', workload: WEB, cluster: 'm1' })
  expect((await spec()).gracefulEvictionTasks).toMatchObject([{ suppressDeletion: false }])
})

test('a cluster is drained with a look at what leaves it, and put back into service', async () => {
  const { order, plan, taints, env } = await startFleet()
  expect(await plan({ action: 'drain', cluster: 'm1' })).toMatchObject({
    effects: [message('failover.plan.drain', { cluster: 'm1' }), message('failover.plan.drainMoves', { workloads: 1 })],
    object: { kind: 'Cluster', name: 'm1' },
  })
  await order({ action: 'drain', cluster: 'm1' })
  expect(await taints()).toMatchObject([{ key: 'evenkeel.io/drained', effect: 'NoExecute' }])
  await eventually(() => expect(env.informers.of(cluster).get('m1')?.spec.taints).toHaveLength(1))
  await order({ action: 'undrain', cluster: 'm1' })
  expect((await taints()) ?? []).toEqual([])
})

test('the journal is given out as a JSON list, and a senseless question is refused', async () => {
  const { url, order, spec } = await startFleet()
  await order(evict('Gracefully'))
  await spec()
  const answer = await call(`${url}/api/v1/journal?workload=${encodeURIComponent(WEB)}&download=1`)
  expect(answer.headers['content-disposition']).toContain('evenkeel-journal.json')
  expect((answer.json as JournalEntry[]).map(({ what }) => what)).toEqual(expect.arrayContaining(['task', 'placement']))
  const elsewhere = (await call(`${url}/api/v1/journal?cluster=m2`)).json as JournalEntry[]
  expect(elsewhere.filter(({ what }) => what !== 'load')).toEqual([])
  const [first, ...others] = (await call(`${url}/api/v1/journal?cluster=m1&since=2000-01-01T00:00:00Z`))
    .json as JournalEntry[]
  expect(first).toMatchObject({ what: 'gap', why: 'unrecorded', from: '2000-01-01T00:00:00Z' })
  expect(others.filter(({ what }) => what === 'gap')).toEqual([])
  for (const question of ['since=yesterday', 'colour=red', 'workload=']) {
    expect(await call(`${url}/api/v1/journal?${question}`)).toMatchObject({ status: 400, json: { reason: 'Invalid' } })
  }
})

test('reasons for blocked failovers are listed by cluster', async () => {
  const { url, env } = await startFleet()
  const lost = [
    {
      type: 'Ready',
      status: 'False' as const,
      reason: 'ClusterNotReachable',
      message: 'gone',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]
  await env.client.patch(
    cluster,
    { name: 'm1' },
    { type: 'merge', value: { status: { conditions: lost } } },
    { subresource: 'status' },
  )
  await eventually(async () =>
    expect((await call(`${url}/api/v1/clusters/m1/blockers`)).json).toMatchObject({
      cluster: 'm1',
      reasons: [{ reason: 'taintOnlyBlocksScheduling', workloads: [WEB] }],
    }),
  )
})

test('the event loop has its turns while the reasons of many workloads are counted', async () => {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const views = workloadRowsOf(cache, clock)
  informers.of(propagationPolicy)
  informers.of(cluster).put(sampleCluster('m1', { status: ready('Unknown') }))
  const names = Array.from({ length: 60 }, (_, at) => `web-${at}`)
  for (const name of names) informers.of(resourceBinding).put(sampleBinding({ name }))
  let [now, served] = [0, 0]
  const turns = new EventLoopTurns({
    now: () => (now += 1),
    afterOthers: (goOn) =>
      setImmediate(() => {
        served += 1
        goOn()
      }),
  })
  const { reasons } = await blockersIn({ cache, clock, views }, 'm1', { scope: EVERYTHING, turns })
  expect(reasons.map(({ workloads }) => workloads.length)).toEqual([names.length])
  expect(served).toBeGreaterThan(3)
})
