import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byWeight, duplicated, inGroups } from '@/lib/testing/builders'
import { ready, sampleBinding, sampleCluster, T1 } from './testing/samples'
import { explainPlacement } from './why'

const apis = [
  { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
  { groupVersion: 'v1', resources: [{ kind: 'ConfigMap', name: 'configmaps' }] },
]
const settings = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'settings' }

/** A cluster with room for 100 replicas of the sample, or as many as `pods` says. */
function roomy(name: string, spec: Partial<Cluster['spec']> = {}, pods = '100'): Cluster {
  const resourceSummary = { allocatable: { cpu: '10', memory: '10Gi', pods } }
  return sampleCluster(name, { spec, status: { ...ready('True'), apiEnablements: apis, resourceSummary } })
}

const leaving = (name: string): Cluster => ({
  ...roomy(name),
  metadata: { ...roomy(name).metadata, deletionTimestamp: T1 },
})
const silent = (name: string): Cluster => sampleCluster(name, { status: { apiEnablements: apis } })
const spreading = (field: 'region' | 'zone' | 'provider'): Placement => ({
  ...duplicated(),
  spreadConstraints: [{ spreadByField: field, minGroups: 1, maxGroups: 1 }],
})
const inOneCluster: Placement = {
  ...duplicated(),
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
}
const overflowing: Placement = {
  ...sampleBinding().spec.placement,
  clusterAffinities: [
    { affinityName: 'near', clusterNames: ['m1'], overflowAffinities: [{ affinityName: 'far', clusterNames: ['m2'] }] },
  ],
}

interface Story {
  clusters: Cluster[]
  spec?: Partial<BindingSpec>
  /** Where the 3 replicas run now; nowhere. */
  placed?: Record<string, number>
}

function sentences({ clusters, spec, placed = {} }: Story): Record<string, string> {
  const binding = sampleBinding({ clusters: placed, spec: { replicas: 3, ...spec } })
  return Object.fromEntries(
    explainPlacement(binding, clusters).map(({ cluster, sentence }) => [cluster, english.of(sentence)]),
  )
}

