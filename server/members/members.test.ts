import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cluster as clusterKind,
  deployment as deploymentKind,
  namespace as namespaceKind,
  node as nodeKind,
  pod as podKind,
  replicaSet as replicaSetKind,
  resourceQuota as resourceQuotaKind,
  statefulSet as statefulSetKind,
  type Deployment,
  type Pod,
} from '@/lib/kube/kinds'
import { SIM_NODE_CPU, SIM_NODES, SIM_READY_AFTER, SIM_STATE, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { aDeployment } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '.'

let env: Env
let member: KubeClient

beforeEach(async () => {
  env = await startEnv()
  await env.run(...memberSimulation(env.context()))
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '2', [SIM_NODE_CPU]: '2', [SIM_READY_AFTER]: '200ms' } })
  member = env.client.member('m1')
  await nodesAre([
    ['m1-node-1', '2'],
    ['m1-node-2', '2'],
  ])
})
afterEach(() => env.close())

const nodesAre = (expected: [name: string, cpu: string][]) =>
  env.eventually(async () => {
    const { items } = await member.list(nodeKind)
    expect(items.map(({ metadata, status }) => [metadata.name, status?.allocatable?.cpu])).toEqual(expected)
  })
const pods = async (): Promise<Pod[]> => (await member.list(podKind, { namespace: 'default' })).items
const read = (name: string): Promise<Deployment> => member.get(deploymentKind, { namespace: 'default', name })
const countsOf = ({ status }: Deployment) => ({ replicas: status?.replicas ?? 0, ready: status?.readyReplicas ?? 0 })
const annotate = (annotations: Record<string, string | null>) =>
  env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { metadata: { annotations } } })
const available = (name: string, count: number) =>
  env.eventually(async () => {
    expect((await read(name)).status).toMatchObject({
      availableReplicas: count,
      updatedReplicas: count,
      replicas: count,
    })
  })

test('the nodes of a cluster follow its annotations', async () => {
  await annotate({ [SIM_NODES]: '3', [SIM_NODE_CPU]: '16' })
  await nodesAre([
    ['m1-node-1', '16'],
    ['m1-node-2', '16'],
    ['m1-node-3', '16'],
  ])
})

test('a Deployment runs its pods, spread over the nodes, and says so', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 4, cpu: '500m' }))
  await available('web', 4)
  const running = await pods()
  expect(running.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
    'm1-node-1',
    'm1-node-1',
    'm1-node-2',
    'm1-node-2',
  ])
  expect(running.every(({ status }) => status?.phase === 'Running')).toBe(true)
  const { status, metadata } = await read('web')
  expect(status?.observedGeneration).toBe(metadata.generation)
  expect(status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['Available', 'True', 'MinimumReplicasAvailable'],
    ['Progressing', 'True', 'NewReplicaSetAvailable'],
  ])
})

test('pods are not ready before their time', async () => {
  await annotate({ 'sim.evenkeel.io/ready-after': '60s' })
  await member.create(deploymentKind, aDeployment('web', { replicas: 1 }))
  await env.eventually(async () => expect(countsOf(await read('web'))).toEqual({ replicas: 1, ready: 0 }))
  await env.advance(60_000)
  await available('web', 1)
})

test('pods wait when nodes are full and run when room appears', async () => {
  await member.create(deploymentKind, aDeployment('big', { replicas: 3, cpu: '1500m' }))
  const uid = await env.eventually(async () => {
    const waiting = (await pods()).filter(({ spec }) => !spec.nodeName)
    expect(waiting.map(({ status }) => status?.conditions?.[0])).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/2 nodes are available: 2 Insufficient cpu.',
      },
    ])
    return waiting[0]?.metadata.uid
  })
  await annotate({ [SIM_NODES]: '3' })
  await available('big', 3)
  expect((await pods()).map(({ metadata }) => metadata.uid)).toContain(uid)
})

test('a node that leaves takes its pods along, and they come again elsewhere', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 2, cpu: '500m' }))
  await available('web', 2)
  await annotate({ [SIM_NODES]: '1' })
  await env.eventually(async () => {
    expect((await member.list(nodeKind)).items).toHaveLength(1)
    expect((await pods()).map(({ spec, status }) => [spec.nodeName, status?.phase])).toEqual([
      ['m1-node-1', 'Running'],
      ['m1-node-1', 'Running'],
    ])
  })
})

test('a Deployment grows and shrinks', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 1 }))
  await available('web', 1)
  await member.patch(
    deploymentKind,
    { namespace: 'default', name: 'web' },
    { type: 'merge', value: { spec: { replicas: 5 } } },
  )
  await available('web', 5)
  await member.patch(
    deploymentKind,
    { namespace: 'default', name: 'web' },
    { type: 'merge', value: { spec: { replicas: 2 } } },
  )
  await available('web', 2)
  await env.eventually(async () => expect(await pods()).toHaveLength(2))
})

