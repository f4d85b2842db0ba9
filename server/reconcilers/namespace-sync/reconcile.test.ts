import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterOverridePolicy, namespace } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { type Env, startEnv } from '@/server/testing/start-env'
import { namespaceSyncController } from '.'

let env: Env

beforeEach(async () => {
  env = await startEnv()
  await join('member1')
  await env.run(namespaceSyncController(env.context()))
})

afterEach(() => env.close())

async function join(cluster: string): Promise<void> {
  await env.createCluster(cluster)
  await env.createNamespace(`karmada-es-${cluster}`)
}

const works = async () =>
  (await env.client.list(workKind)).items
    .map(
      ({ metadata, spec }) =>
        `${metadata.namespace} ${(spec.workload?.manifests?.[0]?.metadata as { name: string } | undefined)?.name}`,
    )
    .toSorted()

test('a namespace is propagated to every cluster, also to one that joins later', async () => {
  await env.createNamespace('shop')
  await env.eventually(async () => expect(await works()).toEqual(['karmada-es-member1 shop']))
  await join('member2')
  await env.eventually(async () =>
    expect(await works()).toEqual(['karmada-es-member1 shop', 'karmada-es-member2 shop']),
  )
})

test('namespaces of the control plane, and those with the skip label, are not propagated', async () => {
  await env.createNamespace('kube-tools')
  await env.client.create(namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'home', labels: { 'namespace.karmada.io/skip-auto-propagation': 'TRUE' } },
  })
  await env.createNamespace('shop')
  await env.eventually(async () => expect(await works()).toEqual(['karmada-es-member1 shop']))
})

test('a change of its labels reaches the Work', async () => {
  await env.createNamespace('shop')
  await env.eventually(async () => expect(await works()).toHaveLength(1))
  await env.client.patch(namespace, { name: 'shop' }, { type: 'merge', value: { metadata: { labels: { team: 'a' } } } })
  await env.eventually(async () => {
    const [work] = (await env.client.list(workKind)).items
    expect(work?.spec.workload?.manifests?.[0]?.metadata).toMatchObject({ labels: { team: 'a' } })
  })
})

test('a cluster override policy changes its manifests, in matching clusters only', async () => {
  await join('member2')
  await env.createNamespace('shop')
  const teams = async () =>
    (await env.client.list(workKind)).items
      .map(
        ({ spec }) =>
          (spec.workload?.manifests?.[0]?.metadata as { labels?: Record<string, string> } | undefined)?.labels?.team,
      )
      .toSorted()
  await env.eventually(async () => expect(await teams()).toEqual([undefined, undefined]))
  await env.client.create(clusterOverridePolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterOverridePolicy',
    metadata: { name: 'team' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'Namespace' }],
      overrideRules: [
        {
          targetCluster: { clusterNames: ['member2'] },
          overriders: { labelsOverrider: [{ operator: 'add', value: { team: 'b' } }] },
        },
      ],
    },
  })
  await env.eventually(async () => expect(await teams()).toEqual(['b', undefined]))
  await env.client.delete(clusterOverridePolicy, { name: 'team' })
  await env.eventually(async () => expect(await teams()).toEqual([undefined, undefined]))
})

test('the Work has its namespace as owner and no binding', async () => {
  await env.createNamespace('shop')
  const [work] = await env.eventually(async () => {
    const { items } = await env.client.list(workKind)
    expect(items).toHaveLength(1)
    return items
  })
  expect(work?.metadata.ownerReferences).toMatchObject([{ kind: 'Namespace', name: 'shop' }])
  expect(work?.metadata.annotations ?? {}).toEqual({})
  expect(work?.spec).not.toHaveProperty('suspendDispatching')
})

test('the label removes nothing when it is added later, and the Works are not updated any more', async () => {
  await env.createNamespace('shop')
  await env.eventually(async () => expect(await works()).toHaveLength(1))
  const labels = { 'namespace.karmada.io/skip-auto-propagation': 'true', team: 'a' }
  await env.client.patch(namespace, { name: 'shop' }, { type: 'merge', value: { metadata: { labels } } })
  await env.createNamespace('other')
  await env.eventually(async () =>
    expect(await works()).toEqual(['karmada-es-member1 other', 'karmada-es-member1 shop']),
  )
  const shop = (await env.client.list(workKind)).items.find(({ metadata }) => metadata.name.startsWith('shop'))
  expect(shop?.spec.workload?.manifests?.[0]?.metadata).not.toMatchObject({ labels: { team: 'a' } })
})
