/** The complete propagation of a template: claimed, bound, dispatched, applied in members, and its status collected. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  clusterPropagationPolicy,
  clusterResourceBinding,
  clusterRole,
  deployment,
  propagationPolicy,
  resourceBinding,
} from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from './binding'
import { bindingStatusController } from './binding-status'
import { detectorController } from './detector'
import { executionController } from './execution'
import { namespaceSyncController } from './namespace-sync'
import { workStatusController } from './work-status'

const MEMBERS = ['member1', 'member2'] as const
const binding = { namespace: 'shop', name: 'web-deployment' }
const web = { namespace: 'shop', name: 'web' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of MEMBERS) {
    await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
  }
  await env.createNamespace('shop')
  const context = env.context()
  await env.run(
    detectorController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    namespaceSyncController(context),
  )
})

afterEach(() => env.close())

/** Acts as the scheduler. */
async function schedule(replicas: Record<string, number>): Promise<void> {
  const clusters = Object.entries(replicas).map(([name, count]) => ({ name, replicas: count }))
  await env.client.patch(resourceBinding, binding, { type: 'merge', value: { spec: { clusters } } })
  await env.client.patch(
    resourceBinding,
    binding,
    { type: 'merge', value: { status: { lastScheduledTime: '2026-01-01T00:00:00Z' } } },
    { subresource: 'status' },
  )
}

/** Acts as the member's controllers. */
async function becomeReady(cluster: string): Promise<void> {
  const member = env.client.member(cluster)
  const { metadata, spec } = await member.get(deployment, web)
  const { replicas = 0 } = spec
  const status = {
    observedGeneration: metadata.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  }
  await member.patch(deployment, web, { type: 'merge', value: { status } }, { subresource: 'status' })
}

async function propagate(): Promise<void> {
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
  await env.client.create(propagationPolicy, aPolicy('all', { namespace: 'shop' }))
  await env.eventually(() => env.client.get(resourceBinding, binding))
}

const replicasIn = async (cluster: string): Promise<number | undefined> =>
  (await env.client.member(cluster).get(deployment, web)).spec.replicas

const isGone = async (look: () => Promise<unknown>): Promise<boolean> => {
  try {
    await look()
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

test('a template reaches its clusters with its share of replicas, and its status is collected', async () => {
  await propagate()
  await schedule({ member1: 1, member2: 2 })
  await env.eventually(async () => {
    expect(await replicasIn('member1')).toBe(1)
    expect(await replicasIn('member2')).toBe(2)
  })
  await Promise.all(MEMBERS.map(becomeReady))
  await env.eventually(async () => {
    const { status } = await env.client.get(resourceBinding, binding)
    expect(isConditionTrue(status?.conditions, 'FullyApplied')).toBe(true)
    expect(status?.aggregatedStatus?.map(({ clusterName, applied, health }) => [clusterName, applied, health])).toEqual(
      [
        ['member1', true, 'Healthy'],
        ['member2', true, 'Healthy'],
      ],
    )
  })
  await env.eventually(async () => {
    const { status, metadata } = await env.client.get(deployment, web)
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, observedGeneration: metadata.generation })
  })
})

test('a cluster that is no longer scheduled loses its object', async () => {
  await propagate()
  await schedule({ member1: 1, member2: 2 })
  await env.eventually(async () => expect(await replicasIn('member2')).toBe(2))
  await schedule({ member1: 3 })
  await env.eventually(async () => {
    expect(await replicasIn('member1')).toBe(3)
    expect(await isGone(() => env.client.member('member2').get(deployment, web))).toBe(true)
  })
})

test('an object that a user changed or deleted in a member is restored', async () => {
  await propagate()
  await schedule({ member1: 3 })
  await env.eventually(async () => expect(await replicasIn('member1')).toBe(3))
  await env.client.member('member1').patch(deployment, web, { type: 'merge', value: { spec: { replicas: 9 } } })
  await env.eventually(async () => expect(await replicasIn('member1')).toBe(3))
  await env.client.member('member1').delete(deployment, web)
  await env.eventually(async () => expect(await replicasIn('member1')).toBe(3))
})

test('an object that already exists in a member is not touched, and the reason is reported', async () => {
  const member = env.client.member('member1')
  await env.eventually(() =>
    member.get({ ...deployment }, web).catch((error) => {
      if (!isNotFound(error)) throw error
    }),
  )
  await env.eventually(() => member.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 7 })))
  await propagate()
  await schedule({ member1: 3 })
  const message = await env.eventually(async () => {
    const { status } = await env.client.get(resourceBinding, binding)
    expect(status?.aggregatedStatus?.[0]?.appliedMessage).toBeDefined()
    return status?.aggregatedStatus?.[0]?.appliedMessage
  })
  expect(message).toContain('resource(kind=Deployment, shop/web) already exists in the cluster member1')
  expect(await replicasIn('member1')).toBe(7)
})

