import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { federatedResourceQuota, type FederatedResourceQuota, resourceBinding } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { aBinding } from '@/lib/testing/builders'
import { withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { federatedResourceQuotaController } from '.'
import { reconcileQuota } from './reconcile'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const QUOTA = { namespace: 'default', name: 'quota' }
const limit = (overall: Record<string, string>, status?: FederatedResourceQuota['status']) =>
  env.create(federatedResourceQuota, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'FederatedResourceQuota',
    metadata: QUOTA,
    spec: { overall },
    ...(status && { status }),
  })
const bind = (name: string, replicas: number) =>
  env.create(
    resourceBinding,
    aBinding(name, { cpu: '1', memory: '1Gi', replicas, clusters: [{ name: 'member1', replicas }] }),
  )
const read = () => env.client.get(federatedResourceQuota, QUOTA)
const still = { flowMs: 0 }
const tells = (...reasons: string[]) =>
  env.eventually(async () => {
    const told = new Set((await env.recordedEvents()).map(({ reason }) => reason))
    expect([...told].toSorted()).toEqual(reasons)
  }, still)
const says = (status: FederatedResourceQuota['status']) =>
  env.eventually(async () => expect((await read()).status).toEqual(status), still)
const run = () => env.run(federatedResourceQuotaController(env.context()))

test('a new quota reports existing usage', async () => {
  await bind('web', 2)
  await bind('api', 1)
  await run()
  await limit({ cpu: '8' })
  await says({ overall: { cpu: '8' }, overallUsed: { cpu: '3' } })
})

test('a changed limit is reported in the status', async () => {
  await run()
  await limit({ cpu: '8' })
  await says({ overall: { cpu: '8' }, overallUsed: {} })
  await env.client.patch(federatedResourceQuota, QUOTA, { type: 'merge', value: { spec: { overall: { cpu: '16' } } } })
  await says({ overall: { cpu: '16' }, overallUsed: {} })
})

test('a deleted binding uses nothing any more', async () => {
  await run()
  await limit({ cpu: '8' })
  await bind('web', 2)
  await bind('api', 1)
  await env.eventually(async () => expect((await read()).status?.overallUsed?.cpu).toBe('3'), still)
  await env.client.delete(resourceBinding, { namespace: 'default', name: 'web-deployment' })
  await says({ overall: { cpu: '8' }, overallUsed: { cpu: '1' } })
})

test('a status that another client wrote is corrected after five minutes', async () => {
  await limit({ cpu: '8' })
  await run()
  await says({ overall: { cpu: '8' }, overallUsed: {} })
  await env.client.update(
    federatedResourceQuota,
    { ...(await read()), status: { overallUsed: { cpu: '7' } } },
    { subresource: 'status' },
  )
  await env.advance(5 * 60_000)
  await says({ overall: { cpu: '8' }, overallUsed: {} })
})

