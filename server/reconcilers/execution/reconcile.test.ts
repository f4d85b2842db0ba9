import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import { configMap, type ConfigMap, namespace, service } from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import type { Draft } from '@/lib/kube/object'
import { type Env, startEnv } from '@/server/testing/start-env'
import { executionController } from '.'

const settings = { namespace: 'shop', name: 'settings' }
const workRef = { namespace: 'karmada-es-member1', name: 'settings' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of ['shop', 'karmada-es-member1']) await env.createNamespace(name)
})

afterEach(() => env.close())

async function start({ ready = true }: { ready?: boolean } = {}): Promise<void> {
  await env.createCluster('member1', { ready, annotations: { 'sim.evenkeel.io/nodes': '1' } })
  await env.client
    .member('member1')
    .create(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  await env.run(executionController(env.context()))
}

/** A Work with one ConfigMap. */
function aSettingsWork(
  data: Record<string, string>,
  { resolution = 'abort', ...spec }: { resolution?: string } & Partial<Work['spec']> = {},
): Draft<Work> {
  const marks = {
    'work.karmada.io/namespace': workRef.namespace,
    'work.karmada.io/name': workRef.name,
    'work.karmada.io/conflict-resolution': resolution,
  }
  const metadata = {
    ...settings,
    labels: { 'karmada.io/managed': 'true' },
    annotations: { ...marks, 'resourcetemplate.karmada.io/uid': 'template-uid' },
  }
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { ...workRef, finalizers: ['karmada.io/execution-controller'] },
    spec: { ...spec, workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }] } },
  }
}

const send = (...args: Parameters<typeof aSettingsWork>) => env.client.create(workKind, aSettingsWork(...args))
const read = () => env.client.member('member1').get(configMap, settings)
const inMember = async (): Promise<ConfigMap | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
const condition = async (type: string) =>
  findCondition((await env.client.get(workKind, workRef)).status?.conditions, type)
const holds = (data: Record<string, string>) => env.eventually(async () => expect((await read()).data).toEqual(data))
const isApplied = (status: 'True' | 'False') =>
  env.eventually(async () => {
    const applied = await condition('Applied')
    expect(applied?.status).toBe(status)
    return applied
  })
const reasons = async () =>
  new Set((await env.recordedEvents()).map(({ type, reason, message }) => `${type} ${reason}: ${message}`))
const createTheirs = (data: Record<string, string>) =>
  env.client
    .member('member1')
    .create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...settings }, data })

