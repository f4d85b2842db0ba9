import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { deployment, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { aBinding, aDeployment } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingStatusController } from '.'

const web = { namespace: 'shop', name: 'web' }
const ref = { namespace: 'shop', name: 'web-deployment' }
const time = '2026-01-01T00:00:00Z'
const scheduled = {
  type: 'Scheduled',
  status: 'True' as const,
  reason: 'Success',
  message: '',
  lastTransitionTime: time,
}
const identifier = {
  ordinal: 0,
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: '',
  namespace: 'shop',
  name: 'web',
}

let env: Env
let binding: ResourceBinding

beforeEach(async () => {
  env = await startEnv()
  for (const name of ['shop', 'karmada-es-member1', 'karmada-es-member2']) await env.createNamespace(name)
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
  binding = await env.create(
    resourceBinding,
    aBinding('web', {
      namespace: 'shop',
      replicas: 3,
      clusters: [
        { name: 'member1', replicas: 1 },
        { name: 'member2', replicas: 2 },
      ],
      status: { lastScheduledTime: time, conditions: [scheduled] },
    }),
  )
  await env.run(bindingStatusController(env.context()))
})

afterEach(() => env.close())

async function aWork(cluster: string): Promise<void> {
  const id = binding.metadata.labels?.['resourcebinding.karmada.io/permanent-id'] ?? ''
  await env.client.create(workKind, {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    spec: { workload: { manifests: [] } },
    metadata: {
      namespace: `karmada-es-${cluster}`,
      name: 'web',
      labels: { 'resourcebinding.karmada.io/permanent-id': id },
      annotations: {
        'resourcebinding.karmada.io/namespace': 'shop',
        'resourcebinding.karmada.io/name': 'web-deployment',
      },
    },
  })
}

const report = (cluster: string, status: Work['status']) =>
  env.client.patch(
    workKind,
    { namespace: `karmada-es-${cluster}`, name: 'web' },
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  )

/** Reports as the execution and work-status controllers do for a workload with all replicas ready. */
function running(replicas: number): NonNullable<Work['status']> {
  const applied = {
    type: 'Applied',
    status: 'True' as const,
    reason: 'AppliedSuccessful',
    message: 'Manifest has been successfully applied',
    lastTransitionTime: time,
  }
  const numbers = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas }
  const status = { generation: 1, resourceTemplateGeneration: 1, observedGeneration: 1, ...numbers }
  return { conditions: [applied], manifestStatuses: [{ identifier, health: 'Healthy', status }] }
}
const failed = (message: string): Work['status'] => ({
  conditions: [{ type: 'Applied', status: 'False', reason: 'AppliedFailed', message, lastTransitionTime: time }],
})

const read = async () => (await env.client.get(resourceBinding, ref)).status
const fullyApplied = async () => findCondition((await read())?.conditions, 'FullyApplied')

test('a binding is fully applied when every cluster reports, and the template gets the totals', async () => {
  await aWork('member1')
  await report('member1', running(1))
  await env.eventually(async () =>
    expect(await fullyApplied()).toMatchObject({ status: 'False', reason: 'FullyAppliedFailed' }),
  )
  await aWork('member2')
  await report('member2', running(2))
  await env.eventually(async () => {
    expect(await fullyApplied()).toMatchObject({
      status: 'True',
      reason: 'FullyAppliedSuccess',
      message: 'All works have been successfully applied',
    })
    expect((await read())?.aggregatedStatus?.map(({ clusterName, health }) => `${clusterName} ${health}`)).toEqual([
      'member1 Healthy',
      'member2 Healthy',
    ])
    expect((await env.client.get(deployment, web)).status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      observedGeneration: 1,
    })
  })
})

test('each item keeps when its cluster first reported, and that it was healthy once', async () => {
  await aWork('member1')
  await report('member1', running(1))
  await env.eventually(async () =>
    expect((await read())?.aggregatedStatus).toMatchObject([{ health: 'Healthy', settled: true }]),
  )
  const [{ creationTimestamp } = {}] = (await read())?.aggregatedStatus ?? []
  expect(creationTimestamp).toMatch(/^2026-01-01T00:00:0\dZ$/)
  await env.advance(60_000)
  const { manifestStatuses = [], ...rest } = running(1)
  await report('member1', {
    ...rest,
    manifestStatuses: manifestStatuses.map((one) => ({ ...one, health: 'Unhealthy' as const })),
  })
  await env.eventually(async () =>
    expect((await read())?.aggregatedStatus).toMatchObject([{ health: 'Unhealthy', settled: true, creationTimestamp }]),
  )
})

test('fields that the scheduler wrote into the same status stay', async () => {
  await aWork('member1')
  await report('member1', running(1))
  await env.eventually(async () => expect(await fullyApplied()).toBeDefined())
  const status = await read()
  expect(findCondition(status?.conditions, 'Scheduled')).toEqual(scheduled)
  expect(status?.lastScheduledTime).toBe(time)
})

test('the reason of a rejection is shown with its cluster', async () => {
  await aWork('member1')
  await report('member1', failed('no room'))
  await env.eventually(async () =>
    expect((await read())?.aggregatedStatus).toEqual([
      { clusterName: 'member1', appliedMessage: 'no room', health: 'Unknown' },
    ]),
  )
})

test('a deleted Work is no longer counted', async () => {
  for (const [cluster, replicas] of [
    ['member1', 1],
    ['member2', 2],
  ] as const) {
    await aWork(cluster)
    await report(cluster, running(replicas))
  }
  await env.eventually(async () => expect((await read())?.aggregatedStatus).toHaveLength(2))
  await env.client.delete(workKind, { namespace: 'karmada-es-member2', name: 'web' })
  await env.eventually(async () => {
    expect((await read())?.aggregatedStatus).toHaveLength(1)
    expect((await env.client.get(deployment, web)).status).toMatchObject({ replicas: 1 })
  })
})

test('nothing is written without changes', async () => {
  await aWork('member1')
  await report('member1', running(1))
  await env.eventually(async () =>
    expect((await env.client.get(deployment, web)).status).toMatchObject({ replicas: 1 }),
  )
  const {
    metadata: { resourceVersion },
  } = await env.client.get(resourceBinding, ref)
  await report('member1', {
    ...running(1),
    conditions: [...(running(1).conditions ?? []), { ...scheduled, type: 'Other' }],
  })
  await env.advance(1_000)
  await env.events.flush()
  expect((await env.client.get(resourceBinding, ref)).metadata.resourceVersion).toBe(resourceVersion)
})
