import { expect, test } from 'vitest'
import { totalsOf } from '@/lib/domain/rebalance/loss'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, aCluster, byAvailableReplicas, type ClusterOptions } from '@/lib/testing/builders'
import { LossComputation, revisionOf } from './loss-computation'

const now = Date.parse('2026-01-02T00:00:00Z')

const clusterOf = (name: string, options: ClusterOptions = {}): Cluster => {
  const draft = aCluster(name, options) as Cluster
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation: 1 } }
}

function bindingOf(name: string, ...clusters: string[]): ResourceBinding {
  const placement = { ...byAvailableReplicas(), clusterAffinity: { clusterNames: [...clusters, 'spare'] } }
  const draft = aBinding(name, {
    replicas: clusters.length,
    placement,
    clusters: clusters.map((cluster) => ({ name: cluster, replicas: 1 })),
  }) as ResourceBinding
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation: 1 } }
}

const clusters = [
  clusterOf('b2', { region: 'beta', zone: '1' }),
  clusterOf('a1', { region: 'alpha', zone: 'alpha-1' }),
  clusterOf('b1', { region: 'beta', zone: '1' }),
  clusterOf('spare', { region: 'gamma', ready: false }),
]
const fleet = { clusters, bindings: [bindingOf('x', 'a1'), bindingOf('y', 'b1', 'b2')], now }

function complete(computation: LossComputation): number {
  let steps = 0
  for (; !computation.isDone; steps += 1) computation.step(steps)
  return steps
}

test('simulates ready clusters by region, each region, each zone, and pairs when they are asked for', () => {
  const computation = new LossComputation(fleet)
  expect(computation.names).toEqual(['a1', 'b1', 'b2'])
  expect(computation.sets).toMatchObject({
    unready: 1,
    region: [
      { place: 'alpha', clusters: ['a1'] },
      { place: 'beta', clusters: ['b1', 'b2'] },
    ],
    zone: [{ place: 'alpha-1' }, { place: 'beta/1' }],
  })
  complete(computation)
  expect(totalsOf(computation.outcome(['b1'])!)).toMatchObject({ workloads: 1, needed: 1 })
  expect(computation.outcome(['b1', 'a1'])).toBeUndefined()
  computation.addPairs()
  expect(computation.isDone).toBe(false)
  complete(computation)
  expect(computation.pairs?.sets.map(({ clusters: pair }) => pair)).toEqual([
    ['b1', 'a1'],
    ['b2', 'a1'],
    ['b2', 'b1'],
  ])
  expect(totalsOf(computation.outcome(['a1', 'b1'])!)).toMatchObject({ workloads: 2, needed: 2 })
  expect(computation.pairs?.tookMs).toBeDefined()
})

test('a step makes one decision at most, so that requests are answered in between', () => {
  // a1: 1, b1: 1, b2: 1, beta: 1, and one step at the end; the losses of fixes follow.
  expect(complete(new LossComputation(fleet))).toBeGreaterThanOrEqual(4 + 1)
})

test('another generation, readiness or capacity is another fleet; what members use is not', () => {
  const [first, ...others] = clusters as [Cluster, ...Cluster[]]
  const changed = (cluster: Cluster) => revisionOf({ ...fleet, clusters: [cluster, ...others] })
  const revision = revisionOf(fleet)
  expect(changed(clusterOf('b2', { region: 'beta', zone: '1', allocated: { cpu: '1' } }))).toBe(revision)
  expect(revisionOf({ ...fleet, clusters: clusters.toReversed() })).toBe(revision)
  expect(changed({ ...first, metadata: { ...first.metadata, generation: 2 } })).not.toBe(revision)
  expect(changed(clusterOf('b2', { region: 'beta', zone: '1', cpu: '1' }))).not.toBe(revision)
  expect(changed(clusterOf('b2', { region: 'beta', zone: '1', ready: false }))).not.toBe(revision)
})