describe('a Work', () => {
  test('is applied in its member, with an event', async () => {
    await start()
    await send({ a: '1' })
    await holds({ a: '1' })
    expect(await isApplied('True')).toMatchObject({
      reason: 'AppliedSuccessful',
      message: 'Manifest has been successfully applied',
    })
    expect(await condition('Dispatching')).toMatchObject({ status: 'True', reason: 'Dispatching' })
    await env.eventually(async () =>
      expect(await reasons()).toEqual(
        new Set([
          'Normal WorkDispatching: Work is being dispatched to member clusters.',
          'Normal SyncSucceed: Sync work(karmada-es-member1/settings) to cluster(member1) successful.',
          'Normal SyncSucceed: Successfully applied resource(shop/settings) to cluster member1',
        ]),
      ),
    )
  })

  test('with a changed manifest updates the member, and fields of other clients stay', async () => {
    await start()
    await send({ a: '1' })
    await holds({ a: '1' })
    await env.client
      .member('member1')
      .patch(configMap, settings, { type: 'merge', value: { metadata: { labels: { theirs: 'x' } } } })
    await env.client.patch(workKind, workRef, { type: 'merge', value: { spec: aSettingsWork({ a: '2' }).spec } })
    await holds({ a: '2' })
    expect((await read()).metadata.labels).toMatchObject({ theirs: 'x' })
  })

  test('that is suspended is not applied until it is resumed', async () => {
    await start()
    await send({ a: '1' }, { suspendDispatching: true })
    await env.eventually(async () =>
      expect(await condition('Dispatching')).toMatchObject({
        status: 'False',
        reason: 'SuspendDispatching',
        message: 'Work dispatching is in a suspended state.',
      }),
    )
    expect(await inMember()).toBeUndefined()
    await env.client.patch(workKind, workRef, { type: 'merge', value: { spec: { suspendDispatching: false } } })
    await holds({ a: '1' })
  })

  test('waits for a member that is not ready, without reporting a failure', async () => {
    await start({ ready: false })
    await send({ a: '1' })
    await env.eventually(async () => expect(await condition('Dispatching')).toMatchObject({ status: 'True' }))
    expect(await condition('Applied')).toBeUndefined()
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'ClusterReady',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    await env.client.patch(
      clusterKind,
      { name: 'member1' },
      { type: 'merge', value: { status: { conditions: [ready] } } },
      { subresource: 'status' },
    )
    await holds({ a: '1' })
  })

  test('refuses to adopt an object that another client created in the member', async () => {
    await start()
    await createTheirs({ a: 'theirs' })
    await send({ a: '1' })
    expect((await isApplied('False'))?.message).toBe(
      'Failed to apply all manifests (0/1): resource(kind=ConfigMap, shop/settings) already exists in the cluster member1 and '
        + 'the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
    )
    expect((await read()).data).toEqual({ a: 'theirs' })
  })

  test('adopts it with overwrite', async () => {
    await start()
    await createTheirs({ a: 'theirs' })
    await send({ a: '1' }, { resolution: 'overwrite' })
    await holds({ a: '1' })
  })

  test('adopts a Service that holds the node port of the manifest itself', async () => {
    await start()
    const ports = [{ port: 80, nodePort: 30080 }]
    const draft = { apiVersion: 'v1', kind: 'Service', metadata: settings, spec: { type: 'NodePort' as const, ports } }
    await env.client.member('member1').create(service, draft)
    const work = aSettingsWork({}, { resolution: 'overwrite' })
    const { data: _, ...manifest } = work.spec.workload!.manifests![0] as { data: object; metadata: object }
    const manifests = [{ ...manifest, ...draft, metadata: manifest.metadata }]
    await env.client.create(workKind, { ...work, spec: { workload: { manifests } } } as Draft<Work>)
    await isApplied('True')
    const { metadata } = await env.client.member('member1').get(service, settings)
    expect(metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' })
  })

  test('restores what a user changed or deleted in the member', async () => {
    await start()
    await send({ a: '1' })
    await isApplied('True')
    await env.client.member('member1').patch(configMap, settings, { type: 'merge', value: { data: { a: 'wrong' } } })
    await holds({ a: '1' })
    await env.client.member('member1').delete(configMap, settings)
    await env.eventually(async () => expect((await inMember())?.data).toEqual({ a: '1' }))
  })
})

describe('a deleted Work', () => {
  const end = () => env.client.delete(workKind, workRef)
  const isGone = () => env.eventually(async () => expect((await env.client.list(workKind)).items).toEqual([]))

  test('deletes its object from the member', async () => {
    await start()
    await send({ a: '1' })
    await isApplied('True')
    await end()
    await isGone()
    expect(await inMember()).toBeUndefined()
  })

  test('keeps an object that is to be preserved, without the marks', async () => {
    await start()
    await send({ a: '1' }, { preserveResourcesOnDeletion: true })
    await isApplied('True')
    await end()
    await isGone()
    const { data, metadata } = await read()
    expect(data).toEqual({ a: '1' })
    expect(metadata.labels ?? {}).toEqual({})
  })

  test('keeps an unmanaged object', async () => {
    await start()
    await createTheirs({ a: 'theirs' })
    await send({ a: '1' })
    await isApplied('False')
    await end()
    await isGone()
    expect((await read()).data).toEqual({ a: 'theirs' })
  })

  test('waits for a member that is not ready', async () => {
    await start({ ready: false })
    await send({ a: '1' })
    await end()
    await env.eventually(async () =>
      expect((await env.client.get(workKind, workRef)).metadata.deletionTimestamp).toBeDefined(),
    )
    await env.client.delete(clusterKind, { name: 'member1' })
    await isGone()
  })
})
