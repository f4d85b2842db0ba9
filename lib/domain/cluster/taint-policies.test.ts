import { expect, test } from 'vitest'
import type { Cluster, ClusterTaintPolicy, Taint } from '@/lib/kube/kinds'
import { planPolicyTaints } from './taint-policies'

const NOW = Date.UTC(2026, 0, 1)
const TIME = '2026-01-01T00:00:00Z'
const meta = (name: string, creationTimestamp = TIME) => ({ name, uid: name, resourceVersion: '1', creationTimestamp })

const cluster = (conditions: Record<string, 'True' | 'False' | 'Unknown'>, taints: Taint[] = []): Cluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { ...meta('m1'), labels: { zone: 'a' } },
  spec: { syncMode: 'Push', taints },
  status: {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: 'R',
      message: '',
      lastTransitionTime: TIME,
    })),
  },
})

const GONE = { key: 'gone', effect: 'NoExecute' }
const notReady = { conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }
const ready = { conditionType: 'Ready', operator: 'In', statusValues: ['True'] }

const policy = (spec: Partial<ClusterTaintPolicy['spec']> = {}, metadata = meta('lost')): ClusterTaintPolicy => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata,
  spec: { taints: [GONE], addOnConditions: [notReady], removeOnConditions: [ready], ...spec },
})

/** `key:effect` of the resulting taints. */
const after = (of: Cluster, ...policies: ClusterTaintPolicy[]): string[] =>
  planPolicyTaints({ now: NOW, cluster: of, policies }).taints.map(({ key, effect }) => `${key}:${effect}`)

test.each<[string, Cluster, ClusterTaintPolicy[], string[]]>([
  ['a lost cluster gets the taint', cluster({ Ready: 'False' }), [policy()], ['gone:NoExecute']],
  ['a ready one does not', cluster({ Ready: 'True' }), [policy()], []],
  ['a cluster that is back loses it, even when a user added it', cluster({ Ready: 'True' }, [GONE]), [policy()], []],
  [
    'only that of the same effect',
    cluster({ Ready: 'True' }, [{ ...GONE, effect: 'NoSchedule' }]),
    [policy()],
    ['gone:NoSchedule'],
  ],
  ['a condition that is not there meets nothing', cluster({}), [policy()], []],
  [
    'all conditions must hold',
    cluster({ Ready: 'False', Disk: 'True' }),
    [policy({ addOnConditions: [notReady, { conditionType: 'Disk', operator: 'In', statusValues: ['False'] }] })],
    [],
  ],
  ['no conditions never hold', cluster({ Ready: 'False' }), [policy({ addOnConditions: [] })], []],
  [
    'without conditions for removing it stays',
    cluster({ Ready: 'True' }, [GONE]),
    [policy({ removeOnConditions: undefined })],
    ['gone:NoExecute'],
  ],
  [
    'an unknown operator never holds',
    cluster({ Ready: 'False' }),
    [policy({ addOnConditions: [{ ...notReady, operator: 'Like' }] })],
    [],
  ],
  [
    'what is added and removed in one turn is gone',
    cluster({ Ready: 'False' }),
    [policy({ removeOnConditions: [notReady] })],
    [],
  ],
  [
    'another cluster is not concerned',
    cluster({ Ready: 'False' }),
    [policy({ targetClusters: { clusterNames: ['m2'] } })],
    [],
  ],
  [
    'labels choose clusters',
    cluster({ Ready: 'False' }),
    [policy({ targetClusters: { labelSelector: { matchLabels: { zone: 'a' } } } })],
    ['gone:NoExecute'],
  ],
  [
    'the newer policy has the last word',
    cluster({ Ready: 'False' }),
    [policy({ addOnConditions: [], removeOnConditions: [notReady] }, meta('b', '2026-01-02T00:00:00Z')), policy()],
    [],
  ],
  [
    'taints keep their order',
    cluster({ Ready: 'False' }, [{ key: 'own', effect: 'NoSchedule' }]),
    [policy()],
    ['own:NoSchedule', 'gone:NoExecute'],
  ],
])('%s', (_sentence, of, policies, expected) => {
  expect(after(of, ...policies)).toEqual(expected)
})

test('a taint counts from its addition, and a second reconcile writes nothing', () => {
  const first = planPolicyTaints({ now: NOW, cluster: cluster({ Ready: 'False' }), policies: [policy()] })
  expect(first).toEqual({ taints: [{ ...GONE, timeAdded: TIME }], changed: true })
  const second = planPolicyTaints({
    now: NOW + 60_000,
    cluster: cluster({ Ready: 'False' }, first.taints),
    policies: [policy()],
  })
  expect(second).toEqual({ taints: first.taints, changed: false })
})
