/** What an operator sees of an outage and of the way back, through the BFF alone, over every loop and simulated members. */
import { expect, onTestFinished, test } from 'vitest'
import { cluster, deployment, propagationPolicy } from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER, SIM_STATE } from '@/lib/kube/simulation'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import type { WorkloadDetailView, WorkloadView } from '@/lib/view/model'
import type { RebalancePlanView, RebalancerRowView } from '@/lib/view/rebalance-model'
import { memberSimulation } from '@/server/members'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { namespaceSyncController } from '@/server/reconcilers/namespace-sync'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { taintManagerController } from '@/server/reconcilers/taint-manager'
import { workStatusController } from '@/server/reconcilers/work-status'
import { workloadRebalancerController } from '@/server/reconcilers/workload-rebalancer'
import { type Env, startEnv } from '@/server/testing/start-env'
import { call } from './testing/call'
import type { TestReader } from './testing/live-client'
import { startBff } from './testing/start-bff'

const WEB = 'apps~v1/Deployment/shop/web'
const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }

async function startControlPlane(): Promise<Env> {
  const env = await startEnv()
  onTestFinished(() => env.close())
  const context = env.context()
  await env.run(
    ...memberSimulation(context),
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    namespaceSyncController(context),
    clusterStatusController(context, { frequencyMs: 1000, successThresholdMs: 2000, failureThresholdMs: 3000 }),
    clusterController(context, { noExecuteAfterMs: 5000 }),
    taintManagerController(context, { resourceEvictionRate: 20 }),
    gracefulEvictionController(context),
    workloadRebalancerController(context),
  )
  for (const name of ['m1', 'm2']) {
    await env.client.create(cluster, {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '1s' } },
      spec: { syncMode: 'Push' },
    })
  }
  return env
}

async function deployWeb(env: Env): Promise<void> {
  await env.createNamespace('shop')
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 4 }))
  await env.client.create(
    propagationPolicy,
    aPolicy('web', {
      namespace: 'shop',
      deployments: ['web'],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
        clusterTolerations: [
          { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
        ],
      },
    }),
  )
}

/** Where the replicas of the workload run, and how it is. */
function shown(reader: TestReader): { now: string; state: string | undefined } {
  const view = reader.held[WEB] as WorkloadView | undefined
  const now = (view?.cells ?? [])
    .map(({ cluster, current, old = 0 }) => ({ cluster, replicas: current + old }))
    .filter(({ replicas }) => replicas > 0)
    .map(({ cluster, replicas }) => `${cluster} ${replicas}`)
  return { now: now.join(' · '), state: view?.state.state }
}

const setState = (env: Env, state: string | null) =>
  env.client.patch(
    cluster,
    { name: 'm2' },
    { type: 'merge', value: { metadata: { annotations: { [SIM_STATE]: state } } } },
  )

test('replicas leave a lost cluster, stay away when it is back, and come home with a rebalance', async () => {
  const env = await startControlPlane()
  const { client, informers, clock } = env
  const { url, read } = await startBff({ client, informers, clock })
  const workloads = read('workloads')
  const clusters = read('clusters')
  await env.eventually(() =>
    expect(clusters.held).toMatchObject({ m1: { ready: 'True', cpu: {} }, m2: { ready: 'True', cpu: {} } }),
  )
  await deployWeb(env)
  await env.eventually(() => expect(shown(workloads)).toEqual({ now: 'm1 2 · m2 2', state: 'ok' }))

  await setState(env, 'down')
  await env.eventually(() => expect(clusters.held['m2']).toMatchObject({ ready: 'False', state: { state: 'fail' } }))
  await env.eventually(
    () =>
      expect(workloads.held[WEB]).toMatchObject({
        cells: expect.arrayContaining([expect.objectContaining({ cluster: 'm1', ready: 4 })]),
      }),
    { timeoutMs: 25_000 },
  )
  await setState(env, null)
  await env.eventually(() => expect(shown(workloads)).toEqual({ now: 'm1 4', state: 'ok' }), { timeoutMs: 25_000 })

  const targets = [web]
  const plan = await env.eventually(async () => {
    const view = (await call(`${url}/api/v1/rebalance-previews`, { body: { targets } })).json as RebalancePlanView
    expect(view.targets).toMatchObject([{ verdict: 'moves', moved: 2 }])
    return view
  })
  const { json, status } = await call(`${url}/api/v1/rebalancers`, { body: { targets, base: plan.base } })
  expect(status).toBe(201)
  const rebalancers = read('rebalancers')
  const { name } = json as { name: string }
  await env.eventually(
    () =>
      expect((rebalancers.held[name] as RebalancerRowView | undefined)?.state).toEqual({
        state: 'ok',
        reason: message('rebalance.state.done', { total: 1, moved: 2 }),
      }),
    { timeoutMs: 25_000 },
  )
  // Each collection arrives at its own pace.
  await env.eventually(() => expect(shown(workloads)).toEqual({ now: 'm1 2 · m2 2', state: 'ok' }))

  const page = read(`workload/${WEB}`)
  await env.eventually(() => {
    const { timeline = [], why = [] } = (page.held[WEB] ?? {}) as Partial<WorkloadDetailView>
    const told = timeline.map(({ title, detail }) => `${english.of(title)}: ${english.of(detail)}`)
    expect(told).toContainEqual(`Moved: m1 4 → m1 2 · m2 2 (rebalance ${name} by test-admin)`)
    expect(told).toContainEqual(`Rebalance requested: ${name}: triggered`)
    expect(told).toContainEqual(expect.stringContaining('ScheduleBindingSucceed'))
    expect(why.map(({ cluster, fits }) => [cluster, fits])).toEqual([
      ['m1', true],
      ['m2', true],
    ])
  })
}, 120_000)
