import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deployment, type Deployment, namespace } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { aDeployment } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { workStatusController } from '.'

const web = { namespace: 'shop', name: 'web' }
const ref = { namespace: 'karmada-es-member1', name: 'web-work' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  await env.createNamespace('karmada-es-member1')
  await env.createCluster('member1', { annotations: { 'sim.evenkeel.io/nodes': '1' } })
  await env.client
    .member('member1')
    .create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
})

afterEach(() => env.close())

const marks = {
  'work.karmada.io/namespace': ref.namespace,
  'work.karmada.io/name': ref.name,
  'resourcetemplate.karmada.io/generation': '4',
}

/** A Work as the execution controller leaves it, with its object in the member. */
async function anAppliedWork(annotations: Record<string, string> = marks): Promise<void> {
  const draft = aDeployment('web', { namespace: 'shop', replicas: 2 })
  const metadata = {
    ...draft.metadata,
    labels: { ...draft.metadata.labels, 'karmada.io/managed': 'true' },
    annotations,
  }
  await env.client.member('member1').create(deployment, { ...draft, metadata })
  const manifest = JSON.parse(JSON.stringify({ ...draft, metadata })) as Record<string, unknown>
  const applied = {
    type: 'Applied',
    status: 'True' as const,
    reason: 'AppliedSuccessful',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  await env.create(workKind, {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: ref,
    spec: { workload: { manifests: [manifest] } },
    status: { conditions: [applied] },
  })
}

const report = (status: Deployment['status']) =>
  env.client.member('member1').patch(deployment, web, { type: 'merge', value: { status } }, { subresource: 'status' })
const statusOf = async () => (await env.client.get(workKind, ref)).status?.manifestStatuses
const messages = async () => (await env.recordedEvents()).map(({ reason, message }) => `${reason}: ${message}`)
const run = () => env.run(workStatusController(env.context()))

describe('a Work', () => {
  test('has the status of its object, field by field, and its health', async () => {
    await run()
    await anAppliedWork()
    await env.eventually(async () =>
      expect(await statusOf()).toMatchObject([
        {
          identifier: {
            ordinal: 0,
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            resource: '',
            namespace: 'shop',
            name: 'web',
          },
          health: 'Unhealthy',
        },
      ]),
    )
    await report({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 })
    await env.eventually(async () =>
      expect(await statusOf()).toMatchObject([
        {
          health: 'Healthy',
          status: {
            generation: 1,
            resourceTemplateGeneration: 4,
            observedGeneration: 1,
            replicas: 2,
            updatedReplicas: 2,
            readyReplicas: 2,
            availableReplicas: 2,
          },
        },
      ]),
    )
    await env.eventually(async () =>
      expect(await messages()).toEqual(
        expect.arrayContaining([
          'ReflectStatusSucceed: Reflect status for object(Deployment/shop/web) succeed.',
          'InterpretHealthSucceed: Interpret health of object(Deployment/shop/web) as unhealthy.',
          'InterpretHealthSucceed: Interpret health of object(Deployment/shop/web) as healthy.',
        ]),
      ),
    )
  })

  test('keeps the last status of a deleted object', async () => {
    await run()
    await anAppliedWork()
    await report({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 })
    await env.eventually(async () => expect(await statusOf()).toMatchObject([{ health: 'Healthy' }]))
    await env.client.member('member1').delete(deployment, web)
    await env.advance(1_000)
    expect(await statusOf()).toMatchObject([{ health: 'Healthy' }])
  })

  test('reports why a status cannot be read, and still judges the health', async () => {
    await run()
    await anAppliedWork({ ...marks, 'resourcetemplate.karmada.io/generation': 'many' })
    await report({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 })
    await env.eventually(async () => expect(await statusOf()).toMatchObject([{ health: 'Healthy' }]))
    expect((await statusOf())?.[0]?.status).toBeUndefined()
    await env.eventually(async () =>
      expect((await messages()).some((text) => text.startsWith('ReflectStatusFailed'))).toBe(true),
    )
  })

  test('is found again after a restart', async () => {
    await anAppliedWork()
    await run()
    await env.eventually(async () => expect(await statusOf()).toHaveLength(1))
  })
})
