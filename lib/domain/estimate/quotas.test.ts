import { expect, test } from 'vitest'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { ResourceQuota } from '@/lib/kube/kinds'
import { aCluster } from '@/lib/testing/builders'
import type { EstimatedCluster } from './estimator'
import { quotaEstimator } from './quotas'

const quota = (hard: Record<string, string>, used: Record<string, string> = {}, spec: object = {}): ResourceQuota =>
  ({ spec, status: { hard, used } }) as unknown as ResourceQuota
const spec = (resourceRequest: Record<string, string>, namespace = 'shop') =>
  ({ replicas: 5, replicaRequirements: { namespace, resourceRequest } }) as unknown as BindingSpec
const room = (quotas: ResourceQuota[], binding = spec({ cpu: '10m' })) => {
  const of = (cluster: string, namespace: string) => (cluster === 'm1' && namespace === 'shop' ? quotas : [])
  return quotaEstimator(of).compile(binding)({ cluster: aCluster('m1') } as unknown as EstimatedCluster)
}

test.each([
  ['no quota', [], undefined],
  ['room for three', [quota({ 'requests.cpu': '0.03' })], 3],
  ['what is used is gone', [quota({ cpu: '50m' }, { cpu: '25m' })], 2],
  ['more used than allowed', [quota({ cpu: '50m' }, { cpu: '90m' })], 0],
  ['the lowest of several', [quota({ cpu: '1' }), quota({ 'requests.cpu': '40m' })], 4],
  ['of another resource', [quota({ memory: '1Gi' })], undefined],
  ['of some pods only', [quota({ cpu: '10m' }, {}, { scopes: ['BestEffort'] })], undefined],
])('%s', (_, quotas, expected) => {
  expect(room(quotas)).toBe(expected)
})

test('a binding without a namespace or without requests is not judged', () => {
  const quotas = [quota({ cpu: '10m' })]
  expect(room(quotas, spec({ cpu: '10m' }, ''))).toBeUndefined()
  expect(room(quotas, spec({}))).toBeUndefined()
})

test('what is on its way to a namespace counts as used, also of other resources', () => {
  const of = () => [quota({ 'requests.cpu': '100m', 'requests.memory': '1Gi' })]
  const onItsWay = (namespace: string, resourceRequest: Record<string, string>) => () => [
    { namespace, components: [{ replicas: 2, replicaRequirements: { resourceRequest } }] },
  ]
  const roomBeside = (assumed: ReturnType<typeof onItsWay>) =>
    quotaEstimator(of, assumed).compile(spec({ cpu: '10m' }))({
      cluster: aCluster('m1'),
    } as unknown as EstimatedCluster)
  expect(roomBeside(onItsWay('shop', { cpu: '20m' }))).toBe(6)
  expect(roomBeside(onItsWay('other', { cpu: '20m' }))).toBe(10)
  expect(roomBeside(onItsWay('shop', { memory: '1Gi' }))).toBe(0)
})

test('of a workload of several components, complete sets are counted', () => {
  const components = [
    { name: 'leader', replicas: 1, replicaRequirements: { resourceRequest: { cpu: '50m' } } },
    { name: 'worker', replicas: 2, replicaRequirements: { resourceRequest: { cpu: '100m' } } },
  ]
  const binding = { resource: { namespace: 'shop' }, components } as unknown as BindingSpec
  const of = () => [quota({ 'requests.cpu': '600m' })]
  const estimate = quotaEstimator(of).compile(binding, { wholeSets: true })
  expect(estimate({ cluster: aCluster('m1') } as unknown as EstimatedCluster)).toBe(2)
})
