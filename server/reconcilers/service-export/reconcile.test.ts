import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpointSlice, resourceBinding, type ResourceBinding } from '@/lib/kube/kinds'
import { serviceExport } from '@/lib/kube/kinds/service-export'
import type { Draft } from '@/lib/kube/object'
import { type Env, startEnv } from '@/server/testing/start-env'
import { serviceExportController } from '.'

const ref = { namespace: 'default', name: 'web' }
const COLLECTOR = 'endpointslice-controller.karmada.io'
let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(serviceExportController(env.context()))
  for (const name of ['m1', 'm2']) await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
})
afterEach(() => env.close())

const group = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceExport' }
const bindingRef = { namespace: 'default', name: 'web-serviceexport' }
async function exportFrom(...clusters: string[]): Promise<void> {
  await env.client.create(serviceExport, { ...group, metadata: ref })
  await env.create(resourceBinding, {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: bindingRef,
    spec: { resource: { ...group, ...ref } },
    status: reported(clusters),
  } as Draft<ResourceBinding>)
}
const reported = (clusters: string[]) => ({
  aggregatedStatus: clusters.map((clusterName) => ({ clusterName, applied: true })),
})
const createSlice = (member: string, name: string, labels: Record<string, string> = {}) =>
  env.client
    .member(member)
    .create(endpointSlice, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace: 'default', name, labels: { 'kubernetes.io/service-name': 'web', ...labels } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
    })
const collected = async () =>
  (await env.client.list(endpointSlice)).items.map(({ metadata: { name }, endpoints }) => [name, endpoints?.length])
const areCollected = (expected: unknown[]) => env.eventually(async () => expect(await collected()).toEqual(expected))

test('slices of exporting clusters are collected for the Service of the import', async () => {
  await createSlice('m1', 'web-1')
  await createSlice('m2', 'web-2')
  await exportFrom('m1')
  await areCollected([['imported-m1-web-1', 1]])
  const [{ metadata } = { metadata: undefined }] = (await env.client.list(endpointSlice)).items
  expect(metadata?.labels).toEqual({
    'kubernetes.io/service-name': 'derived-web',
    'endpointslice.kubernetes.io/managed-by': COLLECTOR,
  })
})

test('they follow the member, and go with the report and with the export', async () => {
  await createSlice('m1', 'web-1')
  await createSlice('m2', 'web-2')
  await exportFrom('m1', 'm2')
  await areCollected([
    ['imported-m1-web-1', 1],
    ['imported-m2-web-2', 1],
  ])
  const endpoints = [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }]
  const slice = { namespace: 'default', name: 'web-1' }
  await env.client.member('m1').patch(endpointSlice, slice, { type: 'merge', value: { endpoints } })
  await areCollected([
    ['imported-m1-web-1', 2],
    ['imported-m2-web-2', 1],
  ])
  const value = { status: reported(['m1']) }
  await env.client.patch(resourceBinding, bindingRef, { type: 'merge', value }, { subresource: 'status' })
  await areCollected([['imported-m1-web-1', 2]])
  await env.client.delete(serviceExport, ref)
  await areCollected([])
})

test('a slice that came from the control plane is not collected', async () => {
  await createSlice('m1', 'imported-m2-web-2', { 'endpointslice.kubernetes.io/managed-by': COLLECTOR })
  await createSlice('m1', 'web-1')
  await exportFrom('m1')
  await areCollected([['imported-m1-web-1', 1]])
})

test('a collected slice that a user deletes or changes is restored', async () => {
  await createSlice('m1', 'web-1')
  await exportFrom('m1')
  await areCollected([['imported-m1-web-1', 1]])
  const own = { namespace: 'default', name: 'imported-m1-web-1' }
  await env.client.delete(endpointSlice, own)
  await areCollected([['imported-m1-web-1', 1]])
  await env.client.patch(endpointSlice, own, { type: 'merge', value: { endpoints: [] } })
  await areCollected([['imported-m1-web-1', 1]])
})
