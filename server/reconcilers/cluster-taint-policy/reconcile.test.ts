import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind, clusterTaintPolicy as policyKind, type ClusterTaintPolicy } from '@/lib/kube/kinds'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterTaintPolicyController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(clusterTaintPolicyController(env.context()))
})
afterEach(() => env.close())

const create = (name: string, spec: Partial<ClusterTaintPolicy['spec']> = {}) =>
  env.client.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name },
    spec: {
      taints: [{ key: 'gone', effect: 'NoExecute' }],
      addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
      ...spec,
    },
  })
const taints = async (name: string) => (await env.client.get(clusterKind, { name })).spec.taints ?? []
const settled = (name: string, expected: object[]) =>
  env.eventually(async () => expect(await taints(name)).toMatchObject(expected), { flowMs: 0 })

async function becomes(name: string, status: 'True' | 'False'): Promise<void> {
  const cluster = await env.client.get(clusterKind, { name })
  const conditions = (cluster.status?.conditions ?? []).map((one) => (one.type === 'Ready' ? { ...one, status } : one))
  await env.client.update(
    clusterKind,
    { ...cluster, status: { ...cluster.status, conditions } },
    { subresource: 'status' },
  )
}

test('the taint is added and removed with the condition, with time and reason', async () => {
  await env.createCluster('m1', { ready: false })
  await create('lost')
  await settled('m1', [{ key: 'gone', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }])
  await becomes('m1', 'True')
  await env.eventually(async () => expect(await taints('m1')).toEqual([]), { flowMs: 0 })
  await env.eventually(async () =>
    expect(
      (await env.recordedEvents()).map(({ reason, message, source }) => `${source?.component} ${reason} ${message}`),
    ).toEqual([
      'cluster-taint-policy-controller TaintClusterSucceed Update Cluster(m1) with taints(cluster now has taints([{Key:gone,Effect:NoExecute}])) succeed',
      'cluster-taint-policy-controller TaintClusterSucceed Update Cluster(m1) with taints(cluster now does not have taints) succeed',
    ]),
  )
})

test('a deleted policy leaves its taint', async () => {
  await env.createCluster('m1', { ready: false })
  await create('lost')
  await settled('m1', [{ key: 'gone' }])
  await env.client.delete(policyKind, { name: 'lost' })
  await env.createCluster('m2', { ready: false })
  await create('lost', { taints: [{ key: 'away', effect: 'NoSchedule' }] })
  await settled('m2', [{ key: 'away' }])
  await settled('m1', [{ key: 'gone' }, { key: 'away' }])
})

test.each([
  [
    'the same taint twice',
    [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', value: 'x', effect: 'NoSchedule' },
    ],
    'Duplicate taint with the same key(a) and effect(NoSchedule) is not allowed',
  ],
  ['no taint at all', [], 'spec.taints'],
])('%s is rejected', async (_what, list, message) => {
  await expect(create('bad', { taints: list })).rejects.toThrow(message)
})
