/** Failures are reported by conditions and events, retried with backoff, and delay no other object. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { kubeError } from '@/lib/kube/errors'
import {
  clusterPropagationPolicy,
  configMap,
  deployment,
  namespace as namespaceKind,
  pod as podKind,
  propagationPolicy,
  resourceBinding,
  secret,
} from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { work as workKind } from '@/lib/kube/kinds/work'
import { CLUSTER_POLICY_ID_LABEL, POLICY_ID_LABEL } from '@/lib/kube/names'
import type { KubeObject } from '@/lib/kube/object'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import { type Fault, withFaults } from '@/server/testing/faulty-client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from './binding'
import { bindingStatusController } from './binding-status'
import { detectorController } from './detector'
import { executionController } from './execution'
import { workStatusController } from './work-status'

const MEMBERS = ['member1', 'member2'] as const
const web = { namespace: 'shop', name: 'web' }
const settings = { namespace: 'shop', name: 'settings' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  await env.createNamespace('shop')
  for (const name of MEMBERS) {
    await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
    await env.client
      .member(name)
      .create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  }
})

afterEach(() => env.close())

async function run(...faults: Fault[]): Promise<void> {
  const context = { ...env.context(), client: withFaults(env.client, ...faults) }
  await env.run(
    detectorController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
  )
}

const createWeb = () => env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 2 }))
const createSettings = () =>
  env.client.create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...settings }, data: { a: '1' } })
/** A policy for all objects of these tests. */
const createPolicy = (name = 'all', more: object = {}) =>
  env.client.create(propagationPolicy, {
    ...aPolicy(name, { namespace: 'shop' }),
    spec: {
      resourceSelectors: [
        ['apps/v1', 'Deployment'],
        ['v1', 'ConfigMap'],
        ['v1', 'Secret'],
      ].map(([apiVersion = '', kind = '']) => ({ apiVersion, kind })),
      ...more,
    },
  })

const bindingOf = (name: string, kind = 'deployment') => ({ namespace: 'shop', name: `${name}-${kind}` })

/** Acts as the scheduler. */
async function schedule(ref: { namespace: string; name: string }, ...clusters: string[]): Promise<void> {
  await env.eventually(() => env.client.get(resourceBinding, ref))
  const targets = clusters.map((name) => ({ name, replicas: 1 }))
  await env.client.patch(resourceBinding, ref, { type: 'merge', value: { spec: { clusters: targets } } })
}

const statusOf = async (ref: { namespace: string; name: string }) => (await env.client.get(resourceBinding, ref)).status
const isFullyApplied = (ref: { namespace: string; name: string }) =>
  env.eventually(async () => expect(isConditionTrue((await statusOf(ref))?.conditions, 'FullyApplied')).toBe(true))
const isTold = (text: string | RegExp) =>
  env.eventually(async () =>
    expect(
      (await env.recordedEvents()).map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
    ).toContainEqual(expect.stringMatching(text)),
  )
const failsAs = (ref: { namespace: string; name: string }, cluster: string, message: RegExp) =>
  env.eventually(async () => {
    const item = (await statusOf(ref))?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)
    expect(item).toMatchObject({ health: 'Unknown', appliedMessage: expect.stringMatching(message) })
    expect(item?.applied).toBeUndefined()
  })

