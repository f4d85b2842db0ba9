import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clusterResourceBinding, clusterRole, deployment, resourceBinding } from '@/lib/kube/kinds'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { aBinding, aClusterBinding, aDeployment } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController, type BindingOptions } from '.'

const MEMBERS = ['member1', 'member2', 'member3']
const binding = { namespace: 'shop', name: 'web-deployment' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of ['shop', ...MEMBERS.map((member) => `karmada-es-${member}`)]) await env.createNamespace(name)
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
})

afterEach(() => env.close())

const run = (options?: BindingOptions) => env.run(bindingController(env.context(), options))
const on = (...clusters: string[]) => clusters.map((name, index) => ({ name, replicas: index + 1 }))
const bind = (spec: Partial<BindingSpec> = { clusters: on('member1', 'member2') }) =>
  env.client.create(
    resourceBinding,
    aBinding('web', {
      namespace: 'shop',
      replicas: 3,
      spec,
      metadata: { finalizers: ['karmada.io/binding-controller'] },
    }),
  )
const change = (spec: Partial<BindingSpec>) =>
  env.client.patch(resourceBinding, binding, { type: 'merge', value: { spec } })
const works = async () => (await env.client.list(workKind)).items
const replicasByCluster = async () =>
  Object.fromEntries(
    (await works()).map((work) => [
      work.metadata.namespace?.replace('karmada-es-', ''),
      (work.spec.workload?.manifests?.[0]?.spec as { replicas?: number } | undefined)?.replicas,
    ]),
  )
const becomes = (expected: Record<string, number>) =>
  env.eventually(async () => expect(await replicasByCluster()).toEqual(expected))

/** Acts as the execution controller: removes finalizers of deleted Works. */
async function release(cluster: string): Promise<void> {
  const work = (await works()).find(({ metadata }) => metadata.namespace === `karmada-es-${cluster}`)
  const { namespace = '', name } = work?.metadata ?? { name: '' }
  await env.client.patch(workKind, { namespace, name }, { type: 'merge', value: { metadata: { finalizers: null } } })
}

