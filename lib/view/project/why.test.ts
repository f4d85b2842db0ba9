import { describe, expect, test } from 'vitest'
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

const leaving = (name: string): Cluster => ({ ...roomy(name), metadata: { ...roomy(name).metadata, deletionTimestamp: T1 } })
const silent = (name: string): Cluster => sampleCluster(name, { status: { apiEnablements: apis } })
const spreading = (field: 'region' | 'zone' | 'provider'): Placement =>
  ({ ...duplicated(), spreadConstraints: [{ spreadByField: field, minGroups: 1, maxGroups: 1 }] })
const inOneCluster: Placement =
  { ...duplicated(), spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] }
const overflowing: Placement = {
  ...sampleBinding().spec.placement,
  clusterAffinities: [{ affinityName: 'near', clusterNames: ['m1'], overflowAffinities: [{ affinityName: 'far', clusterNames: ['m2'] }] }],
}

interface Story {
  clusters: Cluster[]
  spec?: Partial<BindingSpec>
  /** Where the 3 replicas run now; nowhere. */
  placed?: Record<string, number>
}

function sentences({ clusters, spec, placed = {} }: Story): Record<string, string> {
  const binding = sampleBinding({ clusters: placed, spec: { replicas: 3, ...spec } })
  return Object.fromEntries(explainPlacement(binding, clusters).map(({ cluster, sentence }) => [cluster, sentence]))
}