describe('on the control plane', () => {
  test('two policies that select the same template at once leave it with one owner, and its binding with the same', async () => {
    await run()
    await Promise.all([
      createWeb(),
      createPolicy('first'),
      createPolicy('second'),
      env.client.create(clusterPropagationPolicy, {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'ClusterPropagationPolicy',
        metadata: { name: 'third' },
        spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] },
      }),
    ])
    const claims = ({ metadata: { labels = {} } }: KubeObject) => [
      labels[POLICY_ID_LABEL],
      labels[CLUSTER_POLICY_ID_LABEL],
    ]
    await env.eventually(async () => {
      const template = await env.client.get(deployment, web)
      const binding = await env.client.get(resourceBinding, bindingOf('web'))
      expect(claims(template).filter((id) => id !== undefined)).toHaveLength(1)
      expect(claims(binding)).toEqual(claims(template))
    })
  })

  test('a policy that is deleted meanwhile releases its claims, and propagated objects stay', async () => {
    await run()
    await createPolicy()
    await createWeb()
    await schedule(bindingOf('web'), ...MEMBERS)
    await env.client.delete(propagationPolicy, { namespace: 'shop', name: 'all' })
    await env.eventually(async () => {
      expect((await env.client.list(propagationPolicy)).items).toEqual([])
      expect((await env.client.get(deployment, web)).metadata.labels).toEqual({ app: 'web' })
      const { metadata, spec } = await env.client.get(resourceBinding, bindingOf('web'))
      expect(metadata.labels).not.toHaveProperty([POLICY_ID_LABEL])
      expect(spec.clusters).toHaveLength(2)
    })
    await isFullyApplied(bindingOf('web'))
    for (const name of MEMBERS) expect((await env.client.member(name).get(deployment, web)).spec.replicas).toBe(1)
  })

  test('a claim written after the deletion of its policy is removed', async () => {
    await createPolicy()
    const claimedLate: Fault = {
      verb: 'patch',
      kind: deployment,
      name: 'web',
      before: async () => {
        await env.client.delete(propagationPolicy, { namespace: 'shop', name: 'all' })
      },
    }
    await run(claimedLate)
    await createWeb()
    await env.eventually(async () => {
      expect((await env.client.list(propagationPolicy)).items).toEqual([])
      expect((await env.client.get(deployment, web)).metadata.labels).toEqual({ app: 'web' })
    })
  })

  test('a template that cannot be claimed says why, and is claimed once it can be', async () => {
    await run({
      verb: 'patch',
      kind: deployment,
      name: 'web',
      times: 3,
      before: () => {
        throw kubeError(403, 'Forbidden', 'admission webhook "guard" denied the request')
      },
    })
    await createPolicy()
    await createWeb()
    await isTold(
      /^Warning ApplyPolicyFailed: Apply policy\(shop\/all\) failed: admission webhook "guard" denied the request$/,
    )
    await env.eventually(() => env.client.get(resourceBinding, bindingOf('web')))
  })

  test('a policy with a missing priority class creates no binding, says why, and works when the class exists', async () => {
    await run()
    await createPolicy('all', {
      schedulePriority: { priorityClassSource: 'KubePriorityClass', priorityClassName: 'high' },
    })
    await createWeb()
    await isTold(
      'Warning ApplyPolicyFailed: Apply policy\\(shop/all\\) failed: priorityclasses.scheduling.k8s.io "high" not found',
    )
    expect((await env.client.list(resourceBinding)).items).toEqual([])
    const made = await env.client.raw('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 9,
    })
    expect(made.status).toBe(201)
    await env.eventually(async () =>
      expect((await env.client.get(resourceBinding, bindingOf('web'))).spec.schedulePriority).toEqual({ priority: 9 }),
    )
  })
})

