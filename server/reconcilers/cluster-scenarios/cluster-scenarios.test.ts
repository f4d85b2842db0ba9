/**
 * The lifecycle of a member as text: it joins, fails and recovers, and leaves. The texts beside this file show what an
 * operator would observe, second by second, with the timing of a real federation; `UPDATE_GOLDEN=1` writes them again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import {
  cluster as clusterKind,
  type Cluster,
  clusterResourceBinding as clusterBindingKind,
  clusterTaintPolicy as policyKind,
  configMap as configMapKind,
  namespace as namespaceKind,
  resourceBinding as bindingKind,
  type ResourceBinding,
  type Toleration,
  work as workKind,
} from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { SIM_NODES, SIM_READY_AFTER, SIM_STATE } from '@/lib/kube/simulation'
import { aBinding, aClusterBinding } from '@/lib/testing/builders'
import { memberSimulation } from '@/server/members'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterController } from '../cluster'
import { clusterStatusController } from '../cluster-status'
import { clusterTaintPolicyController } from '../cluster-taint-policy'
import { executionController } from '../execution'
import { namespaceSyncController } from '../namespace-sync'
import { taintManagerController } from '../taint-manager'
import { createTimeline, type Timeline } from '../testing/timeline'

let env: Env
let timeline: Timeline

beforeEach(async () => {
  env = await startEnv()
  timeline = createTimeline(env)
  timeline.follow(clusterKind, clusterFacts)
  timeline.follow(bindingKind, bindingFacts)
  const { context } = timeline
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context),
    clusterController(context),
    clusterTaintPolicyController(context),
    taintManagerController(context, { unhealthyClusterThreshold: 1.1 }),
    namespaceSyncController(context),
    executionController(context),
  )
})
afterEach(() => env.close())

function clusterFacts({ metadata, spec, status }: Cluster): string[] {
  const ready = findCondition(status?.conditions, 'Ready')
  const taints = (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)
  return [
    ...(ready ? [`Ready=${ready.status} ${ready.reason}: ${ready.message}`] : []),
    `taints: ${taints.join(', ') || 'none'}`,
    `finalizers: ${(metadata.finalizers ?? []).join(', ') || 'none'}`,
    ...(metadata.deletionTimestamp ? ['is being deleted'] : []),
  ]
}

function bindingFacts({ spec }: ResourceBinding): string[] {
  const tasks = spec.gracefulEvictionTasks ?? []
  return [
    `clusters: ${(spec.clusters ?? []).map(({ name, replicas }) => `${name}:${replicas ?? 0}`).join(', ') || 'none'}`,
    ...tasks.map(
      ({ fromCluster, replicas, purgeMode, reason, producer }) =>
        `leaves ${fromCluster} with ${replicas} replicas, ${purgeMode}, ${reason} by ${producer}`,
    ),
  ]
}

const join = (name: string) =>
  env.client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } },
    spec: { syncMode: 'Push' },
  })
const setState = (state: 'down' | 'up') =>
  env.client.patch(
    clusterKind,
    { name: 'm1' },
    { type: 'merge', value: { metadata: { annotations: { [SIM_STATE]: state } } } },
  )

function bind(name: string, clusterTolerations: Toleration[] = []): Promise<ResourceBinding> {
  const annotations = { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify({ clusterTolerations }) }
  return env.create(
    bindingKind,
    aBinding(name, {
      clusters: [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 1 },
      ],
      metadata: { annotations },
    }),
  )
}

async function expectTimeline(name: string): Promise<void> {
  const file = new URL(`${name}.txt`, import.meta.url)
  const actual = await timeline.text()
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, actual)
  expect(actual).toBe(readFileSync(file, 'utf8'))
}

test('a member joins', async () => {
  await env.createNamespace('shop')
  timeline.note('m1 is created')
  await join('m1')
  await timeline.pass(12)
  expect((await env.client.get(clusterKind, { name: 'm1' })).status?.nodeSummary).toEqual({ totalNum: 2, readyNum: 2 })
  expect((await env.client.member('m1').list(namespaceKind)).items.map(({ metadata }) => metadata.name)).toContain(
    'shop',
  )
  await expectTimeline('join')
})

test('a member fails and returns', async () => {
  await join('m1')
  await join('m2')
  await env.client.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'lost' },
    spec: {
      taints: [{ key: 'lost', effect: 'NoExecute' }],
      addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    },
  })
  await timeline.pass(5)
  for (const name of ['a', 'b']) await bind(name)
  await bind('patient', [{ key: 'lost', operator: 'Exists', tolerationSeconds: 20 }])
  await bind('stays', [{ key: 'lost', operator: 'Exists' }])
  timeline.note('m1 goes down')
  await setState('down')
  await timeline.pass(70)
  timeline.note('m1 is back')
  await setState('up')
  await timeline.pass(45)
  await expectTimeline('outage')
})

test('a member that only blinks is not given up', async () => {
  await join('m1')
  await timeline.pass(5)
  for (let blink = 0; blink < 2; blink += 1) {
    timeline.note('m1 goes down')
    await setState('down')
    await timeline.pass(25)
    timeline.note('m1 is back')
    await setState('up')
    await timeline.pass(15)
  }
  await expectTimeline('flapping')
})

test('a member leaves: its objects are removed, its workloads move first, and it is let go last', async () => {
  await env.createNamespace('shop')
  await join('m1')
  await join('m2')
  await timeline.pass(12)
  const member = env.client.member('m1')
  await bind('web')
  await env.create(workKind, aWork('settings'))
  await env.create(workKind, { ...aWork('kept'), spec: { ...aWork('kept').spec, preserveResourcesOnDeletion: true } })
  await timeline.pass(1)
  const configMaps = async () =>
    (await member.list(configMapKind, { namespace: 'default' })).items.map(({ metadata, data }) => [
      metadata.name,
      data,
    ])
  expect(await configMaps()).toEqual([
    ['kept', { key: 'kept' }],
    ['settings', { key: 'settings' }],
  ])
  timeline.note('m1 is deleted')
  await env.client.delete(clusterKind, { name: 'm1' })
  await timeline.pass(12)
  expect(await configMaps()).toEqual([['kept', { key: 'kept' }]])
  expect((await env.client.list(workKind, { namespace: 'karmada-es-m1' })).items).toEqual([])
  timeline.note('the scheduler moves web away')
  await env.client.patch(
    bindingKind,
    { namespace: 'default', name: 'web-deployment' },
    { type: 'merge', value: { spec: { clusters: [{ name: 'm2', replicas: 3 }] } } },
  )
  await timeline.pass(2)
  await expect(env.client.get(clusterKind, { name: 'm1' })).rejects.toMatchObject({ code: 404 })
  await expectTimeline('leave')
})

function aWork(name: string) {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name, namespace: 'karmada-es-m1', finalizers: ['karmada.io/execution-controller'] },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            data: { key: name },
            metadata: { name, namespace: 'default', labels: { 'karmada.io/managed': 'true' } },
          },
        ],
      },
    },
  }
}

test('a failed member is released when it is deleted, and its objects stay there', async () => {
  await env.createNamespace('shop')
  await join('m1')
  await timeline.pass(12)
  await env.create(workKind, aWork('settings'))
  await timeline.pass(1)
  await setState('down')
  await timeline.pass(45)
  timeline.note('m1 is deleted')
  await env.client.delete(clusterKind, { name: 'm1' })
  await timeline.pass(12)
  await expect(env.client.get(clusterKind, { name: 'm1' })).rejects.toMatchObject({ code: 404 })
  await expectTimeline('leave-while-down')
})

test('a cluster-scoped binding keeps a leaving member, too', async () => {
  await join('m1')
  await timeline.pass(5)
  await env.create(clusterBindingKind, aClusterBinding('viewer', { clusters: [{ name: 'm1' }] }))
  await env.client.delete(clusterKind, { name: 'm1' })
  await timeline.pass(15)
  expect((await env.client.get(clusterKind, { name: 'm1' })).metadata.deletionTimestamp).toBeDefined()
  await env.client.delete(clusterBindingKind, { name: 'viewer-clusterrole' })
  await timeline.pass(12)
  await expect(env.client.get(clusterKind, { name: 'm1' })).rejects.toMatchObject({ code: 404 })
})
