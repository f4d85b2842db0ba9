import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  clusterPropagationPolicy,
  clusterResourceBinding,
  clusterRole,
  configMap,
  deployment,
  overridePolicy,
  propagationPolicy,
  resourceBinding,
} from '@/lib/kube/kinds'
import type { PropagationSpec } from '@/lib/kube/kinds'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { detectorController } from '.'

const web = { namespace: 'shop', name: 'web' }
const webBinding = { namespace: 'shop', name: 'web-deployment' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  await env.createNamespace('shop')
  await env.run(detectorController(env.context()))
})

afterEach(() => env.close())

const createWeb = () => env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
const createPolicy = (name: string, spec: Partial<PropagationSpec> = {}) => {
  const draft = aPolicy(name, { namespace: 'shop' })
  return env.client.create(propagationPolicy, { ...draft, spec: { ...draft.spec, ...spec } })
}
const createClusterPolicy = (name: string, apiVersion: string, kind: string) =>
  env.client.create(clusterPropagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterPropagationPolicy',
    metadata: { name },
    spec: { resourceSelectors: [{ apiVersion, kind }] },
  })
const bindingOfWeb = () => env.eventually(() => env.client.get(resourceBinding, webBinding))
const annotationsOfWeb = async () => (await env.client.get(deployment, web)).metadata.annotations ?? {}
const policyOfWeb = async () => (await annotationsOfWeb())['propagationpolicy.karmada.io/name']
const messages = async () =>
  (await env.recordedEvents()).map(({ type, reason, message }) => `${type} ${reason} ${message}`)

describe('a template', () => {
  test('that is unclaimed is claimed as soon as a policy selects it', async () => {
    await createWeb()
    await createPolicy('all')
    const { metadata, spec } = await bindingOfWeb()
    expect(metadata.labels?.['resourcebinding.karmada.io/permanent-id']).toBeDefined()
    expect(spec).toMatchObject({
      replicas: 3,
      replicaRequirements: { resourceRequest: { cpu: '100m', memory: '64Mi' } },
    })
    expect(await policyOfWeb()).toBe('all')
    await env.eventually(async () =>
      expect(await messages()).toEqual(
        expect.arrayContaining([
          'Normal ApplyPolicySucceed Apply policy(shop/all) succeed',
          'Normal GetReplicasSucceed Get replicas of resource template successfully.',
        ]),
      ),
    )
  })

  test('is claimed by a policy of its namespace before any cluster policy', async () => {
    await createClusterPolicy('everything', 'apps/v1', 'Deployment')
    await createPolicy('all')
    await env.eventually(() => expect(env.informers.of(propagationPolicy).list()).toHaveLength(1))
    await createWeb()
    await bindingOfWeb()
    expect(await annotationsOfWeb()).toMatchObject({ 'propagationpolicy.karmada.io/name': 'all' })
  })

  test('that is cluster-scoped gets a ClusterResourceBinding', async () => {
    await createClusterPolicy('roles', 'rbac.authorization.k8s.io/v1', 'ClusterRole')
    await env.client.create(clusterRole, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'shop:reader' },
      rules: [],
    })
    const { spec } = await env.eventually(() =>
      env.client.get(clusterResourceBinding, { name: 'shop.reader-clusterrole' }),
    )
    expect(spec.resource).toMatchObject({ kind: 'ClusterRole', name: 'shop:reader' })
    expect(spec.replicas).toBeUndefined()
  })

  test('that changes updates its binding, and fields of the scheduler stay', async () => {
    await createPolicy('all')
    await createWeb()
    await bindingOfWeb()
    const clusters = [{ name: 'member1', replicas: 3 }]
    await env.client.patch(resourceBinding, webBinding, { type: 'merge', value: { spec: { clusters } } })
    await env.client.patch(deployment, web, { type: 'merge', value: { spec: { replicas: 5 } } })
    await env.eventually(async () =>
      expect((await env.client.get(resourceBinding, webBinding)).spec).toMatchObject({ replicas: 5, clusters }),
    )
  })

  test('with a changed status only does not change its binding', async () => {
    await createPolicy('all')
    await createWeb()
    const before = await bindingOfWeb()
    await env.client.patch(
      deployment,
      web,
      { type: 'merge', value: { status: { replicas: 3 } } },
      { subresource: 'status' },
    )
    await env.client.patch(
      propagationPolicy,
      { namespace: 'shop', name: 'all' },
      { type: 'merge', value: { spec: { conflictResolution: 'Overwrite' } } },
    )
    const after = await env.eventually(async () => {
      const { spec } = await env.client.get(resourceBinding, webBinding)
      expect(spec.conflictResolution).toBe('Overwrite')
      return spec
    })
    expect(after.resource.resourceVersion).toBe(before.spec.resource.resourceVersion)
  })

  test('whose binding was deleted gets a new one', async () => {
    await createPolicy('all')
    await createWeb()
    const {
      metadata: { uid },
    } = await bindingOfWeb()
    await env.client.patch(resourceBinding, webBinding, { type: 'merge', value: { metadata: { finalizers: null } } })
    await env.client.delete(resourceBinding, webBinding)
    await env.eventually(async () =>
      expect((await env.client.get(resourceBinding, webBinding)).metadata.uid).not.toBe(uid),
    )
  })

  test('in the namespaces of Kubernetes itself is never claimed', async () => {
    await createClusterPolicy('maps', 'v1', 'ConfigMap')
    await env.createNamespace('kube-tools')
    for (const namespace of ['kube-tools', 'shop']) {
      await env.client.create(configMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: 'settings' },
      })
    }
    await env.eventually(() => env.client.get(resourceBinding, { namespace: 'shop', name: 'settings-configmap' }))
    expect((await env.client.list(resourceBinding, { namespace: 'kube-tools' })).items).toEqual([])
  })
})

