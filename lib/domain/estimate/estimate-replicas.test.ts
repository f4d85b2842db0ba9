import { describe, expect, test } from 'vitest'
import type { ClusterCapacity } from './capacity'
import { estimateReplicas } from './estimate-replicas'

const reporting = (allocatable: Record<string, string>, rest: object = {}): ClusterCapacity => ({
  spec: {},
  status: { resourceSummary: { allocatable, ...rest } },
})
const taken = { allocated: { cpu: '4' }, allocating: { cpu: '4' } }
const huge = '9007199254740993'
const asking = (resourceRequest: Record<string, string>) => ({ resourceRequest })

describe('replicas that a cluster could take', () => {
  test.each<[string, ClusterCapacity, Record<string, string>, number]>([
    ['the scarcest decides', reporting({ cpu: '10', memory: '3Gi', pods: '99' }), { cpu: '1', memory: '1Gi' }, 3],
    ['pods are a resource too', reporting({ cpu: '10', pods: '4' }), { cpu: '1' }, 4],
    ['what is allocated or being allocated is gone', reporting({ cpu: '10', pods: '9' }, taken), { cpu: '1' }, 2],
    ['CPU counts in thousandths', reporting({ cpu: '1', pods: '99' }), { cpu: '250m' }, 4],
    ['a request of nothing is none', reporting({ cpu: '1', pods: '9' }), { cpu: '1', 'example.com/gpu': '0' }, 1],
    ['what is not reported cannot be had', reporting({ pods: '9' }), { 'example.com/gpu': '1' }, 0],
    ['an unreadable report cannot be relied on', reporting({ cpu: 'lots', pods: '9' }), { cpu: '1' }, 0],
    ['an unreadable request cannot be promised', reporting({ cpu: '9', pods: '9' }), { cpu: 'much' }, 0],
    ['amounts beyond exact numbers stay exact', reporting({ memory: huge, pods: '9' }), { memory: huge }, 1],
    ['a cluster without status takes none', { spec: {} }, { cpu: '1' }, 0],
  ])('%s', (_name, cluster, request, replicas) => {
    expect(estimateReplicas(cluster, asking(request)).amount).toBe(replicas)
  })

  test('models count whole nodes, summaries only sums', () => {
    const models = { resourceModels: [{ grade: 0, ranges: [{ name: 'cpu', min: '3', max: '4' }] }] }
    const summary = { allocatable: { cpu: '9', pods: '99' }, allocatableModelings: [{ grade: 0, count: 3 }] }
    const cluster = { spec: models, status: { resourceSummary: summary } }
    expect(estimateReplicas(cluster, asking({ cpu: '2' })).amount).toBe(3)
    expect(estimateReplicas(cluster, asking({ cpu: '2' }), { resourceModels: false }).amount).toBe(4)
  })
})
