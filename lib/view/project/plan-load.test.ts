import { describe, expect, test } from 'vitest'
import { parseTime } from '@/lib/std/clock'
import { afterMove } from '../plan-flow/load'
import { type LoadSnapshot, projectLoad } from './plan-load'
import { ready, reportOf, sampleBinding, sampleCluster, T1, T2 } from './testing/samples'

const at = (counts: Record<string, number>) =>
  Object.entries(counts).map(([cluster, replicas]) => ({ cluster, replicas }))

const resourceSummary = {
  allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
  allocated: { cpu: '1500m', memory: '1Gi', pods: '10' },
  allocating: { cpu: '500m', pods: '1' },
}
const m1 = sampleCluster('m1', { status: { ...ready('True'), resourceSummary } })
const move = { id: 'web', before: at({ m1: 4 }), after: at({ m1: 1, m2: 3 }), isOver: false }

const show = ({
  targets = [move],
  bindingOf = () => sampleBinding({ clusters: { m1: 4 } }),
  clusters = [m1],
}: Partial<LoadSnapshot>) => projectLoad({ targets, bindingOf, clusters, now: parseTime(T2) })

describe('the load of a rebalance', () => {
  test('is from what clusters report, pods that wait included, and from what bindings request', () => {
    const view = show({ clusters: [m1, sampleCluster('m2')] })
    expect(view.computedAt).toBe(T2)
    expect(view.clusters).toMatchObject([
      { cluster: 'm1', cpu: { capacity: { allocatable: 4000, requested: 2000 }, leaving: 300 }, pods: { leaving: 3 } },
      { cluster: 'm2', cpu: { arriving: 300 }, memory: { unknown: 3 } },
    ])
    expect(view.clusters.map(({ cpu }) => afterMove(cpu))).toEqual([1700, undefined])
  })

  test('counts replicas that have arrived already, and none of a workload that is done', () => {
    const status = { aggregatedStatus: [reportOf('m1', 4), reportOf('m2', 2)] }
    const bindingOf = () => sampleBinding({ clusters: { m1: 1, m2: 3 }, status })
    const [, arriving] = show({ bindingOf }).clusters
    expect(arriving).toMatchObject({ cluster: 'm2', pods: { arriving: 1 } })
    expect(show({ bindingOf, targets: [{ ...move, isOver: true }] }).clusters).toMatchObject([
      { pods: { arriving: 0, leaving: 0 } },
      { pods: { arriving: 0, leaving: 0 } },
    ])
  })

  test('ignores workloads that may not be viewed, and those with several components', () => {
    const unknown = [
      { cluster: 'm1', cpu: { unknown: 3 }, pods: { unknown: 3 } },
      { cluster: 'm2', cpu: { unknown: 3 }, pods: { unknown: 3 } },
    ]
    expect(show({ bindingOf: () => undefined }).clusters).toMatchObject(unknown)
    const components = [{ name: 'leader', replicas: 1 }]
    expect(
      show({ bindingOf: () => sampleBinding({ clusters: { m1: 4 }, spec: { components } }) }).clusters,
    ).toMatchObject(unknown)
  })

  test('says since when a cluster does not answer', () => {
    const down = sampleCluster('m1', { status: { ...ready('False'), resourceSummary } })
    expect(show({ clusters: [down] }).clusters[0]).toMatchObject({ staleSince: T1 })
  })
})
