import { afterEach, beforeEach, expect, test } from 'vitest'
import { deployment as deploymentKind, pod as podKind, resourceBinding } from '@/lib/kube/kinds'
import { federatedHpa } from '@/lib/kube/kinds/federated-hpa'
import { type Env, startEnv } from '@/server/testing/start-env'
import { federatedHpaController } from '.'

const ref = { namespace: 'default', name: 'web' }
const labels = { app: 'web' }
const container = { name: 'web', image: 'web', resources: { requests: { cpu: '100m' } } }
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: ref,
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
}
let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('m1', { annotations: { 'sim.evenkeel.io/nodes': '1' } })
  await env.run(federatedHpaController(env.context()))
})
afterEach(() => env.close())

const create = (averageUtilization: number) =>
  env.client.create(federatedHpa, {
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'FederatedHPA',
    metadata: ref,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
    },
  })

/** One pod in the member, which uses between a fifth and four fifths of what it requests. */
async function propagate(): Promise<void> {
  await env.client.create(deploymentKind, deployment)
  await env.client.create(resourceBinding, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { namespace: 'default', name: 'web-deployment' },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', ...ref }, clusters: [{ name: 'm1', replicas: 1 }] },
  })
  const member = env.client.member('m1')
  await member.create(deploymentKind, deployment)
  const scale = { metadata: ref, status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } }
  await member.patch(deploymentKind, ref, { type: 'merge', value: scale }, { subresource: 'status' })
  await member.create(podKind, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...ref, labels },
    spec: { containers: [container] },
  })
  const conditions = [{ type: 'Ready', status: 'True' }]
  const value = { status: { phase: 'Running', conditions } }
  await member.patch(podKind, ref, { type: 'merge', value }, { subresource: 'status' })
}

const replicas = async () => (await env.client.get(deploymentKind, ref)).spec.replicas
const conditions = async () =>
  Object.fromEntries(
    ((await env.client.get(federatedHpa, ref)).status?.conditions ?? []).map(({ type, reason }) => [type, reason]),
  )

test('it grows when the pods use more than they should, within its bounds', async () => {
  await propagate()
  await create(1)
  await env.eventually(async () => expect(await replicas()).toBe(5))
  await env.eventually(async () =>
    expect(await conditions()).toMatchObject({ AbleToScale: 'SucceededRescale', ScalingActive: 'ValidMetricFound' }),
  )
  await env.eventually(async () =>
    expect((await env.recordedEvents()).map(({ reason }) => reason)).toContain('SuccessfulRescale'),
  )
})

test('it says why it cannot scale', async () => {
  await create(50)
  await env.eventually(async () => expect(await conditions()).toEqual({ AbleToScale: 'FailedGetScaleTargetRef' }))
})