describe('why a cluster has the workload or not', () => {
  test('gives the numbers besides the sentence', () => {
    expect(explainPlacement(sampleBinding({ clusters: { m1: 4 } }), [roomy('m2'), roomy('m1')])).toEqual([
      { cluster: 'm1', fits: true, score: 100, capacity: 100, weight: 104, replicas: 2, sentence: 'It would get 2 replicas (runs there already, room for 100 more, weight 104 of 204).' },
      { cluster: 'm2', fits: true, score: 0, capacity: 100, weight: 100, replicas: 2, sentence: 'It would get 2 replicas (room for 100 more, weight 100 of 204).' },
    ])
  })

  test.each<[string, Story, string]>([
    ['an unserved kind', { clusters: [roomy('m1'), { ...roomy('m2'), status: { ...roomy('m2').status, apiEnablements: [] } }] }, 'It does not serve Deployment of apps/v1.'],
    ['a taint', { clusters: [roomy('m1'), roomy('m2', { taints: [{ key: 'drain', value: 'yes', effect: 'NoSchedule' }] })] }, 'It has a taint that the placement does not tolerate: drain=yes:NoSchedule.'],
    ['an affinity', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: aggregated('m1') } }, 'The placement does not ask for it.'],
    ['an affinity group', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: inGroups({ primary: ['m1'], backup: ['m2'] }) } }, 'It is in affinity group backup, which is only tried when primary cannot take it.'],
    ['a missing region', { clusters: [roomy('m1', { region: 'r' }), roomy('m2')], spec: { placement: spreading('region') } }, 'It has no region, by which the placement spreads.'],
    ['a missing zone', { clusters: [roomy('m1', { zones: ['z'] }), roomy('m2')], spec: { placement: spreading('zone') } }, 'It has no zone, by which the placement spreads.'],
    ['a missing provider', { clusters: [roomy('m1', { provider: 'p' }), roomy('m2')], spec: { placement: spreading('provider') } }, 'It has no provider, by which the placement spreads.'],
    ['an eviction', { clusters: [roomy('m1'), roomy('m2')], spec: { gracefulEvictionTasks: [{ fromCluster: 'm2', producer: 'p', reason: 'r' }] } }, 'The workload is just being evicted from it.'],
    ['a deletion', { clusters: [roomy('m1'), leaving('m2')] }, 'It is being deleted.'],
    ['a spread constraint', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: inOneCluster } }, 'It fits, but the spread constraints prefer other clusters (room for 100 more).'],
    ['an aggregation into fewer', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: aggregated() } }, 'It fits, but fewer clusters suffice (room for 100 more).'],
    ['static weights without it', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: { ...byWeight({ m1: 1 }), clusterAffinity: {} } } }, 'It fits, but the placement gives it no weight (room for 100 more).'],
    ['an overflow that is not needed', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: overflowing } }, 'It fits, but nearer clusters suffice (room for 100 more).'],
    ['a weight too small', { clusters: [roomy('m1'), roomy('m2', {}, '1')] }, 'It fits, but no replicas are left for it (room for 1 more, weight 1 of 101).'],
    ['no report', { clusters: [roomy('m1'), silent('m2')] }, 'It fits, but no replicas are left for it (room for 0 more, weight 0 of 100).'],
    ['capacity that lacks everywhere', { clusters: [roomy('m1', {}, '1'), roomy('m2', {}, '1')] }, 'It fits, but nothing can be placed: failed to assign replicas: failed to do fresh scale: Clusters available replicas 2 are not enough to schedule.'],
    ['one replica', { clusters: [roomy('m1'), roomy('m2')], spec: { replicas: 1, placement: byWeight({ m2: 4 }) } }, 'It would get 1 replica (room for 100 more, weight 4 of 4).'],
    ['copies for all', { clusters: [roomy('m1'), roomy('m2')], spec: { placement: duplicated() }, placed: { m2: 3 } }, 'It would get 3 replicas (runs there already, room for 100 more).'],
    ['what has no replicas', { clusters: [roomy('m1'), roomy('m2')], spec: { replicas: undefined, replicaRequirements: undefined, resource: settings, placement: duplicated() } }, 'It would get a copy.'],
  ])('%s', (_name, story, sentence) => {
    expect(sentences(story)['m2']).toBe(sentence)
  })

  describe('with affinity groups', () => {
    const placement = inGroups({ primary: ['m1'], backup: ['m2'] })
    const divided = { ...byWeight({}), clusterAffinities: placement.clusterAffinities, replicaScheduling: {
      replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' } } as Placement
    const tainted = roomy('m1', { taints: [{ key: 'lost', effect: 'NoExecute' }] })
    const scarce = (name: string): Cluster => ({ ...roomy(name), status: { ...roomy(name).status, resourceSummary: {
      allocatable: { cpu: '1', memory: '10Gi', pods: '100' }, allocated: { cpu: '450m' } } } })
    const needy = { replicaRequirements: { resourceRequest: { cpu: '900m' } }, replicas: 1 }
    const lines = (clusters: Cluster[], spec: Partial<BindingSpec>, status = {}, placed: Record<string, number> = {}): string[] =>
      explainPlacement(sampleBinding({ clusters: placed, spec: { placement: divided, ...spec }, status }), clusters).map(({ sentence }) => sentence)

    test('every group that was tried says why it failed', () => {
      expect(lines([tainted, scarce('m2')], needy)).toEqual([
        'primary: m1 has an untolerated taint lost:NoExecute.', 'backup: m2 has 0.55 CPU free, needs 0.9.',
      ])
    })
    test('the group before the one that won says why it failed, too', () => {
      expect(lines([scarce('m1'), roomy('m2')], { ...needy, replicas: 2 })).toEqual([
        'primary: m1 has 0.55 CPU free, needs 1.8 for 2 replicas.', 'It would get 2 replicas (room for 11 more, weight 11 of 11).',
      ])
    })
    test('where scheduling fails, the group that is passed is not tried', () => {
      const failed = [{ type: 'Scheduled', status: 'False' as const, reason: 'Unschedulable', message: '', lastTransitionTime: T1 }]
      const observed = { schedulerObservingAffinityName: 'backup', conditions: failed }
      expect(lines([roomy('m1'), scarce('m2')], { ...needy, replicas: 2 }, observed, { m3: 1 })).toEqual([
        'It is in affinity group primary; the scheduler has gone on to backup, and only a rebalance tries the groups from the first.',
        'backup: m2 has 0.55 CPU free, needs 1.8 for 2 replicas.',
      ])
    })
    test('a cluster of no group', () => {
      expect(lines([roomy('m1'), roomy('m3')], needy)[1]).toBe('No affinity group of the placement includes it.')
    })
  })

  test('says nothing of a binding that the scheduler leaves alone', () => {
    expect(explainPlacement(sampleBinding({ spec: { placement: undefined } }), [roomy('m1')])).toEqual([])
  })
})
