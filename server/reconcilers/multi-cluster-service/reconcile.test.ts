import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpointSlice, resourceBinding, service as serviceKind } from '@/lib/kube/kinds'
import { multiClusterService } from '@/lib/kube/kinds/multi-cluster-service'
import { work as workKind } from '@/lib/kube/kinds/work'
import { type Env, startEnv } from '@/server/testing/start-env'
import { multiClusterServiceController } from '.'

const ref = { namespace: 'default', name: 'web' }
let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(multiClusterServiceController(env.context()))
  for (const name of ['m1', 'm2', 'm3']) {
    await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
  }
})
afterEach(() => env.close())

const createOwner = (providers: string[], consumers: string[]) =>
  env.client.create(multiClusterService, {
    apiVersion: 'networking.karmada.io/v1alpha1',
    kind: 'MultiClusterService',
    metadata: ref,
    spec: {
      types: ['CrossCluster'],
      providerClusters: providers.map((name) => ({ name })),
      consumerClusters: consumers.map((name) => ({ name })),
    },
  })
const createService = () =>
  env.client.create(serviceKind, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: ref,
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
const createSlice = (member: string, name: string) =>
  env.client
    .member(member)
    .create(endpointSlice, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        namespace: 'default',
        name,
        labels: { 'kubernetes.io/service-name': 'web', 'karmada.io/managed': 'true' },
      },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
    })
const works = async () =>
  (await env.client.list(workKind)).items
    .map(
      ({ metadata, spec }) =>
        `${metadata.namespace} ${(spec.workload?.manifests?.[0]?.metadata as { name: string } | undefined)?.name}`,
    )
    .sort()
const conditions = async () =>
  Object.fromEntries(
    ((await env.client.get(multiClusterService, ref)).status?.conditions ?? []).map(({ type, status }) => [
      type,
      status,
    ]),
  )

test('the Service goes to providers and consumers, the slices of providers to consumers', async () => {
  await createService()
  await createOwner(['m1', 'm2'], ['m2', 'm3'])
  await env.eventually(async () =>
    expect(
      (await env.client.get(resourceBinding, { namespace: 'default', name: 'web-service' })).spec.placement,
    ).toMatchObject({ clusterAffinity: { clusterNames: ['m1', 'm2', 'm3'] } }),
  )
  await createSlice('m1', 'web-1')
  await createSlice('m2', 'web-2')
  await env.eventually(async () =>
    expect(await works()).toEqual(['karmada-es-m2 m1-web-1', 'karmada-es-m3 m1-web-1', 'karmada-es-m3 m2-web-2']),
  )
  await env.eventually(async () =>
    expect(await conditions()).toEqual({ ServiceApplied: 'True', EndpointSliceDispatched: 'True' }),
  )
  await env.eventually(async () =>
    expect((await env.recordedEvents()).map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['SyncServiceSucceed', 'DispatchEndpointSliceSucceed']),
    ),
  )
})

test('other clusters get the slices when configured, and unknown ones are reported', async () => {
  await createService()
  const owner = await createOwner(['m1'], ['m2'])
  await createSlice('m1', 'web-1')
  await env.eventually(async () => expect(await works()).toEqual(['karmada-es-m2 m1-web-1']))
  const spec = { ...owner.spec, consumerClusters: [{ name: 'm3' }, { name: 'nowhere' }] }
  await env.client.patch(multiClusterService, ref, { type: 'merge', value: { spec } })
  await env.eventually(async () => expect((await works()).at(-1)).toBe('karmada-es-m3 m1-web-1'))
  await env.eventually(async () =>
    expect((await env.recordedEvents()).map(({ reason }) => reason)).toContain('ClusterNotFound'),
  )
})

test('without a Service it says so, until there is one', async () => {
  await createOwner([], [])
  await env.eventually(async () => expect(await conditions()).toMatchObject({ ServiceApplied: 'False' }))
  await createService()
  await env.eventually(async () => expect(await conditions()).toMatchObject({ ServiceApplied: 'True' }))
})

test('when it is deleted, the claim is removed, and the Service stays', async () => {
  await createService()
  await createOwner(['m1'], ['m2'])
  await env.eventually(async () =>
    expect((await env.client.get(serviceKind, ref)).metadata.labels).toMatchObject({
      'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService',
    }),
  )
  await env.client.delete(multiClusterService, ref)
  await env.eventually(async () => expect((await env.client.list(multiClusterService)).items).toEqual([]))
  expect((await env.client.get(serviceKind, ref)).metadata.labels).toBeUndefined()
})
