import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { premised } from './premise'
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

  test('with more replicas places them first, and what they take is taken', () => {
    const { bindings, clusters, rescaled } = premised(fleet, { capacity: none, replicas: new Map([[web, 18]]) })
    const sum = rescaled[0]!.after.reduce((all, { replicas = 0 }) => all + replicas, 0)
    expect(rescaled).toMatchObject([{ wanted: 18, before: [{ replicas: 2 }, { replicas: 2 }] }])
    expect(sum).toBe(18)
    expect(bindings[0]!.spec).toMatchObject({ replicas: 18, clusters: rescaled[0]!.after })
    expect(outcomesWithoutA({ bindings, clusters })).toEqual(['shrinks'])
  })

  test('keeps its place when the replicas find none', () => {
    const pinned = aBinding(
      'pinned',
      { a: 2 },
      { placement: { ...byAvailableReplicas(), clusterAffinity: { clusterNames: ['a'] } } },
    )
    const one = { ...fleet, bindings: [pinned] }
    const { rescaled } = premised(one, { capacity: none, replicas: new Map([[pinned, 50]]) })
    expect(rescaled[0]).toMatchObject({ wanted: 50, after: [{ name: 'a', replicas: 2 }] })
  })
})
