/** Loops and webhooks, run with the rights that they are said to need on an API server that enforces them. */
import { expect, onTestFinished, test } from 'vitest'
import { QUEUE_FINALIZER } from '@/lib/domain/queue'
import {
  clusterRole,
  clusterRoleBinding,
  failbackPolicy,
  mutatingWebhookConfiguration,
  rebalancePlan,
  role,
  roleBinding,
  validatingWebhookConfiguration,
} from '@/lib/kube/kinds'
import { queue } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aggregated, byAvailableReplicas } from '@/lib/testing/builders'
import { selfSigned } from '@/server/apiserver'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { failbackController } from '@/server/reconcilers/failback'
import { queueController } from '@/server/reconcilers/queue'
import { rebalancePlanController } from '@/server/reconcilers/rebalance-plan'
import { createManager } from '@/server/runtime/manager'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { systemClock } from '@/server/runtime/system-clock'
import { type Env, startEnv } from '@/server/testing/start-env'
import { startWebhooks } from '@/server/webhooks'
import { renderChart } from './render'

const CONSOLE = { user: 'system:serviceaccount:karmada-system:evenkeel', groups: ['system:authenticated'] }

/** A control plane with the role of a chart, and what loops are given that run as its subject. */
async function start(values: object): Promise<{ env: Env; context: ReconcilerContext; errors: unknown[] }> {
  const env = await startEnv()
  onTestFinished(() => env.close())
  const kinds = [clusterRole, clusterRoleBinding, role, roleBinding] as unknown as Kind[]
  const objects = renderChart('deploy/chart', { rbac: { create: true }, ...values })[
    'rbac.yaml'
  ] as unknown as KubeObject[]
  for (const object of objects)
    await env.client.create(
      kinds.find((each) => each.kind === object.kind)!,
      object,
    )
  const errors: unknown[] = []
  const client = env.client.as(CONSOLE)
  const onError = (error: unknown): void => void errors.push(error)
  const { clock, log, random } = env.context()
  const informers = createInformers({ client, clock: systemClock, random, onError })
  const events = createEventRecorder({ client, clock, random, onError })
  return { env, errors, context: { client, informers, clock, events, log, random } }
}

/** Runs these loops until the test is finished. */
async function run(context: ReconcilerContext, ...loops: Controller[]): Promise<void> {
  const manager = createManager(context)
  onTestFinished(() => manager.stop())
  for (const loop of loops) manager.add(loop)
  await manager.start()
}

test('queues are kept, held, reported and told about, and the webhooks are registered', async () => {
  const { env, context, errors } = await start({ reconcilers: 'queue', webhook: { enabled: true } })
  await env.createNamespace('shop')
  await env.createCluster('member1')
  const pair = await selfSigned({ hosts: ['127.0.0.1'], now: systemClock.now() })
  const webhooks = await startWebhooks(context, { host: '127.0.0.1', port: 0, pair })
  onTestFinished(() => webhooks.close())
  await run(context, queueController(context), webhooks.registration)
  const ref = { namespace: 'shop', name: 'line' }
  await env.client.create(queue, { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', metadata: ref, spec: {} })
  for (const kind of [mutatingWebhookConfiguration, validatingWebhookConfiguration]) {
    await env.eventually(async () => {
      expect(JSON.stringify(await env.client.get(kind as unknown as Kind, { name: 'evenkeel-queues' }))).toContain(
        '"shop"',
      )
    })
  }
  await env.client.create(resourceBinding, aBinding('web', { namespace: 'shop', placement: aggregated() }))
  await env.eventually(async () => {
    const { spec } = await env.client.get(resourceBinding, { namespace: 'shop', name: 'web-deployment' })
    expect(spec.suspension).toEqual({ scheduling: false })
  })
  await env.client.patch(queue, ref, { type: 'merge', value: { spec: { weight: 2, hold: { reason: 'freeze' } } } })
  await env.eventually(async () => {
    const { metadata, status } = await env.client.get(queue, ref)
    expect(metadata.finalizers).toContain(QUEUE_FINALIZER)
    expect(status?.hold?.state).toBe('Effective')
    const told = (await env.recordedEvents()).map(({ reason }) => reason)
    expect(told).toEqual(expect.arrayContaining(['Released', 'Held']))
  })
  expect(errors).toEqual([])
})

/** A workload that had to leave a cluster which is well again. */
async function leftBehind(env: Env): Promise<void> {
  for (const name of ['member1', 'member2']) await env.createCluster(name)
  const placement = byAvailableReplicas()
  const lastTransitionTime = '2025-12-31T00:00:00Z'
  const scheduled = { type: 'Scheduled', status: 'True' as const, reason: 'Success', message: '', lastTransitionTime }
  await env.create(
    resourceBinding,
    aBinding('web', {
      placement,
      replicas: 4,
      clusters: [{ name: 'member2', replicas: 4 }],
      metadata: {
        annotations: {
          'rebalance.evenkeel.io/left': JSON.stringify([
            { cluster: 'member1', replicas: 2, reason: 'TaintUntolerated' },
          ]),
          [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement),
        },
      },
      status: { lastScheduledTime: lastTransitionTime, conditions: [scheduled] },
    }),
  )
}

test('a plan is shown, approved and begun, with the role of the chart', async () => {
  const { env, context, errors } = await start({ reconcilers: 'rebalance-plan' })
  await leftBehind(env)
  await run(context, rebalancePlanController(context))
  const workloads = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }]
  await env.client.create(rebalancePlan, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: { name: 'home' },
    spec: { workloads },
  })
  const base = await env.eventually(async () => {
    const { status } = await env.client.get(rebalancePlan, { name: 'home' })
    expect(status?.phase).toBe('AwaitingApproval')
    return status!.base!
  })
  await env.client.patch(rebalancePlan, { name: 'home' }, { type: 'merge', value: { spec: { base } } })
  await env.eventually(async () => {
    const { spec } = await env.client.get(resourceBinding, { namespace: 'default', name: 'web-deployment' })
    expect(spec.rescheduleTriggeredAt).toBeDefined()
  })
  expect(errors).toEqual([])
})

test('a return is planned and told, with the role of the chart', async () => {
  const { env, context, errors } = await start({ reconcilers: 'failback' })
  await leftBehind(env)
  await run(context, failbackController(context))
  await env.client.create(failbackPolicy, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'FailbackPolicy',
    metadata: { name: 'home' },
    spec: { stabilizationSeconds: 0 },
  })
  await env.eventually(async () => {
    expect((await env.client.list(rebalancePlan)).items).toHaveLength(1)
    expect((await env.client.get(failbackPolicy, { name: 'home' })).status?.conditions?.[0]?.reason).toBe('PlanRunning')
  })
  expect(errors).toEqual([])
})