describe('a policy', () => {
  test('that no longer selects a template releases it, and another one claims it', async () => {
    await createPolicy('first', { priority: 1 })
    await createWeb()
    await bindingOfWeb()
    await createPolicy('second')
    expect(await policyOfWeb()).toBe('first')
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'other', namespace: 'shop' }]
    await env.client.patch(
      propagationPolicy,
      { namespace: 'shop', name: 'first' },
      { type: 'merge', value: { spec: { resourceSelectors } } },
    )
    await env.eventually(async () => {
      expect(await policyOfWeb()).toBe('second')
      const { metadata } = await env.client.get(resourceBinding, webBinding)
      expect(metadata.annotations?.['propagationpolicy.karmada.io/name']).toBe('second')
    })
  })

  test('that is deleted leaves bindings without a claim', async () => {
    await createPolicy('all')
    await createWeb()
    await bindingOfWeb()
    await env.client.delete(propagationPolicy, { namespace: 'shop', name: 'all' })
    await env.eventually(async () => {
      expect(await policyOfWeb()).toBeUndefined()
      const { metadata } = await env.client.get(resourceBinding, webBinding)
      expect(Object.keys(metadata.labels ?? {})).toEqual(['resourcebinding.karmada.io/permanent-id'])
      expect((await env.client.list(propagationPolicy)).items).toEqual([])
    })
  })

  test('that is Lazy claims at once and takes effect at the next change by the user', async () => {
    await createWeb()
    await createPolicy('eager', { priority: 1 })
    await bindingOfWeb()
    await createPolicy('lazy', {
      activationPreference: 'Lazy',
      placement: { clusterAffinity: { clusterNames: ['far'] } },
    })
    await env.client.delete(propagationPolicy, { namespace: 'shop', name: 'eager' })
    await env.eventually(async () => expect(await policyOfWeb()).toBe('lazy'))
    const placement = async () => (await env.client.get(resourceBinding, webBinding)).spec.placement?.clusterAffinity
    expect(await placement()).not.toEqual({ clusterNames: ['far'] })
    await env.client.patch(deployment, web, { type: 'merge', value: { spec: { replicas: 4 } } })
    await env.eventually(async () => expect(await placement()).toEqual({ clusterNames: ['far'] }))
  })

  test('that is Lazy only claims an existing template, until the user changes that', async () => {
    await createWeb()
    await createPolicy('maps', { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] })
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'shop', name: 'settings' },
    })
    await env.eventually(() => env.client.get(resourceBinding, { namespace: 'shop', name: 'settings-configmap' }))
    await createPolicy('lazy', { activationPreference: 'Lazy' })
    await env.eventually(async () => expect(await policyOfWeb()).toBe('lazy'))
    await env.advance(1_000)
    expect((await env.client.list(resourceBinding)).items.map(({ metadata }) => metadata.name)).toEqual([
      'settings-configmap',
    ])
    await env.client.patch(deployment, web, { type: 'merge', value: { spec: { replicas: 4 } } })
    await env.eventually(async () => expect((await env.client.get(resourceBinding, webBinding)).spec.replicas).toBe(4))
  })

  test('with dependentOverrides applies nothing before they exist', async () => {
    await createPolicy('all', { dependentOverrides: ['missing'] })
    await createWeb()
    await createPolicy('maps', { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] })
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'shop', name: 'settings' },
    })
    await env.eventually(() => env.client.get(resourceBinding, { namespace: 'shop', name: 'settings-configmap' }))
    expect(await policyOfWeb()).toBeUndefined()
    await env.client.create(overridePolicy, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'OverridePolicy',
      metadata: { namespace: 'shop', name: 'missing' },
      spec: {},
    })
    await env.eventually(async () => expect(await policyOfWeb()).toBe('all'))
  })
})

