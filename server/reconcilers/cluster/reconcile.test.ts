import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cluster as clusterKind,
  namespace as namespaceKind,
  resourceBinding as bindingKind,
  work as workKind,
  type Cluster,
} from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import { aBinding } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const read = (): Promise<Cluster> => env.client.get(clusterKind, { name: 'm1' })
const taints = async (): Promise<string[]> =>
  ((await read()).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)
const NOT_READY = 'cluster.karmada.io/not-ready:NoSchedule'
const EVICT = 'cluster.karmada.io/not-ready:NoExecute'

async function becomeReady(status: 'True' | 'False'): Promise<void> {
  const condition = {
    type: 'Ready',
    status,
    reason: 'R',
    message: 'm',
    lastTransitionTime: new Date(env.clock.now()).toISOString().replace(/\.\d+/, ''),
  }
  await env.client.patch(
    clusterKind,
    { name: 'm1' },
    { type: 'merge', value: { status: { conditions: [condition] } } },
    { subresource: 'status' },
  )
}

test('a new cluster gets its namespace, its finalizer, and a taint until it is ready', async () => {
  await env.run(clusterController(env.context()))
  await env.client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1' },
    spec: { syncMode: 'Push' },
  })
  await env.eventually(async () => {
    expect((await env.client.get(namespaceKind, { name: 'karmada-es-m1' })).metadata.labels).toMatchObject({
      'karmada.io/system': 'true',
    })
    expect((await read()).metadata.finalizers).toContain(CLUSTER_FINALIZER)
    expect(await taints()).toEqual([NOT_READY])
  })
  await becomeReady('True')
  await env.eventually(async () => expect(await taints()).toEqual([]))
  await env.eventually(async () => {
    const events = await env.recordedEvents()
    expect(events.map(({ reason, message, source }) => `${source?.component} ${reason} ${message}`).toSorted()).toEqual(
      [
        'cluster-controller CreateExecutionSpaceSucceed Created execution space(karmada-es-m1) for cluster(m1).',
        'cluster-controller TaintClusterSucceed Taint cluster succeed: cluster now does not have taints.',
        'cluster-controller TaintClusterSucceed Taint cluster succeed: cluster now has taints([{Key:cluster.karmada.io/not-ready,Effect:NoSchedule}]).',
      ],
    )
  })
})

test('a lost cluster evicts workloads only after the configured time, and no longer when it recovers', async () => {
  await env.run(clusterController(env.context(), { noExecuteAfterMs: 5000 }))
  await env.createCluster('m1')
  await becomeReady('False')
  await env.eventually(async () => expect(await taints()).toEqual([NOT_READY]), { flowMs: 0 })
  await env.advance(4000)
  expect(await taints()).toEqual([NOT_READY])
  await env.advance(1000)
  await env.eventually(async () => expect(await taints()).toEqual([NOT_READY, EVICT]), { flowMs: 0 })
  await becomeReady('True')
  await env.eventually(async () => expect(await taints()).toEqual([]))
})

test('by default a lost cluster evicts no workload', async () => {
  await env.run(clusterController(env.context()))
  await env.createCluster('m1', { ready: false })
  await env.eventually(async () => expect(await taints()).toEqual([NOT_READY]))
  await env.advance(3_600_000)
  expect(await taints()).toEqual([NOT_READY])
})

test('a deleted cluster waits until its workloads have moved', async () => {
  await env.run(clusterController(env.context()))
  await env.createCluster('m1')
  await env.createNamespace('shop')
  await env.create(bindingKind, aBinding('web', { namespace: 'shop', clusters: [{ name: 'm1', replicas: 1 }] }))
  await env.eventually(async () => expect((await read()).metadata.finalizers).toContain(CLUSTER_FINALIZER))
  await env.client.delete(clusterKind, { name: 'm1' })
  await env.eventually(async () => {
    const events = await env.recordedEvents()
    expect(events.map(({ message }) => message)).toContain('Removed execution space for cluster(m1).')
  })
  expect((await read()).metadata.deletionTimestamp).toBeDefined()
  await env.client.patch(
    bindingKind,
    { namespace: 'shop', name: 'web-deployment' },
    { type: 'merge', value: { spec: { clusters: [] } } },
  )
  await env.eventually(async () => await expect(read()).rejects.toMatchObject({ code: 404 }))
})

test('a deleted cluster whose agent is gone deletes its Works', async () => {
  await env.run(clusterController(env.context()))
  await env.createCluster('m1', { ready: false })
  await env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { spec: { syncMode: 'Pull' } } })
  await env.eventually(async () => expect((await read()).metadata.finalizers).toContain(CLUSTER_FINALIZER))
  await env.create(workKind, {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'web', namespace: 'karmada-es-m1', finalizers: ['karmada.io/execution-controller'] },
    spec: {
      workload: {
        manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'default' } }],
      },
    },
  })
  await env.client.delete(clusterKind, { name: 'm1' })
  await env.eventually(async () => await expect(read()).rejects.toMatchObject({ code: 404 }), { flowMs: 500 })
})