test('a new template rolls out step by step and leaves the old ReplicaSet empty', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 4 }))
  await available('web', 4)
  await member.patch(
    deploymentKind,
    { namespace: 'default', name: 'web' },
    { type: 'json', operations: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }] },
  )
  await env.eventually(async () => {
    const { status } = await read('web')
    expect(status?.availableReplicas).toBeGreaterThanOrEqual(3)
    expect(status).toMatchObject({ updatedReplicas: 4, replicas: 4, availableReplicas: 4, observedGeneration: 2 })
  })
  const { items } = await member.list(replicaSetKind)
  expect(
    items
      .map(({ spec, metadata }) => [metadata.annotations?.['deployment.kubernetes.io/revision'], spec.replicas])
      .toSorted(),
  ).toEqual([
    ['1', 0],
    ['2', 4],
  ])
})

test('an unhealthy workload never becomes ready, also when it was, until it is healthy again', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 2 }))
  await available('web', 2)
  await annotate({ [SIM_UNHEALTHY]: 'default/web' })
  await env.eventually(async () => expect(countsOf(await read('web'))).toEqual({ replicas: 2, ready: 0 }))
  await annotate({ [SIM_UNHEALTHY]: null })
  await available('web', 2)
})

test('pods whose image is missing wait for it, and start with one that exists', async () => {
  const deployment = aDeployment('web', { replicas: 1 })
  const withImage = (image: string) => {
    const containers = [{ name: 'web', image }]
    return { ...deployment.spec, template: { ...deployment.spec.template, spec: { containers } } }
  }
  await member.create(deploymentKind, { ...deployment, spec: withImage('fake/nginx:1.19.0') })
  await env.eventually(async () =>
    expect((await pods()).map(({ status }) => [status?.phase, status?.containerStatuses?.[0]?.state])).toEqual([
      ['Pending', { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "fake/nginx:1.19.0"' } }],
    ]),
  )
  expect(countsOf(await read('web'))).toEqual({ replicas: 1, ready: 0 })
  const value = { spec: withImage('nginx:1.19.0') }
  await member.patch(deploymentKind, { namespace: 'default', name: 'web' }, { type: 'merge', value })
  await available('web', 1)
})

test('a quota reports its usage', async () => {
  await member.create(resourceQuotaKind, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team', namespace: 'default' },
    spec: { hard: { cpu: '4', 'limits.memory': '1Gi', pods: '10', 'count/configmaps': '5' } },
  })
  const { spec, ...deployment } = aDeployment('web', { replicas: 2 })
  const resources = { requests: { cpu: '250m' }, limits: { memory: '64Mi' } }
  const containers = [{ name: 'web', image: 'nginx', resources }]
  const template = { ...spec.template, spec: { containers } }
  await member.create(deploymentKind, { ...deployment, spec: { ...spec, template } })
  await env.eventually(async () => {
    const { status } = await member.get(resourceQuotaKind, { namespace: 'default', name: 'team' })
    expect(status?.used).toMatchObject({ cpu: '500m', 'limits.memory': '128Mi', pods: '2' })
  })
})

test('nothing changes while a member is down, and everything continues when it returns', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 2 }))
  await available('web', 2)
  await annotate({ [SIM_STATE]: 'down' })
  await env.eventually(async () => expect((await member.raw('GET', '/readyz')).status).toBe(503))
  await annotate({ [SIM_STATE]: null })
  await member.patch(
    deploymentKind,
    { namespace: 'default', name: 'web' },
    { type: 'merge', value: { spec: { replicas: 3 } } },
  )
  await available('web', 3)
})

test('a StatefulSet counts its pods up in order', async () => {
  const { metadata, spec } = aDeployment('db', { replicas: 3 })
  await member.create(statefulSetKind, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: { replicas: 3, selector: spec.selector, template: spec.template, serviceName: 'db' },
  })
  await env.eventually(async () => {
    const { status } = await member.get(statefulSetKind, { namespace: 'default', name: 'db' })
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, currentReplicas: 3 })
  })
  expect((await pods()).map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1', 'db-2'])
})

test('what a deleted Deployment leaves is collected', async () => {
  await member.create(deploymentKind, aDeployment('web', { replicas: 2 }))
  await available('web', 2)
  await member.delete(deploymentKind, { namespace: 'default', name: 'web' })
  await env.eventually(async () => {
    expect(await pods()).toEqual([])
    expect((await member.list(replicaSetKind)).items).toEqual([])
  })
})

test('a deleted cluster takes its member along', async () => {
  await env.eventually(async () => expect((await member.list(nodeKind)).items).toHaveLength(2))
  await env.client.delete(clusterKind, { name: 'm1' })
  await env.eventually(async () => expect((await member.raw('GET', '/readyz')).status).toBe(404))
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '1' } })
  await env.eventually(async () => expect((await member.list(nodeKind)).items).toHaveLength(1))
  expect((await member.list(namespaceKind)).items.length).toBeGreaterThan(0)
})