describe('in a member', () => {
  test('an unmanaged object is not touched in that member only, and is adopted once it may be', async () => {
    await run()
    await env.client
      .member('member1')
      .create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...settings }, data: { a: 'theirs' } })
    await createPolicy()
    await createSettings()
    await schedule(bindingOf('settings', 'configmap'), ...MEMBERS)
    const reason =
      /^Failed to apply all manifests \(0\/1\): resource\(kind=ConfigMap, shop\/settings\) already exists in the cluster member1 and the work\.karmada\.io\/conflict-resolution strategy value is empty, Karmada will not manage this resource$/
    await failsAs(bindingOf('settings', 'configmap'), 'member1', reason)
    await isTold(
      /^Warning SyncFailed: Failed to sync work\(karmada-es-member1\/settings-.*\) to cluster\(member1\), err: resource\(kind=ConfigMap, shop\/settings\) already exists/,
    )
    await isTold(
      /^Warning SyncFailed: Failed to create or update resource\(shop\/settings\) in member cluster\(member1\): resource\(kind=ConfigMap/,
    )
    expect((await env.client.member('member2').get(configMap, settings)).data).toEqual({ a: '1' })
    expect((await env.client.member('member1').get(configMap, settings)).data).toEqual({ a: 'theirs' })
    await env.client.patch(
      propagationPolicy,
      { namespace: 'shop', name: 'all' },
      { type: 'merge', value: { spec: { conflictResolution: 'Overwrite' } } },
    )
    await isFullyApplied(bindingOf('settings', 'configmap'))
    expect((await env.client.member('member1').get(configMap, settings)).data).toEqual({ a: '1' })
  })

  test("a rejected kind fails with the member's message, with back-off, and other kinds are not affected", async () => {
    let tries = 0
    await run({
      verb: 'create',
      kind: secret,
      name: 'key',
      times: Infinity,
      before: () => {
        tries += 1
        throw kubeError(403, 'Forbidden', 'secrets is forbidden: not here')
      },
    })
    await createPolicy()
    await env.client.create(secret, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'shop', name: 'key' } })
    await createSettings()
    await schedule(bindingOf('key', 'secret'), 'member1')
    await schedule(bindingOf('settings', 'configmap'), 'member1')
    await isFullyApplied(bindingOf('settings', 'configmap'))
    await failsAs(
      bindingOf('key', 'secret'),
      'member1',
      /^Failed to apply all manifests \(0\/1\): secrets is forbidden: not here$/,
    )
    // With the default back-off at most one attempt per ten seconds after the first ones.
    const before = tries
    for (let step = 0; step < 60; step += 1) await env.advance(1_000)
    await env.eventually(() => expect(tries).toBeGreaterThan(before), { flowMs: 0 })
    expect(tries - before).toBeLessThan(12)
  })

  test('a manifest that the member rejects fails with its message, and is applied once it is valid', async () => {
    await run()
    await createPolicy()
    await createWeb()
    await schedule(bindingOf('web'), ...MEMBERS)
    await isFullyApplied(bindingOf('web'))
    // A selector is immutable: the existing object was created with another one.
    const [work] = (await env.client.list(workKind, { namespace: 'karmada-es-member1' })).items
    const manifest = structuredClone(work?.spec.workload?.manifests?.[0]) as {
      spec: { selector: object; template: { metadata: { labels: object } } }
    }
    manifest.spec.selector = { matchLabels: { app: 'other' } }
    manifest.spec.template.metadata.labels = { app: 'other' }
    const ref = { namespace: 'karmada-es-member1', name: work?.metadata.name ?? '' }
    await env.client.patch(workKind, ref, { type: 'merge', value: { spec: { workload: { manifests: [manifest] } } } })
    await failsAs(
      bindingOf('web'),
      'member1',
      /^Failed to apply all manifests \(0\/1\): Deployment\.apps "web" is invalid: .*field is immutable/,
    )
    await env.client.patch(workKind, ref, { type: 'merge', value: { spec: { workload: work?.spec.workload } } })
    await isFullyApplied(bindingOf('web'))
  })

  test('a missing namespace is awaited', async () => {
    await run()
    await env.createNamespace('later')
    await env.client.create(configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'later', name: 'settings' },
    })
    await env.client.create(propagationPolicy, {
      ...aPolicy('all', { namespace: 'later' }),
      spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }] },
    })
    const ref = { namespace: 'later', name: 'settings-configmap' }
    await schedule(ref, 'member1')
    await failsAs(ref, 'member1', /namespaces "later" not found/)
    await env.client
      .member('member1')
      .create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'later' } })
    await isFullyApplied(ref)
  })

  test('a status too large for the control plane is omitted, and the rest is reported', async () => {
    await sendPod()
    await report('member1', await mostFor('member1'))
    await isTold(
      /^Warning ReflectStatusFailed: Reflect status for object\(Pod\/shop\/web\) failed, err: etcdserver: request is too large\.$/,
    )
    await report('member2', 10)
    await env.eventually(async () =>
      expect((await statusOf(bindingOf('web', 'pod')))?.aggregatedStatus).toEqual([
        { clusterName: 'member1', applied: true, health: 'Unhealthy', creationTimestamp: expect.any(String) },
        {
          clusterName: 'member2',
          applied: true,
          health: 'Unhealthy',
          creationTimestamp: expect.any(String),
          status: expect.objectContaining({ message: 'x'.repeat(10) }),
        },
      ]),
    )
  })

  test('the reports of all members together may be too large as well', async () => {
    await sendPod()
    for (const name of MEMBERS) await report(name, 1024 * 1024)
    await isTold(/^Warning AggregateStatusFailed: etcdserver: request is too large$/)
    await env.eventually(async () =>
      expect((await statusOf(bindingOf('web', 'pod')))?.aggregatedStatus).toEqual(
        MEMBERS.map((clusterName) => ({
          clusterName,
          applied: true,
          health: 'Unhealthy',
          creationTimestamp: expect.any(String),
        })),
      ),
    )
  })

  /** A pod's complete status is collected. */
  async function sendPod(): Promise<void> {
    await run()
    await createPolicy('all', { resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod' }] })
    await env.client.create(podKind, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...web },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    })
    await schedule(bindingOf('web', 'pod'), ...MEMBERS)
    await isFullyApplied(bindingOf('web', 'pod'))
  }

  /** The largest that fits into the pod, which is too large for its Work beside the manifest. */
  async function mostFor(member: string): Promise<number> {
    await report(member, 1)
    const pod = JSON.stringify(await env.client.member(member).get(podKind, web)).length
    return 1.5 * 1024 * 1024 - pod - 100
  }

  const report = (member: string, bytes: number) =>
    env.client
      .member(member)
      .patch(
        podKind,
        web,
        { type: 'merge', value: { status: { phase: 'Pending', message: 'x'.repeat(bytes) } } },
        { subresource: 'status' },
      )
})

test('a Work without its cluster reports that and is released, and others are not affected', async () => {
  await run()
  await createPolicy()
  await createSettings()
  await schedule(bindingOf('settings', 'configmap'), ...MEMBERS)
  await isFullyApplied(bindingOf('settings', 'configmap'))
  await env.client.delete(clusterKind, { name: 'member1' })
  await env.client.patch(configMap, settings, { type: 'merge', value: { data: { a: '2' } } })
  await env.eventually(async () =>
    expect((await env.client.member('member2').get(configMap, settings)).data).toEqual({ a: '2' }),
  )
  await isTold(
    /^Warning SyncFailed: Failed to sync work\(karmada-es-member1\/settings-.*\) to cluster\(member1\), err: clusters\.cluster\.karmada\.io "member1" not found/,
  )
  await schedule(bindingOf('settings', 'configmap'), 'member2')
  await env.eventually(async () => {
    expect((await env.client.list(workKind, { namespace: 'karmada-es-member1' })).items).toEqual([])
    const status = await statusOf(bindingOf('settings', 'configmap'))
    expect(findCondition(status?.conditions, 'FullyApplied')?.status).toBe('True')
  })
})
