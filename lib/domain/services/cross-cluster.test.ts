import { expect, test } from 'vitest'
import type { EndpointSlice, ResourceBinding, Service } from '../../kube/kinds'
import type { MultiClusterService } from '../../kube/kinds/multi-cluster-service'
import { claimService, consumersOf, planSlices, providersOf, releaseService, serviceBinding } from './cross-cluster'

const owner = (spec: Partial<MultiClusterService['spec']> = {}): MultiClusterService =>
  ({
    metadata: { name: 'web', namespace: 'shop', labels: { 'multiclusterservice.karmada.io/permanent-id': 'id' } },
    spec: { types: ['CrossCluster'], ...spec },
  }) as unknown as MultiClusterService
const template = (labels: Record<string, string> = {}): Service =>
  ({ metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', labels } }) as unknown as Service
const slice = (name: string, labels: Record<string, string> = {}): EndpointSlice =>
  ({
    metadata: { name, namespace: 'shop', labels },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
  }) as unknown as EndpointSlice

test('named clusters, or all of them', () => {
  const all = ['m2', 'm1']
  expect(providersOf(owner(), all)).toEqual(['m1', 'm2'])
  expect(providersOf(owner({ providerClusters: [{ name: 'm2' }] }), all)).toEqual(['m2'])
  expect(consumersOf(owner({ consumerClusters: [{ name: 'gone' }] }), all)).toEqual(['gone'])
})

test('a claimed Service leaves its policy, and a released one has no mark left', () => {
  const before = template({ app: 'web', 'propagationpolicy.karmada.io/permanent-id': 'p' })
  const claimed = claimService(before, owner())
  expect(claimed.metadata.labels).toEqual({
    app: 'web',
    'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService',
    'multiclusterservice.karmada.io/permanent-id': 'id',
  })
  expect(claimed.metadata.annotations).toEqual({
    'multiclusterservice.karmada.io/name': 'web',
    'multiclusterservice.karmada.io/namespace': 'shop',
  })
  expect(releaseService(claimed).metadata).toMatchObject({ labels: { app: 'web' }, annotations: {} })
})

test('the binding keeps what others wrote', () => {
  const existing = { metadata: { name: 'web-service' }, spec: { clusters: [{ name: 'm1' }] } } as ResourceBinding
  const binding = serviceBinding(template(), owner(), { clusters: ['m1', 'm2'], existing })
  expect(binding.spec).toMatchObject({
    clusters: [{ name: 'm1' }],
    placement: { clusterAffinity: { clusterNames: ['m1', 'm2'] } },
    conflictResolution: 'Overwrite',
    resource: { kind: 'Service', name: 'web', uid: 'u' },
  })
})

test('slices go to every consumer but their own cluster, and are not passed on', () => {
  const slices = new Map([
    ['m1', [slice('web-1')]],
    [
      'm2',
      [
        slice('web-2'),
        slice('m1-web-1', { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-dispatch-controller.karmada.io' }),
      ],
    ],
  ])
  const plan = planSlices(owner(), { consumers: ['m2', 'm3'], slices })
  expect(plan.map(({ provider, consumer, manifest }) => [provider, consumer, manifest.metadata.name])).toEqual([
    ['m1', 'm2', 'm1-web-1'],
    ['m1', 'm3', 'm1-web-1'],
    ['m2', 'm3', 'm2-web-2'],
  ])
  expect(plan[0]?.manifest.metadata.labels).toEqual({
    'kubernetes.io/service-name': 'web',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-dispatch-controller.karmada.io',
  })
})
