import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { differencesBetween, predictionError } from './compare'
import { DEPARTURES_ANNOTATION, notedDepartures } from './departures'
import { automaticFailback, suggestFailback } from './failback'
import { assessHeadroom } from './headroom'
import { selectWorkloads } from './select'
import { whatIf } from './what-if'

const now = Date.parse('2026-01-02T00:00:00Z')
const dynamic = byAvailableReplicas()

function wellSince(cluster: Cluster, time: string): Cluster {
  const conditions = (cluster.status?.conditions ?? []).map((one) => ({ ...one, lastTransitionTime: time }))
  return { ...cluster, status: { ...cluster.status, conditions } }
}

function departed(name: string, placed: Record<string, number>, from: string) {
  const binding = aBinding(name, placed, { placement: dynamic })
  const noted = JSON.stringify([{ cluster: from, replicas: 3, reason: 'TaintUntolerated' }])
  return {
    ...binding,
    metadata: { ...binding.metadata, annotations: { ...binding.metadata.annotations, [DEPARTURES_ANNOTATION]: noted } },
  }
}

describe('failback', () => {
  const clusters = [wellSince(aCluster('member1', 20), '2026-01-01T23:55:00Z'), aCluster('member2', 20)]
  const web = departed('web', { member2: 6 }, 'member1')
  const paused = departed('paused', { member2: 6 }, 'member1')
  paused.spec = { ...paused.spec, suspension: { scheduling: true } }
  const bindings = [web, paused, aBinding('other', { member2: 2 })]

  test('a suggestion contains who ran there, who would return, and why the others would not', () => {
    const [suggestion, ...rest] = suggestFailback({ bindings, clusters, now })
    expect(rest).toEqual([])
    expect(suggestion).toMatchObject({ cluster: 'member1', isStable: false })
    expect(suggestion?.returning).toMatchObject([{ workload: { name: 'web' }, replicas: 3 }])
    expect(suggestion?.staying).toMatchObject([{ workload: { name: 'paused' }, reason: { code: 'Suspended' } }])
  })

  test('nothing returns automatically before the cluster is stable, and never more than permitted', () => {
    const at = (time: number) => suggestFailback({ bindings, clusters, now: time })[0]!
    expect(automaticFailback(at(now), { maxConcurrent: 5, moving: 0 })).toEqual([])
    const later = at(now + 300_000)
    expect(automaticFailback(later, { maxConcurrent: 5, moving: 0 }).map(({ name }) => name)).toEqual(['web'])
    expect(automaticFailback(later, { maxConcurrent: 2, moving: 2 })).toEqual([])
  })

  test('an unhealthy cluster is not suggested', () => {
    const tainted = [aCluster('member1', 20, { taints: [{ key: 'k', effect: 'NoSchedule' }] }), aCluster('member2')]
    expect(suggestFailback({ bindings, clusters: tainted, now })).toEqual([])
  })

  test('an evicted workload is recorded once, and removed when it returns', () => {
    const task = { fromCluster: 'member1', producer: 'TaintManager', reason: 'TaintUntolerated', replicas: 2 }
    const noted = notedDepartures(aBinding('web', { member2: 1 }), [task])
    expect(JSON.parse(noted!)).toEqual([{ cluster: 'member1', replicas: 2, reason: 'TaintUntolerated' }])
    expect(notedDepartures(aBinding('web', { member1: 1 }), [task])).toBe('[]')
    expect(notedDepartures(aBinding('web', { member2: 1 }), [{ ...task, producer: 'RebalancePlan' }])).toBeUndefined()
  })
})

function withoutReplicas(name: string, clusters: string[]) {
  const { spec, ...binding } = aBinding(name, {}, { placement: duplicated() })
  const { replicas: _none, replicaRequirements: _neither, ...rest } = spec
  return { ...binding, spec: { ...rest, clusters: clusters.map((each) => ({ name: each })) } }
}

