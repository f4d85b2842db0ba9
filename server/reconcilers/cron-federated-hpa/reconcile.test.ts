import { afterEach, beforeEach, expect, test } from 'vitest'
import { deployment as deploymentKind } from '@/lib/kube/kinds'
import { cronFederatedHpa, type CronFederatedHpa } from '@/lib/kube/kinds/cron-federated-hpa'
import { federatedHpa } from '@/lib/kube/kinds/federated-hpa'
import { type Env, startEnv } from '@/server/testing/start-env'
import { cronFederatedHpaController } from '.'

const ref = { namespace: 'default', name: 'web' }
let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(cronFederatedHpaController(env.context()))
  const labels = { app: 'web' }
  await env.client.create(deploymentKind, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: ref,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  })
})
afterEach(() => env.close())

const toDeployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
type Spec = CronFederatedHpa['spec']
const create = (scaleTargetRef: Spec['scaleTargetRef'], rule: Partial<Spec['rules'][number]>) =>
  env.client.create(cronFederatedHpa, {
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'CronFederatedHPA',
    metadata: ref,
    spec: { scaleTargetRef, rules: [{ name: 'up', schedule: '*/5 * * * *', ...rule }] },
  })
const history = async () => (await env.client.get(cronFederatedHpa, ref)).status?.executionHistories?.[0]
const planned = () => env.eventually(async () => expect((await history())?.nextExecutionTime).toBeDefined())
const replicas = async () => (await env.client.get(deploymentKind, ref)).spec.replicas

test('a workload is scaled at its time, and the status reports it', async () => {
  await create(toDeployment, { targetReplicas: 4 })
  await planned()
  expect(await replicas()).toBe(1)
  await env.advance(5 * 60_000)
  await env.eventually(async () => expect(await replicas()).toBe(4))
  await env.eventually(async () =>
    expect(await history()).toMatchObject({
      nextExecutionTime: '2026-01-01T00:10:00Z',
      successfulExecutions: [{ scheduleTime: '2026-01-01T00:05:00Z', appliedReplicas: 4 }],
    }),
  )
})

test('a suspended rule does nothing', async () => {
  await create(toDeployment, { targetReplicas: 4, suspend: true })
  await env.eventually(async () => expect(await history()).toEqual({ ruleName: 'up' }))
  await env.advance(5 * 60_000)
  expect(await replicas()).toBe(1)
})

test('the bounds of a FederatedHPA are set', async () => {
  await env.client.create(federatedHpa, {
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'FederatedHPA',
    metadata: ref,
    spec: { scaleTargetRef: toDeployment, minReplicas: 1, maxReplicas: 2, metrics: [] },
  })
  const target = { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'FederatedHPA', name: 'web' }
  await create(target, { targetMinReplicas: 2, targetMaxReplicas: 9 })
  await planned()
  await env.advance(5 * 60_000)
  await env.eventually(async () =>
    expect((await env.client.get(federatedHpa, ref)).spec).toMatchObject({ minReplicas: 2, maxReplicas: 9 }),
  )
})

test('a failed scale is recorded and emitted as an event', async () => {
  await create({ ...toDeployment, name: 'other' }, { targetReplicas: 4 })
  await planned()
  await env.advance(5 * 60_000)
  await env.eventually(async () =>
    expect((await history())?.failedExecutions?.[0]?.message).toBe('deployments.apps "other" not found'),
  )
  await env.eventually(async () => expect((await env.recordedEvents()).map((e) => e.reason)).toContain('ScaleFailed'))
})
