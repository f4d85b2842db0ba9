import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  deployment as deploymentKind,
  horizontalPodAutoscaler as autoscalerKind,
  propagationPolicy as policyKind,
  resourceBinding as bindingKind,
} from '@/lib/kube/kinds'
import { RETAIN_REPLICAS_LABEL } from '@/lib/kube/names'
import { type Env, startEnv } from '@/server/testing/start-env'
import { deploymentReplicasSyncerController } from '.'
import { detectorController } from '../detector'
import { hpaScaleTargetMarkerController } from '../hpa-scale-target-marker'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(
    detectorController(env.context()),
    hpaScaleTargetMarkerController(env.context()),
    deploymentReplicasSyncerController(env.context()),
  )
})
afterEach(() => env.close())

const REF = { namespace: 'default', name: 'web' }
const BINDING = { namespace: 'default', name: 'web-deployment' }

const createDeployment = (replicas: number) =>
  env.create(deploymentKind, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: REF,
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  })
const createAutoscaler = () =>
  env.create(autoscalerKind, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: REF,
    spec: { maxReplicas: 10, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  })

async function propagate(replicaSchedulingType: 'Divided' | 'Duplicated'): Promise<void> {
  await env.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: REF,
    spec: {
      resourceSelectors: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'web' },
      ],
      placement: { replicaScheduling: { replicaSchedulingType } },
    },
  })
  await env.eventually(() => env.client.get(bindingKind, BINDING))
}

/** The writes of the scheduler, the members and the status controllers. */
async function report(counts: Record<string, number>): Promise<void> {
  const clusters = Object.keys(counts).map((name) => ({ name, replicas: 1 }))
  const placed = await env.client.patch(bindingKind, BINDING, { type: 'merge', value: { spec: { clusters } } })
  const status = {
    schedulerObservedGeneration: placed.metadata.generation,
    aggregatedStatus: Object.entries(counts).map(([clusterName, replicas]) => ({ clusterName, status: { replicas } })),
  }
  await env.client.patch(bindingKind, BINDING, { type: 'merge', value: { status } }, { subresource: 'status' })
  const replicas = Object.values(counts).reduce((sum, count) => sum + count, 0)
  await env.client.patch(
    deploymentKind,
    REF,
    { type: 'merge', value: { status: { replicas } } },
    { subresource: 'status' },
  )
}

const label = async () => (await env.client.get(deploymentKind, REF)).metadata.labels?.[RETAIN_REPLICAS_LABEL]
const replicas = async () => (await env.client.get(deploymentKind, REF)).spec?.replicas
const settles = (read: () => Promise<unknown>, expected: unknown) =>
  env.eventually(async () => expect(await read()).toBe(expected))

test('the template follows the replicas that all autoscalers of members set', async () => {
  await createDeployment(4)
  await createAutoscaler()
  await propagate('Divided')
  await settles(label, 'true')
  await report({ m1: 3, m2: 3 })
  await settles(replicas, 6)
})

test('a member that reports none yet is awaited, and duplicated replicas are not summed', async () => {
  await createDeployment(4)
  await createAutoscaler()
  await propagate('Divided')
  await settles(label, 'true')
  await report({ m1: 3, m2: 0 })
  await report({ m1: 3, m2: 4 })
  await settles(replicas, 7)
  const placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } }
  await env.client.patch(policyKind, REF, { type: 'merge', value: { spec: { placement } } })
  await env.eventually(async () =>
    expect((await env.client.get(bindingKind, BINDING)).spec.placement?.replicaScheduling?.replicaSchedulingType).toBe(
      'Duplicated',
    ),
  )
  await report({ m1: 5, m2: 5 })
  await env.client.delete(autoscalerKind, REF)
  await settles(label, undefined)
  expect(await replicas()).toBe(7)
})

test('an object created after its autoscaler is labeled; a label of a user stays', async () => {
  await createAutoscaler()
  await propagateBefore()
  await createDeployment(1)
  await settles(label, 'true')
  await env.create(deploymentKind, {
    ...(await env.client.get(deploymentKind, REF)),
    metadata: { namespace: 'default', name: 'own', labels: { [RETAIN_REPLICAS_LABEL]: 'true' } },
    status: {},
  })
  await env.client.delete(autoscalerKind, REF)
  await settles(label, undefined)
  const own = await env.client.get(deploymentKind, { namespace: 'default', name: 'own' })
  expect(own.metadata.labels?.[RETAIN_REPLICAS_LABEL]).toBe('true')
})

/** A policy claims the autoscaler before its target exists. */
async function propagateBefore(): Promise<void> {
  await env.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: REF,
    spec: {
      resourceSelectors: [{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'web' }],
      placement: {},
    },
  })
  await env.eventually(async () =>
    expect((await env.client.get(autoscalerKind, REF)).metadata.labels).toHaveProperty([
      'propagationpolicy.karmada.io/permanent-id',
    ]),
  )
}