test('deleting the template removes binding, Works and member objects', async () => {
  await propagate()
  await schedule({ member1: 1, member2: 2 })
  await env.eventually(async () => expect(await replicasIn('member2')).toBe(2))
  await env.client.delete(deployment, web)
  await env.eventually(async () => {
    expect(await isGone(() => env.client.get(resourceBinding, binding))).toBe(true)
    expect(await isGone(() => env.client.member('member1').get(deployment, web))).toBe(true)
    expect(await isGone(() => env.client.member('member2').get(deployment, web))).toBe(true)
    const { items } = await env.client.list(workKind)
    expect(items.filter(({ metadata }) => metadata.name.startsWith('web-'))).toEqual([])
  })
})

test('deleting the policy releases the template and keeps everything that runs', async () => {
  await propagate()
  await schedule({ member1: 3 })
  await env.eventually(async () => expect(await replicasIn('member1')).toBe(3))
  await env.client.delete(propagationPolicy, { namespace: 'shop', name: 'all' })
  await env.eventually(async () => {
    expect(await isGone(() => env.client.get(propagationPolicy, { namespace: 'shop', name: 'all' }))).toBe(true)
    const { metadata } = await env.client.get(deployment, web)
    expect(metadata.labels).toEqual({ app: 'web' })
  })
  expect(await replicasIn('member1')).toBe(3)
})

test('a cluster-scoped template is propagated in the same way', async () => {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
  await env.client.create(clusterRole, { apiVersion, kind: 'ClusterRole', metadata: { name: 'reader' }, rules })
  await env.client.create(clusterPropagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name: 'roles' },
    spec: { resourceSelectors: [{ apiVersion, kind: 'ClusterRole' }] },
  })
  const ref = { name: 'reader-clusterrole' }
  await env.eventually(() => env.client.get(clusterResourceBinding, ref))
  const clusters = MEMBERS.map((name) => ({ name }))
  await env.client.patch(clusterResourceBinding, ref, { type: 'merge', value: { spec: { clusters } } })
  await env.eventually(async () => {
    const { status } = await env.client.get(clusterResourceBinding, ref)
    expect(isConditionTrue(status?.conditions, 'FullyApplied')).toBe(true)
    expect(status?.aggregatedStatus?.map(({ health }) => health)).toEqual(['Healthy', 'Healthy'])
  })
  expect((await env.client.member('member2').get(clusterRole, { name: 'reader' })).rules).toEqual(rules)
})

test('a policy that suspends dispatching to one cluster holds that cluster only', async () => {
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
  const policy = aPolicy('all', { namespace: 'shop' })
  const suspension = { dispatchingOnClusters: { clusterNames: ['member2'] } }
  await env.client.create(propagationPolicy, { ...policy, spec: { ...policy.spec, suspension } })
  await env.eventually(() => env.client.get(resourceBinding, binding))
  await schedule({ member1: 1, member2: 2 })
  await env.eventually(async () => {
    const { status } = await env.client.get(resourceBinding, binding)
    expect(status?.aggregatedStatus?.map(({ clusterName, applied }) => [clusterName, applied ?? false])).toEqual([
      ['member1', true],
      ['member2', false],
    ])
  })
  expect(await isGone(() => env.client.member('member2').get(deployment, web))).toBe(true)
  await env.client.patch(
    propagationPolicy,
    { namespace: 'shop', name: 'all' },
    { type: 'merge', value: { spec: { suspension: null } } },
  )
  await env.eventually(async () => expect(await replicasIn('member2')).toBe(2))
})

test('a policy that suspends dispatching holds every cluster, with an event, and neither it nor its end affects other suspensions', async () => {
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 2 }))
  const policy = aPolicy('all', { namespace: 'shop' })
  await env.client.create(propagationPolicy, { ...policy, spec: { ...policy.spec, suspension: { dispatching: true } } })
  await env.eventually(() => env.client.get(resourceBinding, binding))
  await env.client.patch(resourceBinding, binding, {
    type: 'merge',
    value: { spec: { suspension: { scheduling: true } } },
  })
  await schedule({ member1: 1, member2: 1 })
  const suspensionOf = async () => (await env.client.get(resourceBinding, binding)).spec.suspension
  await env.eventually(async () => {
    const { items } = await env.client.list(workKind)
    const copies = items.filter(({ metadata }) => metadata.name.startsWith('web-'))
    expect(
      copies.map(({ spec, status }) => [
        spec.suspendDispatching,
        findCondition(status?.conditions, 'Dispatching')?.reason,
      ]),
    ).toEqual([
      [true, 'SuspendDispatching'],
      [true, 'SuspendDispatching'],
    ])
  })
  expect(await suspensionOf()).toEqual({ dispatching: true, scheduling: true })
  expect(await isGone(() => env.client.member('member1').get(deployment, web))).toBe(true)
  await env.client.patch(
    propagationPolicy,
    { namespace: 'shop', name: 'all' },
    { type: 'merge', value: { spec: { suspension: null } } },
  )
  await env.eventually(async () => expect([await replicasIn('member1'), await replicasIn('member2')]).toEqual([1, 1]))
  expect(await suspensionOf()).toEqual({ scheduling: true })
})
