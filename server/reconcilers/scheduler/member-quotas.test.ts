import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { resourceQuota } from '@/lib/kube/kinds'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { schedulerController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('member1', { annotations: { 'sim.evenkeel.io/nodes': '1' } })
  const quota = { namespace: 'default', name: 'quota' }
  await env.client
    .member('member1')
    .create(resourceQuota, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { ...quota, labels: { 'karmada.io/managed': 'true' } },
      spec: { hard: { 'requests.cpu': '3' } },
    })
  const value = { status: { hard: { 'requests.cpu': '3' }, used: { 'requests.cpu': '0' } } }
  await env.client.member('member1').patch(resourceQuota, quota, { type: 'merge', value }, { subresource: 'status' })
})
afterEach(() => env.close())

const placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
} as const

async function bind(name: string, replicas: number): Promise<void> {
  const draft = aBinding(name, { replicas, cpu: '1', placement })
  const { spec } = draft
  const replicaRequirements = { ...spec.replicaRequirements, namespace: 'default' }
  await env.create(resourceBinding, { ...draft, spec: { ...spec, replicaRequirements } })
}

async function isScheduled(name: string): Promise<string | undefined> {
  const binding = await env.client.get(resourceBinding, { namespace: 'default', name: `${name}-deployment` })
  return findCondition(binding.status?.conditions, 'Scheduled')?.reason
}

test('quotas in members limit what is placed there', async () => {
  await env.run(schedulerController(env.context(), { quotaEstimate: true }))
  await bind('fits', 3)
  await env.eventually(async () => expect(await isScheduled('fits')).toBe('Success'))
  await bind('exceeds', 5)
  await env.eventually(async () => expect(await isScheduled('exceeds')).toBe('Unschedulable'))
})

test('they do not without the gate', async () => {
  await env.run(schedulerController(env.context()))
  await bind('exceeds', 5)
  await env.eventually(async () => expect(await isScheduled('exceeds')).toBe('Success'))
})
