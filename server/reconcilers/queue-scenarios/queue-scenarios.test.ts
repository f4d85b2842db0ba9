/** Queues as text; `UPDATE_GOLDEN=1` writes the texts again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SUSPENSION_CONDITION } from '@/lib/domain/placement'
import { PRIORITY_CLASS_ANNOTATION, RELEASED_BY_ANNOTATION } from '@/lib/domain/queue'
import { findCondition } from '@/lib/kube/conditions'
import {
  deployment,
  mutatingWebhookConfiguration,
  propagationPolicy,
  queue,
  type QueueObject,
  type QueueSpec,
  resourceBinding,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { bindingNameOf } from '@/lib/kube/names'
import { aDeployment, aggregated, aPolicy } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { startWebhooks, type Webhooks } from '@/server/webhooks'
import { webhookPair } from '@/server/webhooks/testing/tenants'
import { bindingController } from '../binding'
import { detectorController } from '../detector'
import { queueController } from '../queue'
import { schedulerController } from '../scheduler'
import { createTimeline, type Timeline } from '../testing/timeline'

let env: Env
let timeline: Timeline
let webhooks: Webhooks

beforeEach(async () => {
  env = await startEnv()
  timeline = createTimeline(env)
  timeline.follow(resourceBinding, bindingFacts)
  timeline.follow(queue, queueFacts)
  const { context } = timeline
  await env.createNamespace('karmada-es-member1')
  webhooks = await startWebhooks(context, { host: '127.0.0.1', port: 0, pair: await webhookPair() })
  await env.run(
    webhooks.registration,
    detectorController(context),
    schedulerController(context),
    queueController(context),
    bindingController(context),
  )
})
afterEach(async () => {
  await webhooks.close()
  await env.close()
})

function bindingFacts({ metadata, spec, status }: ResourceBinding): string[] {
  const suspension = findCondition(status?.conditions, SUSPENSION_CONDITION)
  const by = metadata.annotations?.[RELEASED_BY_ANNOTATION]
  return [
    ...(suspension?.status === 'True' ? [`${suspension.reason}: ${suspension.message}`] : []),
    ...(spec.suspension?.scheduling === false && by ? [`released by ${by}`] : []),
    ...(spec.clusters?.length
      ? [`runs in ${spec.clusters.map(({ name, replicas }) => `${name}:${replicas ?? 0}`).join(', ')}`]
      : []),
  ]
}

function queueFacts({ spec, status = {} }: QueueObject): string[] {
  const { pending = 0, inFlight = 0, admitted = 0, headOfLine: head, hold, lastHold } = status
  return [
    ...(spec?.hold ? [`held by ${spec.hold.by ?? 'nobody'}: ${spec.hold.reason}`] : []),
    `${pending} pending, ${inFlight} in flight, ${admitted} admitted`,
    ...(head ? [`first pending workload ${head.name}: ${head.reason}`] : []),
    ...(hold && hold.state !== 'None' ? [`hold is ${hold.state}: ${hold.message}`] : []),
    ...(lastHold?.endedBy ? [`hold ended by ${lastHold.endedBy}`] : []),
  ]
}

interface Applied {
  cpu?: string
  replicas?: number
  class?: string
}

/** A user applies a Deployment. */
async function apply(
  namespace: string,
  name: string,
  { cpu = '1', replicas = 1, class: priority }: Applied = {},
): Promise<void> {
  timeline.note(`apply ${namespace}/${name}: ${replicas} x ${cpu} cpu${priority ? `, ${priority}` : ''}`)
  await env.client.create(deployment, aDeployment(name, { namespace, replicas, cpu, memory: '1Mi' }))
  await env.eventually(() => env.client.get(resourceBinding, { namespace, name: bindingNameOf('Deployment', name) }), {
    flowMs: 0,
  })
  if (priority)
    await env.client.patch(
      resourceBinding,
      { namespace, name: bindingNameOf('Deployment', name) },
      { type: 'merge', value: { metadata: { annotations: { [PRIORITY_CLASS_ANNOTATION]: priority } } } },
    )
}

/** A tenant: a namespace, a policy for all its Deployments, a queue. */
async function tenant(namespace: string, spec: QueueSpec): Promise<void> {
  await env.createNamespace(namespace)
  await env.client.create(propagationPolicy, aPolicy('all', { namespace, placement: aggregated() }))
  await env.client.create(queue, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'Queue',
    metadata: { name: 'line', namespace },
    spec,
  })
  await env.eventually(
    async () => {
      const { webhooks: told = [] } = await env.client.get(mutatingWebhookConfiguration, { name: 'evenkeel-queues' })
      expect(JSON.stringify(told)).toContain(`"${namespace}"`)
    },
    { flowMs: 0 },
  )
}

const change = (namespace: string, spec: object): Promise<QueueObject> =>
  env.client.patch(queue, { namespace, name: 'line' }, { type: 'merge', value: { spec } })

async function remove(namespace: string, name: string): Promise<void> {
  timeline.note(`delete ${namespace}/${name}`)
  await env.client.delete(resourceBinding, { namespace, name: bindingNameOf('Deployment', name) })
  await env.client.delete(deployment, { namespace, name })
}

async function matches(name: string): Promise<void> {
  const file = new URL(`${name}.txt`, import.meta.url)
  const text = await timeline.text()
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
}

test('several tenants: the urgent goes first in each queue, and no tenant starves another', async () => {
  await env.createCluster('member1', { cpu: '4' })
  const classes = [
    { name: 'urgent', value: 100 },
    { name: 'normal', value: 0, default: true },
  ]
  await tenant('red', { maxInFlight: 1, priorityClasses: classes, hold: { reason: 'until everything is there' } })
  await tenant('blue', { maxInFlight: 1, priorityClasses: classes, hold: { reason: 'until everything is there' } })
  await timeline.pass(1)
  for (const name of ['one', 'two', 'three']) {
    await apply('red', name)
    await timeline.pass(1)
  }
  await apply('red', 'now', { class: 'urgent' })
  await timeline.pass(1)
  for (const name of ['first', 'second']) {
    await apply('blue', name)
    await timeline.pass(1)
  }
  timeline.note('both resume: four places for six workloads')
  await Promise.all([change('red', { hold: null }), change('blue', { hold: null })])
  await timeline.pass(10)
  await remove('red', 'now')
  await timeline.pass(10)
  await matches('priority-and-fairness')
})

test('one tenant: over the quota waits, and a hold keeps its word until its end', async () => {
  await env.createCluster('member1')
  await tenant('shop', { quota: { hard: { cpu: '2' } } })
  await timeline.pass(1)
  for (const name of ['a', 'b', 'c']) {
    await apply('shop', name)
    await timeline.pass(2)
  }
  await remove('shop', 'a')
  await timeline.pass(5)
  timeline.note('somebody pauses the queue for a minute')
  await change('shop', { hold: { reason: 'stock-taking', until: '2026-01-01T00:01:30Z' } })
  await timeline.pass(2)
  await remove('shop', 'b')
  await apply('shop', 'd')
  await timeline.pass(5)
  await timeline.pass(75)
  await matches('quota-and-hold')
})