describe('with preemption', () => {
  const always = (priority: number, more: Partial<PropagationSpec> = {}): Partial<PropagationSpec> => ({
    preemption: 'Always',
    priority,
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    ...more,
  })
  const clusterPolicyOfWeb = async () => (await annotationsOfWeb())['clusterpropagationpolicy.karmada.io/name']
  const createClusterAlways = (name: string, priority: number) =>
    env.client.create(clusterPropagationPolicy, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterPropagationPolicy',
      metadata: { name },
      spec: {
        preemption: 'Always',
        priority,
        resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }],
      },
    })
  /** Waits until all policies and templates so far are reconciled. */
  const settle = async (marker: string) => {
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'shop', name: marker },
    })
    await createPolicy(marker, { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: marker }] })
    await env.eventually(() => env.client.get(resourceBinding, { namespace: 'shop', name: `${marker}-configmap` }))
  }

  beforeEach(async () => {
    await env.close()
    env = await startEnv()
    await env.createNamespace('shop')
    await env.run(detectorController(env.context(), { preemption: true }))
  })

  test('a policy takes over a template with its binding from one of lower priority, with an event', async () => {
    await createPolicy('first', { priority: 1 })
    await createWeb()
    await bindingOfWeb()
    await createPolicy('second', always(2, { placement: { clusterAffinity: { clusterNames: ['far'] } } }))
    await env.eventually(async () => {
      expect(await policyOfWeb()).toBe('second')
      const { metadata, spec } = await env.client.get(resourceBinding, webBinding)
      expect(metadata.annotations?.['propagationpolicy.karmada.io/name']).toBe('second')
      expect(spec.placement).toEqual({ clusterAffinity: { clusterNames: ['far'] } })
    })
    await env.eventually(async () =>
      expect(await messages()).toContain(
        'Normal PreemptPolicySucceed Propagation policy(shop/second) preempted propagation policy(shop/first) successfully',
      ),
    )
  })

  test('a policy takes nothing from one of the same priority, or without preemption: Always', async () => {
    await createPolicy('first', { priority: 1 })
    await createWeb()
    await bindingOfWeb()
    await createPolicy('equal', always(1))
    await createPolicy('modest', { ...always(9), preemption: 'Never' })
    await settle('marker')
    expect(await policyOfWeb()).toBe('first')
  })

  test('a policy of the namespace preempts any cluster policy, and never vice versa', async () => {
    await createClusterAlways('wide', 5)
    await createWeb()
    await bindingOfWeb()
    await createPolicy('near', always(-3))
    await env.eventually(async () => expect(await policyOfWeb()).toBe('near'))
    expect(await clusterPolicyOfWeb()).toBeUndefined()
    await createClusterAlways('wider', 9)
    await settle('marker')
    expect(await policyOfWeb()).toBe('near')
    await env.eventually(async () =>
      expect(await messages()).toContain(
        'Normal PreemptPolicySucceed Propagation policy(shop/near) preempted cluster propagation policy(wide) successfully',
      ),
    )
  })

  test('a cluster policy preempts one of lower priority', async () => {
    await createClusterAlways('wide', 1)
    await createWeb()
    await bindingOfWeb()
    await createClusterAlways('wider', 2)
    await env.eventually(async () => expect(await clusterPolicyOfWeb()).toBe('wider'))
    await env.eventually(async () =>
      expect(await messages()).toContain(
        'Normal PreemptPolicySucceed Cluster propagation policy(wider) preempted cluster propagation policy(wide) successfully',
      ),
    )
  })

  test('a policy whose priority is lowered loses its templates to the best of those that are now above it', async () => {
    await createPolicy('high', always(9))
    await createWeb()
    await bindingOfWeb()
    await createPolicy('better', always(5))
    await createPolicy('good', always(3))
    await settle('marker')
    expect(await policyOfWeb()).toBe('high')
    await env.client.patch(
      propagationPolicy,
      { namespace: 'shop', name: 'high' },
      { type: 'merge', value: { spec: { priority: 1 } } },
    )
    await env.eventually(async () => expect(await policyOfWeb()).toBe('better'))
  })
})

test('without the feature gate a policy with preemption: Always takes nothing', async () => {
  await createPolicy('first', { priority: 1 })
  await createWeb()
  await bindingOfWeb()
  await createPolicy('second', {
    preemption: 'Always',
    priority: 9,
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
  })
  await env.client.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'marker' },
  })
  await createPolicy('maps', { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] })
  await env.eventually(() => env.client.get(resourceBinding, { namespace: 'shop', name: 'marker-configmap' }))
  expect(await policyOfWeb()).toBe('first')
})