async function reportHealthy(cluster: string): Promise<void> {
  const work = (await works()).find(({ metadata }) => metadata.namespace === `karmada-es-${cluster}`) as Work
  const { namespace = '', name } = work.metadata
  const identifier = {
    ordinal: 0,
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: '',
    namespace: 'shop',
    name: 'web',
  }
  const applied = {
    type: 'Applied',
    status: 'True',
    reason: 'AppliedSuccessful',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const status = { conditions: [applied], manifestStatuses: [{ identifier, health: 'Healthy' }] }
  await env.client.patch(workKind, { namespace, name }, { type: 'merge', value: { status } }, { subresource: 'status' })
}

describe('a binding', () => {
  test('gives every cluster a Work with its replicas, with an event', async () => {
    await run()
    await bind()
    await becomes({ member1: 1, member2: 2 })
    await env.eventually(async () =>
      expect(
        (await env.recordedEvents()).map(({ involvedObject, message }) => [involvedObject?.kind, message]),
      ).toEqual([
        ['ResourceBinding', 'Sync work of ResourceBinding(shop/web-deployment) successful.'],
        ['Deployment', 'Sync work of ResourceBinding(shop/web-deployment) successful.'],
      ]),
    )
  })

  test('gives a Work to the clusters of bindings that need it', async () => {
    await run()
    await bind({
      clusters: on('member1'),
      requiredBy: [
        {
          namespace: 'shop',
          name: 'api-deployment',
          clusters: [
            { name: 'member1', replicas: 7 },
            { name: 'member3', replicas: 2 },
          ],
        },
      ],
    })
    await becomes({ member1: 1, member3: 2 })
  })

  test('of a cluster-scoped template does the same', async () => {
    await run()
    await env.client.create(clusterRole, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [],
    })
    await env.client.create(clusterResourceBinding, aClusterBinding('reader', { clusters: [{ name: 'member1' }] }))
    const [work] = await env.eventually(async () => {
      const found = await works()
      expect(found).toHaveLength(1)
      return found
    })
    expect(work?.metadata.annotations).toMatchObject({ 'clusterresourcebinding.karmada.io/name': 'reader-clusterrole' })
  })

  test('propagates only objects of its own namespace', async () => {
    await run()
    await env.client.create(clusterRole, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [],
    })
    const resource = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' }
    await env.client.create(
      resourceBinding,
      aBinding('role', { namespace: 'shop', spec: { resource, clusters: on('member3') } }),
    )
    await bind()
    await becomes({ member1: 1, member2: 2 })
    expect((await works()).map(({ metadata }) => metadata.namespace)).not.toContain('karmada-es-member3')
  })

  test('deletes the Work of a former cluster', async () => {
    await run()
    await bind()
    await becomes({ member1: 1, member2: 2 })
    await change({ clusters: on('member1') })
    await env.eventually(async () => {
      const going = (await works())
        .filter(({ metadata }) => metadata.deletionTimestamp)
        .map(({ metadata }) => metadata.namespace)
      expect(going).toEqual(['karmada-es-member2'])
    })
  })

  test('keeps the Work of a cluster with a graceful eviction, without updates', async () => {
    await run()
    await bind()
    await becomes({ member1: 1, member2: 2 })
    const task = {
      fromCluster: 'member2',
      producer: 'TaintManager',
      reason: 'TaintUntolerated',
      purgeMode: 'Gracefully' as const,
    }
    await change({ clusters: [{ name: 'member1', replicas: 3 }], gracefulEvictionTasks: [task] })
    await becomes({ member1: 3, member2: 2 })
    expect((await works()).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([])
  })

  test('writes no new Works until a direct purge has finished', async () => {
    await run()
    await bind({ clusters: on('member1') })
    await becomes({ member1: 1 })
    const task = {
      fromCluster: 'member1',
      producer: 'TaintManager',
      reason: 'TaintUntolerated',
      purgeMode: 'Directly' as const,
    }
    await change({ clusters: [{ name: 'member2', replicas: 3 }], gracefulEvictionTasks: [task] })
    await env.eventually(async () => expect((await works())[0]?.metadata.deletionTimestamp).toBeDefined())
    expect(await replicasByCluster()).toEqual({ member1: 1 })
    await release('member1')
    await becomes({ member2: 3 })
  })

  test('deletes its Works when it is deleted', async () => {
    await run()
    await bind()
    await becomes({ member1: 1, member2: 2 })
    await env.client.delete(resourceBinding, binding)
    await env.eventually(async () => {
      expect((await env.client.list(resourceBinding)).items).toEqual([])
      expect((await works()).every(({ metadata }) => metadata.deletionTimestamp)).toBe(true)
    })
  })

  test('recreates a Work that a user deleted', async () => {
    await run()
    await bind({ clusters: on('member1') })
    await becomes({ member1: 1 })
    const [before] = await works()
    await env.client.delete(workKind, { namespace: 'karmada-es-member1', name: before?.metadata.name ?? '' })
    await release('member1')
    await env.eventually(async () => {
      const [after] = await works()
      expect(after?.metadata.uid).toBeDefined()
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
    })
  })

  test('writes nothing in a second reconcile', async () => {
    await run()
    await bind()
    await becomes({ member1: 1, member2: 2 })
    const before = (await works()).map(({ metadata }) => metadata.resourceVersion)
    await change({ schedulerName: 'another' })
    await change({ clusters: on('member1', 'member2', 'member3') })
    await becomes({ member1: 1, member2: 2, member3: 3 })
    expect((await works()).map(({ metadata }) => metadata.resourceVersion)).toEqual(expect.arrayContaining(before))
  })

  test.each([
    ['leaves the Works alone', false, true],
    ['compares the Works, as upstream does,', true, undefined],
  ])('%s when only rescheduling is triggered', async (_, recordEveryPass, afterTrigger) => {
    await run({ recordEveryPass })
    await bind({ clusters: on('member1') })
    await becomes({ member1: 1 })
    const suspended = async () => (await works())[0]?.spec.suspendDispatching
    const suspend = async () => {
      const { namespace = '', name } = (await works())[0]!.metadata
      await env.client.patch(
        workKind,
        { namespace, name },
        { type: 'merge', value: { spec: { suspendDispatching: true } } },
      )
    }
    await suspend()
    await change({ rescheduleTriggeredAt: '2026-01-01T00:00:00Z' })
    // Another binding comes after it in the queue.
    await env.client.create(deployment, aDeployment('later', { namespace: 'shop', replicas: 1 }))
    await env.client.create(
      resourceBinding,
      aBinding('later', { namespace: 'shop', replicas: 1, spec: { clusters: on('member2') } }),
    )
    await becomes({ member1: 1, member2: 1 })
    await env.eventually(async () => expect((await suspended()) || undefined).toBe(afterTrigger))

    await suspend()
    await change({ rescheduleTriggeredAt: '2026-01-01T00:00:01Z', clusters: [{ name: 'member1', replicas: 2 }] })
    await becomes({ member1: 2, member2: 1 })
    expect((await suspended()) || undefined).toBeUndefined()
  })

  test('reports a cluster whose Work cannot be written, and continues with the others', async () => {
    await run()
    await bind({ clusters: on('nowhere', 'member2') })
    await becomes({ member2: 2 })
    await env.eventually(async () =>
      expect((await env.recordedEvents()).map(({ reason }) => reason)).toContain('SyncWorkFailed'),
    )
  })
})

describe('make before break', () => {
  test('keeps the old replicas until the new ones are healthy', async () => {
    await run({ removeOrphansAfterApplied: true })
    await bind({ clusters: on('member1') })
    await becomes({ member1: 1 })
    await change({ clusters: on('member2') })
    await becomes({ member1: 1, member2: 1 })
    expect((await works()).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([])
    await reportHealthy('member2')
    await env.eventually(async () => {
      const going = (await works())
        .filter(({ metadata }) => metadata.deletionTimestamp)
        .map(({ metadata }) => metadata.namespace)
      expect(going).toEqual(['karmada-es-member1'])
    })
  })

  test('also applies to a binding that others need', async () => {
    const neededIn = (cluster: string) => ({
      requiredBy: [{ namespace: 'shop', name: 'api-deployment', clusters: [{ name: cluster, replicas: 1 }] }],
    })
    await run({ removeOrphansAfterApplied: true })
    await bind(neededIn('member1'))
    await becomes({ member1: 1 })
    await change(neededIn('member2'))
    await becomes({ member1: 1, member2: 1 })
    expect((await works()).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([])
  })

  test('has a timeout', async () => {
    await run({ removeOrphansAfterApplied: { timeoutMs: 60_000 } })
    await bind({ clusters: on('member1') })
    await becomes({ member1: 1 })
    await change({ clusters: on('member2') })
    await becomes({ member1: 1, member2: 1 })
    await env.advance(61_000)
    await env.eventually(async () =>
      expect((await works()).some(({ metadata }) => metadata.deletionTimestamp)).toBe(true),
    )
  })
})
