import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, type BindingOptions, byWeight } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { federatedResourceQuotaController } from '../federated-resource-quota'
import { schedulerController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('member1')
  await env.create(federatedResourceQuota, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'FederatedResourceQuota',
    metadata: QUOTA,
    spec: { overall: { cpu: '4' } },
  })
})
afterEach(() => env.close())

const QUOTA = { namespace: 'default', name: 'quota' }
const ref = (name: string) => ({ namespace: 'default', name: `${name}-deployment` })
const bind = (name: string, replicas: number, options: BindingOptions = {}) =>
  env.create(resourceBinding, aBinding(name, { replicas, cpu: '1', placement: byWeight({ member1: 1 }), ...options }))
const read = (name: string) => env.client.get(resourceBinding, ref(name))
const change = (name: string, replicas: number) =>
  env.client.patch(resourceBinding, ref(name), { type: 'merge', value: { spec: { replicas } } })
const raiseTo = (cpu: string) =>
  env.client.patch(federatedResourceQuota, QUOTA, { type: 'merge', value: { spec: { overall: { cpu } } } })

const exceeded = (sum: number, limit: number): string =>
  'admission webhook "resourcebinding.karmada.io" denied the request: '
  + `FederatedResourceQuota(default/quota) exceeded for resource cpu: requested sum ${sum}, limit ${limit}.`

/** The clock does not advance, so nothing here depends on a timer. */
const says = (name: string, condition: object, replicas?: number) =>
  env.eventually(
    async () => {
      const { spec, status } = await read(name)
      expect(findCondition(status?.conditions, 'Scheduled')).toMatchObject(condition)
      expect(spec.clusters?.[0]?.replicas).toBe(replicas)
    },
    { flowMs: 0 },
  )
const isScheduled = (name: string, replicas: number) => says(name, { status: 'True', reason: 'Success' }, replicas)
const isRefused = (name: string, message: string, replicas?: number) =>
  says(name, { status: 'False', reason: 'QuotaExceeded', message }, replicas)

/** `web` uses 3 of the 4 CPUs, and `api` requests 2. */
async function oneRefused(options: Parameters<typeof schedulerController>[1] = {}): Promise<void> {
  await env.run(schedulerController(env.context(), options), federatedResourceQuotaController(env.context()))
  await bind('web', 3)
  await isScheduled('web', 3)
  await bind('api', 2)
  await isRefused('api', exceeded(5, 4))
}

test('a binding that exceeds the quota is not placed, and says by how much', async () => {
  await oneRefused()
  const { metadata, spec, status } = await read('api')
  expect(spec.clusters).toBeUndefined()
  expect(metadata.annotations).toBeUndefined()
  expect(status).toEqual({
    conditions: [
      {
        type: 'Scheduled',
        status: 'False',
        reason: 'QuotaExceeded',
        message: exceeded(5, 4),
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  })
  await env.eventually(
    async () => {
      const events = (await env.recordedEvents()).filter(({ type }) => type === 'Warning')
      expect(
        events
          .map(({ reason, message, involvedObject: { kind, name } }) => `${kind}/${name} ${reason} ${message}`)
          .toSorted(),
      ).toEqual([
        `Deployment/api ScheduleBindingFailed ${exceeded(5, 4)}`,
        `ResourceBinding/api-deployment ScheduleBindingFailed ${exceeded(5, 4)}`,
      ])
    },
    { flowMs: 0 },
  )
})

test('a placed binding that exceeds the quota when scaled keeps its replicas', async () => {
  await oneRefused()
  await change('web', 6)
  await isRefused('web', exceeded(6, 4), 3)
})

describe('a rejected binding is placed at once when', () => {
  test('the quota is raised', async () => {
    await oneRefused()
    await raiseTo('5')
    await isScheduled('api', 2)
    expect((await env.client.get(federatedResourceQuota, QUOTA)).status?.overallUsed).toEqual({ cpu: '5' })
  })

  test('another workload becomes smaller', async () => {
    await oneRefused()
    await change('web', 1)
    await isScheduled('api', 2)
  })

  test('another binding is deleted', async () => {
    await oneRefused()
    await env.client.delete(resourceBinding, ref('web'))
    await isScheduled('api', 2)
  })

  test('the quota is deleted', async () => {
    await oneRefused()
    await env.client.delete(federatedResourceQuota, QUOTA)
    await isScheduled('api', 2)
  })

  test('it requests less', async () => {
    await oneRefused()
    await change('api', 1)
    await isScheduled('api', 1)
  })
})

test('a rejected binding that is still too large gets a new message', async () => {
  await oneRefused()
  await change('api', 9)
  await isRefused('api', exceeded(12, 4))
  await raiseTo('10')
  await isRefused('api', exceeded(12, 10))
})

test('without watchQuotas the back-off retries it', async () => {
  await oneRefused({ watchQuotas: false })
  await raiseTo('5')
  await env.eventually(
    async () => expect((await read('api')).spec.clusters).toEqual([{ name: 'member1', replicas: 2 }]),
    { flowMs: 100 },
  )
})