describe('shares assigned to clusters', () => {
  const shares = async () => (await env.client.list(workKind)).items
  const share = (cluster: string, cpu: string) => ({ clusterName: cluster, hard: { cpu } })
  const assign = (...staticAssignments: { clusterName: string; hard: Record<string, string> }[]) =>
    env.create(federatedResourceQuota, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      metadata: QUOTA,
      spec: { overall: { cpu: '8' }, staticAssignments },
    })
  const report = async (cluster: string, used: string) => {
    const work = (await shares()).find(({ metadata }) => metadata.namespace === `karmada-es-${cluster}`)
    const condition = {
      type: 'Applied',
      status: 'True' as const,
      reason: 'AppliedSuccessful',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const identifier = {
      ordinal: 0,
      version: 'v1',
      kind: 'ResourceQuota',
      resource: '',
      namespace: 'default',
      name: 'quota',
    }
    const manifestStatuses = [
      { identifier, health: 'Healthy' as const, status: { hard: { cpu: '4' }, used: { cpu: used } } },
    ]
    await env.client.patch(
      workKind,
      { namespace: `karmada-es-${cluster}`, name: work?.metadata.name ?? '' },
      { type: 'merge', value: { status: { conditions: [condition], manifestStatuses } } },
      { subresource: 'status' },
    )
  }

  beforeEach(async () => {
    for (const name of ['member1', 'member2']) {
      await env.createNamespace(`karmada-es-${name}`)
      await env.createCluster(name)
    }
    await run()
  })

  test('become a ResourceQuota of the same name in each', async () => {
    await assign(share('member1', '4'), share('member2', '2'))
    await env.eventually(
      async () =>
        expect((await shares()).map(({ metadata }) => metadata.namespace).sort()).toEqual([
          'karmada-es-member1',
          'karmada-es-member2',
        ]),
      still,
    )
    const work = (await shares()).find(({ metadata }) => metadata.namespace === 'karmada-es-member2')
    expect(work?.metadata).toMatchObject({
      labels: {
        'federatedresourcequota.karmada.io/namespace': 'default',
        'federatedresourcequota.karmada.io/name': 'quota',
      },
      finalizers: ['karmada.io/execution-controller'],
    })
    expect(work?.metadata.ownerReferences).toBeUndefined()
    expect(work?.spec.workload?.manifests).toMatchObject([
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { namespace: 'default', name: 'quota', labels: { 'karmada.io/managed': 'true' } },
        spec: { hard: { cpu: '2' } },
      },
    ])
    await tells('CollectOverallStatusSucceed', 'SyncWorkSucceed')
  })

  test('report their usage, sorted by cluster', async () => {
    await assign(share('member2', '4'), share('member1', '4'))
    await env.eventually(async () => expect(await shares()).toHaveLength(2), still)
    await report('member2', '2')
    await report('member1', '1')
    const used = (clusterName: string, cpu: string) => ({ clusterName, hard: { cpu: '4' }, used: { cpu } })
    await env.eventually(
      async () => expect((await read()).status?.aggregatedStatus).toEqual([used('member1', '1'), used('member2', '2')]),
      still,
    )
    await tells('AggregateStatusSucceed', 'CollectOverallStatusSucceed', 'SyncWorkSucceed')
  })

  test('follow the assignments, and are deleted with the quota', async () => {
    await assign(share('member1', '4'), share('member2', '2'))
    await env.eventually(async () => expect(await shares()).toHaveLength(2), still)
    await env.client.patch(federatedResourceQuota, QUOTA, {
      type: 'merge',
      value: { spec: { staticAssignments: [share('member2', '3')] } },
    })
    await env.eventually(async () => {
      const left = (await shares()).filter(({ metadata }) => !metadata.deletionTimestamp)
      expect(left.map(({ spec }) => spec.workload?.manifests?.[0]?.spec)).toEqual([{ hard: { cpu: '3' } }])
    }, still)
    await env.client.delete(federatedResourceQuota, QUOTA)
    await env.eventually(
      async () => expect((await shares()).every(({ metadata }) => metadata.deletionTimestamp)).toBe(true),
      still,
    )
  })

  test('wait until their cluster joins', async () => {
    await assign(share('member3', '4'))
    await says({ overall: { cpu: '8' }, overallUsed: {} })
    expect(await shares()).toEqual([])
    await env.createNamespace('karmada-es-member3')
    await env.createCluster('member3')
    await env.eventually(async () => expect(await shares()).toHaveLength(1), still)
  })
})

test('a second reconcile writes nothing', async () => {
  await bind('web', 2)
  await limit({ cpu: '8' })
  await reconcileQuota(env.context(), 'default/quota')
  const first = await read()
  await reconcileQuota(env.context(), 'default/quota')
  expect(await read()).toEqual(first)
})

test('a binding that is scheduled during the count is included', async () => {
  await limit({ cpu: '8' })
  const fault = {
    verb: 'update' as const,
    kind: federatedResourceQuota,
    before: async () => {
      await bind('web', 2)
    },
  }
  const context = { ...env.context(), client: withFaults(env.client, fault) }
  await expect(reconcileQuota(context, 'default/quota')).rejects.toMatchObject({ reason: 'Conflict' })
  await reconcileQuota(context, 'default/quota')
  expect((await read()).status?.overallUsed).toEqual({ cpu: '2' })
})

test('a deleted quota is ignored', async () => {
  await expect(reconcileQuota(env.context(), 'default/quota')).resolves.toBeUndefined()
})
