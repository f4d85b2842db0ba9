import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { estimateReplicas } from '../estimate'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { editedPlacement } from './edited-placement'
import { newCluster, premised } from './premise'
import { whatIf, type WhatIfSnapshot } from './what-if'

const now = Date.parse('2026-01-02T00:00:00Z')
const none = new Map<never, never>()

describe('the fleet before a failure', () => {
  const web = aBinding('web', { a: 2, b: 2 })
  const fleet = { bindings: [web], clusters: [aCluster('a', 10), aCluster('b', 10)] }
  const outcomesWithoutA = ({ bindings, clusters }: Pick<WhatIfSnapshot, 'bindings' | 'clusters'>) =>
    whatIf({ bindings, clusters, cluster: 'a', cause: 'fails', now }).targets.map(({ outcome }) => outcome)

  test('with less capacity takes less', () => {
    expect(outcomesWithoutA(fleet)).toEqual(['moves'])
    for (const [percent, outcome] of [
      [20, 'moves'],
      [10, 'shrinks'],
    ] as const)
      expect(outcomesWithoutA(premised(fleet, { capacity: new Map([['b', percent]]), replicas: none }))).toEqual([
        outcome,
      ])
  })

  test('with more replicas places them first, and their capacity is used', () => {
    const { bindings, clusters, rescaled } = premised(fleet, { capacity: none, replicas: new Map([[web, 18]]) })
    const sum = rescaled[0]!.after.reduce((all, { replicas = 0 }) => all + replicas, 0)
    expect(rescaled).toMatchObject([{ wanted: 18, before: [{ replicas: 2 }, { replicas: 2 }] }])
    expect(sum).toBe(18)
    expect(bindings[0]!.spec).toMatchObject({ replicas: 18, clusters: rescaled[0]!.after })
    expect(outcomesWithoutA({ bindings, clusters })).toEqual(['shrinks'])
  })

  test('keeps the placement if the replicas find none', () => {
    const pinned = aBinding(
      'pinned',
      { a: 2 },
      { placement: { ...byAvailableReplicas(), clusterAffinity: { clusterNames: ['a'] } } },
    )
    const one = { ...fleet, bindings: [pinned] }
    const { rescaled } = premised(one, { capacity: none, replicas: new Map([[pinned, 50]]) })
    expect(rescaled[0]).toMatchObject({ wanted: 50, after: [{ name: 'a', replicas: 2 }] })
  })

  test('with a new cluster has more capacity, which is unused until a failure', () => {
    const large = {
      ...fleet,
      bindings: [aBinding('web', { a: 8, b: 8 })],
      clusters: [aCluster('a', 10), aCluster('b', 4)],
    }
    expect(outcomesWithoutA(large)).toEqual(['shrinks'])
    const joined = newCluster(aCluster('b', 4), 'c')
    const { bindings, clusters } = premised(
      { ...large, clusters: [...large.clusters, joined] },
      { capacity: none, replicas: none },
    )
    expect(bindings).toEqual(large.bindings)
    expect(outcomesWithoutA({ bindings, clusters })).toEqual(['moves'])
  })

  test('a new cluster is like its model, but empty and without its taints', () => {
    const tainted = aCluster('b', 10, { region: 'west', taints: [{ key: 'x', effect: 'NoSchedule' }] })
    const resourceSummary = { ...tainted.status?.resourceSummary, allocated: { cpu: '3' } }
    const model = { ...tainted, status: { ...tainted.status, resourceSummary } }
    const { metadata, spec, status } = newCluster(model, 'c')
    expect([metadata.name, spec.region, spec.taints]).toEqual(['c', 'west', undefined])
    expect(status?.resourceSummary).toEqual({ allocatable: model.status?.resourceSummary?.allocatable })
  })

  test('with another policy moves what it no longer allows, and gives back its room', () => {
    const placement = { ...byAvailableReplicas(), clusterAffinity: { clusterNames: ['a', 'b'] } }
    const one = aBinding('one', { a: 10 }, { placement })
    const other = aBinding('other', { b: 1 }, { placement })
    const given = { bindings: [one, other], clusters: [aCluster('a', 0), aCluster('b', 20)] }
    const excluding = editedPlacement(placement, 'exclude', given.clusters[0]!)!
    const placements = new Map([one, other].map((binding) => [binding, excluding] as const))
    const { bindings, clusters, rescaled } = premised(given, { capacity: none, replicas: none, placements })
    expect(rescaled).toMatchObject([{ before: [{ name: 'a', replicas: 10 }], after: [{ name: 'b', replicas: 10 }] }])
    expect(rescaled[0]).not.toHaveProperty('wanted')
    expect(bindings[1]!.spec).toMatchObject({ clusters: [{ name: 'b', replicas: 1 }], placement: excluding })
    expect(clusters.map((one) => estimateReplicas(one, bindings[0]!.spec.replicaRequirements).amount)).toEqual([10, 10])
  })

  test('an edit that changes nothing is none', () => {
    const [a, c] = [aCluster('a'), aCluster('c')]
    const placement = { clusterAffinity: { clusterNames: ['a'], exclude: ['c'] } }
    expect(editedPlacement(placement, 'allow', a)).toBeUndefined()
    expect(editedPlacement(placement, 'exclude', c)).toBeUndefined()
    expect(editedPlacement({}, 'exclude', a)).toEqual({ clusterAffinity: { exclude: ['a'] } })
    expect(editedPlacement({ clusterAffinity: { clusterNames: ['a'] } }, 'allow', c)).toEqual({
      clusterAffinity: { clusterNames: ['a', 'c'] },
    })
    const groups = { clusterAffinities: [{ affinityName: 'first' }, { affinityName: 'second', exclude: ['a'] }] }
    expect(editedPlacement(groups, 'exclude', a)?.clusterAffinities).toEqual([
      { affinityName: 'first', exclude: ['a'] },
      { affinityName: 'second', exclude: ['a'] },
    ])
  })
})
