import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { cluster as clusterKind, node as nodeKind, pod as podKind, type Cluster } from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import { SIM_NODES, SIM_STATE } from '@/lib/kube/simulation'
import type { KubeClient } from '@/server/kube/client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterStatusController, type ClusterStatusOptions } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const FAST = { frequencyMs: 1000, successThresholdMs: 2000, failureThresholdMs: 3000, gatherMs: 100 }
const start = (options: ClusterStatusOptions = FAST) => env.run(clusterStatusController(env.context(), options))
const read = (): Promise<Cluster> => env.client.get(clusterKind, { name: 'm1' })
const ready = async () => {
  const condition = findCondition((await read()).status?.conditions, 'Ready')
  return condition && `${condition.status} ${condition.reason}`
}

/** A simulated member without controllers: the test creates its nodes and pods. */
async function createMember(finalizers = [CLUSTER_FINALIZER], nodes = '0'): Promise<void> {
  await env.client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1', finalizers, annotations: { [SIM_NODES]: nodes } },
    spec: { syncMode: 'Push' },
  })
}

async function addNode(name: string, cpu: string): Promise<void> {
  const allocatable = { cpu, memory: '8Gi', pods: '110' }
  const conditions = [{ type: 'Ready', status: 'True' }]
  await env.client.member('m1').create(nodeKind, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} })
  await env.client
    .member('m1')
    .patch(
      nodeKind,
      { name },
      { type: 'merge', value: { status: { allocatable, conditions } } },
      { subresource: 'status' },
    )
}

const setState = (state: 'down' | null) =>
  env.client.patch(
    clusterKind,
    { name: 'm1' },
    { type: 'merge', value: { metadata: { annotations: { [SIM_STATE]: state } } } },
  )

test('a healthy member is Ready and has its details', async () => {
  await createMember()
  await addNode('n1', '4')
  await start()
  const { status } = await env.eventually(async () => {
    expect(await ready()).toBe('True ClusterReady')
    return read()
  })
  expect(status?.kubernetesVersion).toMatch(/^v1\./)
  expect(status?.nodeSummary).toEqual({ totalNum: 1, readyNum: 1 })
  expect(status?.resourceSummary?.allocatable).toEqual({ cpu: '4', memory: '8Gi', pods: '110' })
  expect(
    status?.apiEnablements?.find(({ groupVersion }) => groupVersion === 'apps/v1')?.resources?.map(({ kind }) => kind),
  ).toContain('Deployment')
  expect(findCondition(status?.conditions, 'CompleteAPIEnablements')).toMatchObject({
    status: 'True',
    reason: 'Complete',
  })
})

test('a simulated member is Ready with all its nodes at once, not with the first', async () => {
  const published: unknown[] = []
  env.informers.of(clusterKind).onChange((change) => {
    if (change.type !== 'deleted') published.push(change.object.status?.nodeSummary?.totalNum)
  })
  await createMember(undefined, '2')
  await addNode('n1', '4')
  await start()
  await addNode('n2', '4')
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
  expect(new Set(published)).toEqual(new Set([undefined, 2]))
})

test('a simulated member whose nodes do not all join is Ready with those it has after five seconds', async () => {
  await createMember(undefined, '2')
  await addNode('n1', '4')
  const began = env.clock.now()
  await start()
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
  expect(env.clock.now() - began).toBeGreaterThanOrEqual(5_000)
  expect((await read()).status?.nodeSummary?.totalNum).toBe(1)
})

test('changes of nodes and pods are published within the batching time, without a probe', async () => {
  await createMember()
  await addNode('n1', '4')
  await start({ ...FAST, frequencyMs: 3_600_000 })
  await env.eventually(async () => expect((await read()).status?.nodeSummary?.totalNum).toBe(1))
  await addNode('n2', '4')
  await env.client
    .member('m1')
    .create(podKind, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default' },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }] },
    })
  await env.eventually(async () => {
    expect((await read()).status?.resourceSummary).toMatchObject({
      allocatable: { cpu: '8', pods: '220' },
      allocated: { cpu: '500m', pods: '1' },
    })
  })
})

test('an outage is published after its threshold and keeps the figures; a recovery after its own', async () => {
  await createMember()
  await addNode('n1', '4')
  await start()
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
  await setState('down')
  const lost = env.clock.now()
  await env.eventually(async () => expect(await ready()).toBe('False ClusterNotReachable'))
  expect(env.clock.now() - lost).toBeGreaterThanOrEqual(FAST.failureThresholdMs)
  expect((await read()).status?.resourceSummary?.allocatable?.cpu).toBe('4')
  await setState(null)
  const back = env.clock.now()
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
  expect(env.clock.now() - back).toBeGreaterThanOrEqual(FAST.successThresholdMs)
  await addNode('n2', '4')
  await env.eventually(async () => expect((await read()).status?.nodeSummary?.totalNum).toBe(2))
})

test('an unchanged healthy member is not written again', async () => {
  await createMember()
  await start()
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
  const { metadata } = await read()
  for (let look = 0; look < 20; look += 1) await env.advance(1000)
  expect((await read()).metadata.resourceVersion).toBe(metadata.resourceVersion)
})

test('a member whose discovery is partial is reported as such, and complete again later', async () => {
  let refusing = true
  const raw: KubeClient['raw'] = (method, path, ...rest) =>
    refusing && path === '/apis/apps/v1'
      ? Promise.resolve({ status: 503, body: '' })
      : env.client.member('m1').raw(method, path, ...rest)
  const client: KubeClient = { ...bound(env.client), member: (name) => ({ ...bound(env.client.member(name)), raw }) }
  await createMember()
  await env.run(clusterStatusController({ ...env.context(), client }, FAST))
  const told = async () => {
    const { status } = await read()
    const condition = findCondition(status?.conditions, 'CompleteAPIEnablements')
    const groups = status?.apiEnablements?.map(({ groupVersion }) => groupVersion) ?? []
    return [condition?.status, condition?.reason, groups.includes('apps/v1'), groups.includes('batch/v1')]
  }
  await env.eventually(async () => expect(await told()).toEqual(['False', 'Partial', false, true]))
  refusing = false
  await env.eventually(async () => expect(await told()).toEqual(['True', 'Complete', true, true]))
})

/** The same client with its methods as fields, so that they can be replaced. */
function bound(client: KubeClient): KubeClient {
  return {
    get: client.get.bind(client),
    list: client.list.bind(client),
    watch: client.watch.bind(client),
    create: client.create.bind(client),
    update: client.update.bind(client),
    patch: client.patch.bind(client),
    delete: client.delete.bind(client),
    raw: client.raw.bind(client),
    stream: (path, signal) => client.stream(path, signal),
    member: client.member.bind(client),
    as: client.as.bind(client),
  }
}

test('a cluster is not probed before it has the finalizer', async () => {
  await createMember([])
  await start()
  await env.advance(60_000)
  expect(await ready()).toBeUndefined()
  await env.client.patch(
    clusterKind,
    { name: 'm1' },
    { type: 'merge', value: { metadata: { finalizers: [CLUSTER_FINALIZER] } } },
  )
  await env.eventually(async () => expect(await ready()).toBe('True ClusterReady'))
})
