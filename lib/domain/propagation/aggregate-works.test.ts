import { describe, expect, test } from 'vitest'
import type { Work } from '../../kube/kinds/work'
import { aggregateWorks, assessFullyApplied, directlyPurgedClusters, expectedClusters, targetClusters } from '.'

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }
const identifier = {
  ordinal: 0,
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: '',
  namespace: 'shop',
  name: 'web',
}
const meta = { name: 'web-1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }

function aWork(cluster: string, applied: 'True' | 'False' | undefined, status: Work['status'] = {}): Work {
  const condition = { type: 'Applied', reason: 'X', message: 'because', lastTransitionTime: '2026-01-01T00:00:00Z' }
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { ...meta, namespace: `karmada-es-${cluster}` },
    spec: {},
    status: { ...status, ...(applied && { conditions: [{ ...condition, status: applied }] }) },
  }
}

describe('the summary of Works', () => {
  test.each([
    ['nothing was tried yet', aWork('m1', undefined), { clusterName: 'm1', health: 'Unknown' }],
    ['applying failed', aWork('m1', 'False'), { clusterName: 'm1', appliedMessage: 'because', health: 'Unknown' }],
    ['applied, nothing reported', aWork('m1', 'True'), { clusterName: 'm1', applied: true, health: 'Unknown' }],
    [
      'applied and reported',
      aWork('m1', 'True', { manifestStatuses: [{ identifier, health: 'Healthy', status: { replicas: 1 } }] }),
      { clusterName: 'm1', applied: true, health: 'Healthy', status: { replicas: 1 } },
    ],
    [
      'another object was reported',
      aWork('m1', 'True', { manifestStatuses: [{ identifier: { ...identifier, name: 'api' }, health: 'Healthy' }] }),
      { clusterName: 'm1', applied: true, health: 'Unknown' },
    ],
  ])('when %s', (_name, work, item) => {
    expect(aggregateWorks([work], resource)).toEqual([item])
  })

  test('is sorted by cluster and omits Works that are being deleted', () => {
    const going = aWork('m1', 'True')
    going.metadata = { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(
      aggregateWorks([aWork('m3', 'True'), going, aWork('m2', 'True')], resource).map(({ clusterName }) => clusterName),
    ).toEqual(['m2', 'm3'])
  })
})

describe('a binding is fully applied', () => {
  const yes = (clusterName: string) => ({ clusterName, applied: true })
  const eviction = { fromCluster: 'm2', producer: 'TaintManager', reason: 'TaintUntolerated' }
  test.each([
    ['when every cluster applied', { clusters: [{ name: 'm1' }] }, [yes('m1')], 'True'],
    ['not without clusters', {}, [], 'False'],
    ['not while a cluster is missing', { clusters: [{ name: 'm1' }, { name: 'm2' }] }, [yes('m1')], 'False'],
    [
      'not while a cluster that was left still has its copy',
      { clusters: [{ name: 'm1' }] },
      [yes('m1'), yes('m2')],
      'False',
    ],
    ['not while one failed', { clusters: [{ name: 'm1' }] }, [{ clusterName: 'm1' }], 'False'],
    [
      'with the copies that are being evicted',
      { clusters: [{ name: 'm1' }], gracefulEvictionTasks: [eviction] },
      [yes('m1'), yes('m2')],
      'True',
    ],
    [
      'with the clusters of those who need it',
      { requiredBy: [{ name: 'x', clusters: [{ name: 'm1' }] }] },
      [yes('m1')],
      'True',
    ],
  ])('%s', (_name, spec, items, status) => {
    expect(assessFullyApplied({ resource, ...spec }, items).status).toBe(status)
  })
})

test('a direct purge excludes the Work, every other eviction keeps it', () => {
  const task = (fromCluster: string, purgeMode?: 'Directly' | 'Gracefully' | 'Never') => ({
    fromCluster,
    producer: 'p',
    reason: 'r',
    ...(purgeMode && { purgeMode }),
  })
  const gracefulEvictionTasks = [task('m2', 'Directly'), task('m3', 'Gracefully'), task('m4', 'Never'), task('m5')]
  const spec = { clusters: [{ name: 'm1', replicas: 1 }], gracefulEvictionTasks }
  expect([...expectedClusters(spec)]).toEqual(['m1', 'm3', 'm4', 'm5'])
  expect([...directlyPurgedClusters(spec)]).toEqual(['m2'])
})

test('clusters of dependants are targets after scheduled ones, without duplicates', () => {
  const requiredBy = [
    {
      name: 'a',
      clusters: [
        { name: 'm2', replicas: 9 },
        { name: 'm3', replicas: 4 },
      ],
    },
    { name: 'b', clusters: [{ name: 'm3', replicas: 1 }] },
  ]
  expect(targetClusters({ clusters: [{ name: 'm2', replicas: 2 }], requiredBy })).toEqual([
    { name: 'm2', replicas: 2 },
    { name: 'm3', replicas: 4 },
  ])
})
