import { describe, expect, test } from 'vitest'
import type { Placement } from '@/lib/kube/kinds/placement'
import { english } from '@/lib/messages/english'
import { placementRules } from './placement'

describe('the rules of a placement', () => {
  test.each<[string, Placement | undefined, string[]]>([
    ['none', undefined, ['No placement: any cluster may be used']],
    ['empty', {}, ['Clusters: any', 'All replicas in every cluster']],
    [
      'names',
      { clusterAffinity: { clusterNames: ['m1', 'm2'], exclude: ['m3'] } },
      ['Clusters: m1 and m2 except m3', 'All replicas in every cluster'],
    ],
    [
      'selectors',
      {
        clusterAffinity: {
          labelSelector: { matchLabels: { env: 'prod' }, matchExpressions: [{ key: 'gpu', operator: 'Exists' }] },
          fieldSelector: { matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['eu', 'us'] }] },
        },
      },
      ['Clusters: matching env=prod, gpu and region notin (eu,us)', 'All replicas in every cluster'],
    ],
    [
      'groups',
      { clusterAffinities: [{ affinityName: 'primary', clusterNames: ['m1'] }, { affinityName: 'backup' }] },
      ['First group primary: m1', 'Then group backup: any', 'All replicas in every cluster'],
    ],
    [
      'aggregated',
      { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' } },
      ['Clusters: any', 'Replicas aggregated into as few clusters as possible'],
    ],
    [
      'static weights',
      {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [
              { targetCluster: { clusterNames: ['m1'] }, weight: 2 },
              { targetCluster: { clusterNames: ['m2'] }, weight: 1 },
            ],
          },
        },
      },
      ['Clusters: any', 'Replicas divided by weight: m1 2 and m2 1'],
    ],
    [
      'dynamic weights',
      {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
      },
      ['Clusters: any', 'Replicas divided by available replicas'],
    ],
    [
      'spread and tolerations',
      {
        spreadConstraints: [{ spreadByField: 'region', minGroups: 2, maxGroups: 3 }, { spreadByLabel: 'rack' }],
        clusterTolerations: [
          { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          { operator: 'Exists' },
        ],
      },
      [
        'Clusters: any',
        'Spread by region: 2 to 3 groups',
        'Spread by rack',
        'All replicas in every cluster',
        'Tolerates cluster.karmada.io/not-ready:NoExecute for 5 m',
        'Tolerates any taint',
      ],
    ],
  ])('%s', (_, placement, rules) => expect(placementRules(placement).map(english.of)).toEqual(rules))
})