describe('what if a cluster fails', () => {
  const clusters = [aCluster('member1', 20), aCluster('member2', 4)]
  const outcome = (binding: ReturnType<typeof aBinding>, cause: 'fails' | 'drained' = 'fails') =>
    whatIf({ cluster: 'member1', cause, bindings: [binding], clusters, now })
  const tolerating = {
    ...dynamic,
    clusterTolerations: [{ key: 'cluster.karmada.io/not-ready', operator: 'Exists' as const }],
  }
  const waiting = {
    ...dynamic,
    clusterTolerations: [{ key: 'cluster.karmada.io/not-ready', operator: 'Exists' as const, tolerationSeconds: 300 }],
  }

  test.each([
    ['moves where there is room', aBinding('web', { member1: 3 }, { placement: dynamic }), 'moves'],
    ['has no other place', aBinding('web', { member1: 9 }, { placement: dynamic }), 'stuck'],
    [
      'goes on with its other copies',
      aBinding('web', { member1: 2, member2: 2 }, { replicas: 2, placement: duplicated() }),
      'shrinks',
    ],
    ['without replicas moves where it fits', withoutReplicas('settings', ['member1']), 'moves'],
    ['without replicas goes on in its other clusters', withoutReplicas('settings', ['member1', 'member2']), 'shrinks'],
    [
      'is lost while paused',
      aBinding('web', { member1: 3 }, { placement: dynamic, suspension: { scheduling: true } }),
      'lost',
    ],
    ['stays when it tolerates that', aBinding('web', { member1: 3 }, { placement: tolerating }), 'stays'],
  ] as const)('a workload %s', (_name, binding, expected) => {
    const { targets, counts } = outcome(binding)
    expect(targets[0]?.outcome).toBe(expected)
    expect(counts[expected]).toBe(1)
  })

  test('tolerations are reported, a drain is not tolerated, and missing failover policies are counted', () => {
    expect(outcome(aBinding('web', { member1: 3 }, { placement: waiting })).targets[0]?.toleratesSeconds).toBe(300)
    expect(outcome(aBinding('web', { member1: 3 }, { placement: tolerating }), 'drained').targets[0]?.outcome).toBe(
      'moves',
    )
    expect(outcome(aBinding('web', { member1: 3 })).withoutFailoverPolicy).toBe(1)
  })

  test('clusters that gain more replicas than fit are listed', () => {
    const bindings = ['a', 'b'].map((name) => aBinding(name, { member1: 3 }, { placement: dynamic }))
    const { headroom } = whatIf({ cluster: 'member1', cause: 'fails', bindings, clusters, now })
    expect(headroom).toEqual([{ cluster: 'member2', gains: 6, room: 4, short: true }])
  })

  test('workloads leave one after the other, and each is scheduled with the reports available by then', () => {
    const equal = [aCluster('member1', 20), aCluster('member2', 8), aCluster('member3', 7)]
    const one = { ...dynamic, spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }] }
    const bindings = ['c', 'a', 'b'].map((name) => aBinding(name, { member1: 3 }, { placement: one }))
    const ask = (reportsAfterMs: number) =>
      whatIf({
        cluster: 'member1',
        cause: 'fails',
        bindings,
        clusters: equal,
        now,
        timing: { evictionsPerSecond: 1, reportsAfterMs },
      }).targets.map(({ workload, after, isOpen }) => [workload.name, after[0]?.name, isOpen])
    expect(ask(100)).toEqual([
      ['a', 'member2', false],
      ['b', 'member3', false],
      ['c', 'member2', false],
    ])
    expect(ask(60_000)).toEqual([
      ['a', 'member2', false],
      ['b', 'member2', false],
      ['c', 'member2', false],
    ])
    expect(ask(1500)).toEqual([
      ['a', 'member2', false],
      ['b', 'member2', true],
      ['c', 'member3', true],
    ])
  })

  test('higher priority leaves first', () => {
    const bindings = [
      aBinding('a', { member1: 3 }, { placement: dynamic }),
      aBinding('b', { member1: 3 }, { placement: dynamic, schedulePriority: { priority: 5 } }),
    ]
    const { targets } = whatIf({
      cluster: 'member1',
      cause: 'fails',
      bindings,
      clusters,
      now,
      timing: { evictionsPerSecond: 1, reportsAfterMs: 100 },
    })
    expect(targets.map(({ workload, outcome }) => [workload.name, outcome])).toEqual([
      ['b', 'moves'],
      ['a', 'stuck'],
    ])
  })

  test('workloads in other clusters are not affected', () => {
    expect(outcome(aBinding('web', { member2: 3 })).targets).toEqual([])
  })
})

describe('selecting', () => {
  const bindings = [
    aBinding('web', { member1: 1 }),
    departed('api', { member2: 1 }, 'member1'),
    aBinding('db', { member2: 1 }),
  ]
  const labels = new Map([['apps/v1 Deployment default web', { tier: 'front' }]])
  test.each([
    ['a cluster where it runs', { runningOn: ['member2'] }, ['api', 'db']],
    ['a cluster that it left', { left: ['member1'] }, ['api']],
    ['labels of the workload', { labelSelector: { matchLabels: { tier: 'front' } } }, ['web']],
    ['kind and cluster together', { kinds: ['Deployment'], runningOn: ['member1'] }, ['web']],
    ['another namespace', { namespaces: ['elsewhere'] }, []],
    ['nothing at all', {}, []],
    ['empty lists', { namespaces: [], kinds: [] }, []],
  ])('by %s', (_name, selection, expected) => {
    expect(selectWorkloads({ selection }, { bindings, labels }).map(({ name }) => name)).toEqual(expected)
  })

  test('explicit and selected workloads, without duplicates', () => {
    const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
    const chosen = selectWorkloads(
      { workloads: [web, web], selection: { runningOn: ['member1', 'member2'] } },
      { bindings },
    )
    expect(chosen.map(({ name }) => name)).toEqual(['api', 'db', 'web'])
  })
})

describe('comparing', () => {
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
  const line = (before: number, predicted: number) => ({
    workload,
    before: [{ name: 'a', replicas: before }],
    predicted: [{ name: 'b', replicas: predicted }],
  })
  test.each([
    ['the same preview', [line(1, 1)], [line(1, 1)], []],
    ['one that came', [], [line(1, 1)], ['Deployment default/web is new: 1 in a → 1 in b']],
    ['one that went', [line(1, 1)], [], ['Deployment default/web is no longer selected']],
    ['one that runs elsewhere', [line(1, 1)], [line(2, 1)], ['Deployment default/web now has 2 in a, not 1 in a']],
    [
      'one that would end elsewhere',
      [line(1, 1)],
      [line(1, 2)],
      ['Deployment default/web would have 2 in b, not 1 in b'],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(differencesBetween(before, after).map(english.of)).toEqual(expected)
  })

  test('the prediction error is the number of replicas in other clusters', () => {
    expect(
      predictionError(
        [{ name: 'a', replicas: 3 }],
        [
          { name: 'a', replicas: 1 },
          { name: 'b', replicas: 2 },
        ],
      ),
    ).toBe(2)
    expect(predictionError([{ name: 'a', replicas: 3 }], [{ name: 'a', replicas: 1 }])).toBe(2)
  })

  test('capacity is used one move after the other', () => {
    const move = {
      before: [],
      after: [{ name: 'member1', replicas: 3 }],
      requirements: { resourceRequest: { cpu: '1' } },
    }
    expect(assessHeadroom([move, move], [aCluster('member1', 4)])).toEqual([
      { cluster: 'member1', gains: 6, room: 4, short: true },
    ])
  })
})