describe('why a cluster has the workload or not', () => {
  test('gives the numbers besides the sentence', () => {
    const lines = explainPlacement(sampleBinding({ clusters: { m1: 4 } }), [roomy('m2'), roomy('m1')])
    expect(lines.map((line) => ({ ...line, sentence: english.of(line.sentence) }))).toEqual([
      {
        cluster: 'm1',
        fits: true,
        score: 100,
        capacity: 100,
        weight: 104,
        replicas: 2,
        sentence: 'Gets 2 replicas (already runs there, 100 more available and weight 104 of 204)',
      },
      {
        cluster: 'm2',
        fits: true,
        score: 0,
        capacity: 100,
        weight: 100,
        replicas: 2,
        sentence: 'Gets 2 replicas (100 more available and weight 100 of 204)',
      },
    ])
  })

  test.each<[string, Story, string]>([
    [
      'an unserved kind',
      { clusters: [roomy('m1'), { ...roomy('m2'), status: { ...roomy('m2').status, apiEnablements: [] } }] },
      'Does not serve Deployment of apps/v1',
    ],
    [
      'a taint',
      { clusters: [roomy('m1'), roomy('m2', { taints: [{ key: 'drain', value: 'yes', effect: 'NoSchedule' }] })] },
      'Taint not tolerated: drain=yes:NoSchedule',
    ],
    [
      'an affinity',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: aggregated('m1') } },
      'Not selected by the cluster affinity',
    ],
    [
      'an affinity group',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: inGroups({ primary: ['m1'], backup: ['m2'] }) } },
      'In affinity group backup, tried only if primary cannot take the workload',
    ],
    [
      'a missing region',
      { clusters: [roomy('m1', { region: 'r' }), roomy('m2')], spec: { placement: spreading('region') } },
      'Has no region, which a spread constraint requires',
    ],
    [
      'a missing zone',
      { clusters: [roomy('m1', { zones: ['z'] }), roomy('m2')], spec: { placement: spreading('zone') } },
      'Has no zone, which a spread constraint requires',
    ],
    [
      'a missing provider',
      { clusters: [roomy('m1', { provider: 'p' }), roomy('m2')], spec: { placement: spreading('provider') } },
      'Has no provider, which a spread constraint requires',
    ],
    [
      'an eviction',
      {
        clusters: [roomy('m1'), roomy('m2')],
        spec: { gracefulEvictionTasks: [{ fromCluster: 'm2', producer: 'p', reason: 'r' }] },
      },
      'The workload is being evicted from it',
    ],
    ['a deletion', { clusters: [roomy('m1'), leaving('m2')] }, 'The cluster is being deleted'],
    [
      'a spread constraint',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: inOneCluster } },
      'Fits, but the spread constraints prefer other clusters (100 more available)',
    ],
    [
      'an aggregation into fewer',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: aggregated() } },
      'Fits, but fewer clusters suffice (100 more available)',
    ],
    [
      'static weights without it',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: { ...byWeight({ m1: 1 }), clusterAffinity: {} } } },
      'Fits, but the placement gives it no weight (100 more available)',
    ],
    [
      'an overflow that is not needed',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: overflowing } },
      'Fits, but the clusters before it in the overflow order suffice (100 more available)',
    ],
    [
      'a weight too small',
      { clusters: [roomy('m1'), roomy('m2', {}, '1')] },
      'Fits, but no replicas are left to assign (1 more available and weight 1 of 101)',
    ],
    [
      'no report',
      { clusters: [roomy('m1'), silent('m2')] },
      'Fits, but no replicas are left to assign (0 more available and weight 0 of 100)',
    ],
    [
      'capacity that lacks everywhere',
      { clusters: [roomy('m1', {}, '1'), roomy('m2', {}, '1')] },
      'Fits, but nothing can be scheduled: failed to assign replicas: failed to do fresh scale: Clusters available replicas 2 are not enough to schedule',
    ],
    [
      'one replica',
      { clusters: [roomy('m1'), roomy('m2')], spec: { replicas: 1, placement: byWeight({ m2: 4 }) } },
      'Gets 1 replica (100 more available and weight 4 of 4)',
    ],
    [
      'copies for all',
      { clusters: [roomy('m1'), roomy('m2')], spec: { placement: duplicated() }, placed: { m2: 3 } },
      'Gets 3 replicas (already runs there and 100 more available)',
    ],
    [
      'what has no replicas',
      {
        clusters: [roomy('m1'), roomy('m2')],
        spec: { replicas: undefined, replicaRequirements: undefined, resource: settings, placement: duplicated() },
      },
      'Gets the template',
    ],
  ])('%s', (_name, story, sentence) => {
    expect(sentences(story)['m2']).toBe(sentence)
  })

  describe('with affinity groups', () => {
    const placement = inGroups({ primary: ['m1'], backup: ['m2'] })
    const divided = {
      ...byWeight({}),
      clusterAffinities: placement.clusterAffinities,
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    } as Placement
    const tainted = roomy('m1', { taints: [{ key: 'lost', effect: 'NoExecute' }] })
    const scarce = (name: string): Cluster => ({
      ...roomy(name),
      status: {
        ...roomy(name).status,
        resourceSummary: { allocatable: { cpu: '1', memory: '10Gi', pods: '100' }, allocated: { cpu: '450m' } },
      },
    })
    const needy = { replicaRequirements: { resourceRequest: { cpu: '900m' } }, replicas: 1 }
    const lines = (
      clusters: Cluster[],
      spec: Partial<BindingSpec>,
      status = {},
      placed: Record<string, number> = {},
    ): string[] =>
      explainPlacement(
        sampleBinding({ clusters: placed, spec: { placement: divided, ...spec }, status }),
        clusters,
      ).map(({ sentence }) => english.of(sentence))

    test('every group that was tried says why it failed', () => {
      expect(lines([tainted, scarce('m2')], needy)).toEqual([
        'primary: m1 has untolerated taint lost:NoExecute',
        'backup: 0.55 CPU free in m2, 0.9 CPU needed',
      ])
    })
    test('a group before the selected one shows why it failed', () => {
      expect(lines([scarce('m1'), roomy('m2')], { ...needy, replicas: 2 })).toEqual([
        'primary: 0.55 CPU free in m1, 1.8 CPU needed for 2 replicas',
        'Gets 2 replicas (11 more available and weight 11 of 11)',
      ])
    })
    test('where scheduling fails, the group that is passed is not tried', () => {
      const failed = [
        { type: 'Scheduled', status: 'False' as const, reason: 'Unschedulable', message: '', lastTransitionTime: T1 },
      ]
      const observed = { schedulerObservingAffinityName: 'backup', conditions: failed }
      expect(lines([roomy('m1'), scarce('m2')], { ...needy, replicas: 2 }, observed, { m3: 1 })).toEqual([
        'In affinity group primary. The scheduler has moved on to backup; only a rebalance tries the groups from the first.',
        'backup: 0.55 CPU free in m2, 1.8 CPU needed for 2 replicas',
      ])
    })
    test('a cluster of no group', () => {
      expect(lines([roomy('m1'), roomy('m3')], needy)[1]).toBe('In no affinity group of the placement')
    })
  })

  test('is empty for a binding that the scheduler ignores', () => {
    expect(explainPlacement(sampleBinding({ spec: { placement: undefined } }), [roomy('m1')])).toEqual([])
  })
})
