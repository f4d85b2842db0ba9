/** The loop and the webhooks that the chart's role covers, run under that role on an API server that enforces it. */
import { expect, onTestFinished, test } from 'vitest'
import { QUEUE_FINALIZER } from '@/lib/domain/queue'
import {
  clusterRole, clusterRoleBinding, mutatingWebhookConfiguration, role, roleBinding, validatingWebhookConfiguration,
} from '@/lib/kube/kinds'
import { queue } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { Kind } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import { aBinding, aggregated } from '@/lib/testing/builders'
import { selfSigned } from '@/server/apiserver'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { queueController } from '@/server/reconcilers/queue'
import { createManager } from '@/server/runtime/manager'
import type { ReconcilerContext } from '@/server/runtime/controller'
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
  const objects =
    renderChart('deploy/chart', { rbac: { create: true }, ...values })['rbac.yaml'] as unknown as KubeObject[]
  for (const object of objects) await env.client.create(kinds.find((each) => each.kind === object.kind)!, object)
  const errors: unknown[] = []
  const client = env.client.as(CONSOLE)
  const onError = (error: unknown): void => void errors.push(error)
  const { clock, log, random } = env.context()
  const informers = createInformers({ client, clock: systemClock, random, onError })
  const events = createEventRecorder({ client, clock, random, onError })
  return { env, errors, context: { client, informers, clock, events, log, random } }
}

test('queues are kept, held, reported and told about, and the webhooks are registered', async () => {
  const { env, context, errors } = await start({ reconcilers: 'queue', webhook: { enabled: true } })
  await env.createNamespace('shop')
  await env.createCluster('member1')
  const pair = selfSigned({ hosts: ['127.0.0.1'], now: systemClock.now() })
  const webhooks = await startWebhooks(context, { host: '127.0.0.1', port: 0, pair })
  const manager = createManager(context)
  onTestFinished(async () => {
    await manager.stop()
    await webhooks.close()
  })
  for (const loop of [queueController(context), webhooks.registration]) manager.add(loop)
  await manager.start()
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
