import { describe, expect, test } from 'vitest'
import { byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { invertPlan, planRestore } from './undo'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
const clusters = [
  aCluster('member1'),
  aCluster('member2'),
  aCluster('sick', 10, { taints: [{ key: 'k', effect: 'NoExecute' }] }),
]
const dynamic = byAvailableReplicas()
const restore = (binding: ReturnType<typeof aBinding> | undefined, wanted: Record<string, number>) =>
  planRestore([{ workload: web, clusters: Object.entries(wanted).map(([name, replicas]) => ({ name, replicas })) }], {
    bindings: binding ? [binding] : [],
    clusters,
  }).targets[0]!

describe('a recorded distribution is restored', () => {
  test('exactly, with the same preview as any other move', () => {
    const target = restore(aBinding('web', { member1: 3, member2: 3 }, { placement: dynamic }), { member2: 6 })
    expect(target).toMatchObject({
      verdict: 'moves',
      moved: 3,
      after: [{ name: 'member2', replicas: 6 }],
      reason: { code: 'Restores', text: { code: 'rebalance.moves.Moves' } },
    })
  })

  test.each([
    ['it has no binding any more', undefined, { member1: 6 }, 'BindingNotFound'],
    ['it runs so already', aBinding('web', { member1: 6 }, { placement: dynamic }), { member1: 6 }, 'AlreadyBest'],
    [
      'its replicas changed',
      aBinding('web', { member1: 6 }, { placement: dynamic }),
      { member2: 4 },
      'ReplicasChanged',
    ],
    ['a cluster is gone', aBinding('web', { member1: 6 }, { placement: dynamic }), { member9: 6 }, 'ClusterGone'],
    [
      'a cluster drives workloads out',
      aBinding('web', { member1: 6 }, { placement: dynamic }),
      { sick: 6 },
      'ClusterGone',
    ],
    [
      'its policy leaves out a cluster by now',
      aBinding('web', { member1: 6 }, { placement: { ...dynamic, clusterAffinity: { clusterNames: ['member1'] } } }),
      { member2: 6 },
      'ClusterExcluded',
    ],
    [
      'no group of its policy has the cluster',
      aBinding(
        'web',
        { member1: 6 },
        { placement: { ...dynamic, clusterAffinities: [{ affinityName: 'near', clusterNames: ['member1'] }] } },
      ),
      { member2: 6 },
      'ClusterExcluded',
    ],
    [
      'the scheduler alone decides',
      aBinding('web', { member1: 3, member2: 3 }, { replicas: 3, placement: duplicated() }),
      { member1: 3 },
      'SchedulerDecides',
    ],
    [
      'it is paused',
      aBinding('web', { member1: 6 }, { placement: dynamic, suspension: { scheduling: true } }),
      { member2: 6 },
      'Suspended',
    ],
    [
      'dispatching is paused',
      aBinding('web', { member1: 6 }, { placement: dynamic, suspension: { dispatching: true } }),
      { member2: 6 },
      'DispatchingSuspended',
    ],
    [
      'dispatching to one of the clusters is paused',
      aBinding(
        'web',
        { member1: 6 },
        { placement: dynamic, suspension: { dispatchingOnClusters: { clusterNames: ['member2'] } } },
      ),
      { member2: 6 },
      'DispatchingSuspended',
    ],
  ] as const)('but not when %s', (_name, binding, wanted, code) => {
    const target = restore(binding, wanted)
    expect(target.reason.code).toBe(code)
    expect(target.verdict).not.toBe('moves')
    expect(target.after).toEqual(target.before)
  })

  test('to another group of its policy than the current one, and without the clusters that had nothing', () => {
    const placement = {
      ...dynamic,
      clusterAffinities: [
        { affinityName: 'near', clusterNames: ['member1'] },
        { affinityName: 'far', clusterNames: ['member2'] },
      ],
    }
    expect(restore(aBinding('web', { member1: 6 }, { placement }), { member1: 0, member2: 6 })).toMatchObject({
      verdict: 'moves',
      after: [{ name: 'member2', replicas: 6 }],
    })
  })

  test('of a plan, only what it changed', () => {
    const before = [{ name: 'member1', replicas: 2 }]
    expect(
      invertPlan({
        workloads: [
          { workload: web, stage: 'Done', before, triggeredAt: '2026-01-01T00:00:00Z' },
          { workload: { ...web, name: 'other' }, stage: 'Skipped', before },
        ],
      }),
    ).toEqual([{ workload: web, clusters: before }])
    expect(invertPlan(undefined)).toEqual([])
  })
})
