import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import type { Binding } from '../placement'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { driftOf } from './drift'
import { planRebalance } from './plan-rebalance'
import { workloadOf } from './select'
import { settleClusters } from './settle-clusters'

const down = { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' as const }] }
const weighted = (...weights: number[]): Placement => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: weights.map((weight, at) => ({ targetCluster: { clusterNames: [`m${at + 1}`] }, weight })),
    },
  },
})
const groups: Placement = {
  ...byAvailableReplicas(),
  clusterAffinities: [
    { affinityName: 'primary', clusterNames: ['m1'] },
    { affinityName: 'backup', clusterNames: ['m2'] },
  ],
}
/** Free capacity of m1, m2, … besides the workload's replicas. */
const rooms = (...free: number[]): Cluster[] => free.map((room, at) => aCluster(`m${at + 1}`, room))
const moves = (binding: Binding, clusters: readonly Cluster[]): number =>
  planRebalance({ workloads: [workloadOf(binding)], bindings: [binding], clusters }).totals.replicasMoved

type Placed = Record<string, number>

describe('what counts as drift, and how much', () => {
  test.each<[string, Placement, Placed, [clusters: Cluster[], drift: number]]>([
    ['all on one cluster after an outage', byAvailableReplicas(), { m2: 27 }, [rooms(60, 33), 14]],
    ['two replicas on one of two clusters', byAvailableReplicas(), { m1: 2 }, [rooms(10, 10), 1]],
    ['three replicas on one of two clusters', byAvailableReplicas(), { m1: 3 }, [rooms(50, 50), 1]],
    ['even on even clusters', byAvailableReplicas(), { m1: 3, m2: 3 }, [rooms(10, 10), 0]],
    ['one of two equal clusters has little more room', byAvailableReplicas(), { m1: 2, m2: 1 }, [rooms(48, 50), 0]],
    ['less than one in twenty', byAvailableReplicas(), { m1: 50, m2: 50 }, [rooms(104, 96), 0]],
    ['a cluster that the policy leaves out', byAvailableReplicas('m2'), { m1: 3, m2: 3 }, [rooms(9, 9), 3]],
    ['gathered in one cluster, another one is as large', aggregated(), { m1: 4 }, [rooms(46, 52), 0]],
    ['gathered in one cluster, another one is much larger', aggregated(), { m1: 4 }, [rooms(6, 90), 4]],
    ['spread where one cluster suffices', aggregated(), { m1: 2, m2: 2 }, [rooms(20, 10), 2]],
    ['in the backup group while the first one is well', groups, { m2: 3 }, [rooms(20, 20), 3]],
    ['weights that are written down', weighted(1, 1), { m1: 4 }, [rooms(9, 9), 2]],
    ['the same as the weights', weighted(1, 1), { m1: 2, m2: 2 }, [rooms(9, 90), 0]],
    ['nothing fits', byAvailableReplicas('m9'), { m1: 4 }, [rooms(9, 9), 0]],
    ['copies everywhere', duplicated(), { m1: 2, m2: 2 }, [rooms(9, 9), 0]],
    ['it would lose replicas', byAvailableReplicas('m2'), { m1: 8 }, [rooms(9, 3), 0]],
  ])('%s', (_, placement, placed, [clusters, drift]) => {
    const binding = aBinding('web', placed, { placement })
    expect(driftOf(binding, { clusters })).toBe(drift)
  })

  const away = aBinding('web', { m2: 6 })
  test.each<[string, Binding]>([
    ['suspended', { ...away, spec: { ...away.spec, suspension: { scheduling: true } } }],
    ['being deleted', { ...away, metadata: { ...away.metadata, deletionTimestamp: '2026-01-01T03:00:00Z' } }],
    ['never scheduled', { ...away, status: {} }],
    ['scaled a moment ago', { ...away, spec: { ...away.spec, replicas: 9 } }],
    ['asked to be rescheduled', { ...away, spec: { ...away.spec, rescheduleTriggeredAt: '2026-01-01T02:00:00Z' } }],
    ['without placement', { ...away, spec: { ...away.spec, placement: undefined } as Binding['spec'] }],
  ])('none while it is %s', (_, binding) => {
    expect(driftOf(away, { clusters: rooms(50, 50) })).toBe(3)
    expect(driftOf(binding, { clusters: rooms(50, 50) })).toBe(0)
  })

  test('near the threshold it stays as it was', () => {
    const binding = aBinding('web', { m1: 21, m2: 19 })
    const clusters = rooms(58, 60)
    expect([driftOf(binding, { clusters }), driftOf(binding, { clusters }, 1)]).toEqual([0, 1])
  })
})

const onlyTwo = byAvailableReplicas('m1', 'm2')
const placements = [byAvailableReplicas(), onlyTwo, aggregated(), weighted(1, 2, 3), groups]
const fleet = fc.record({
  free: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 3, maxLength: 3 }),
  placed: fc
    .array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 })
    .filter((list) => list.some(Boolean)),
  placement: fc.constantFrom(...placements),
})

describe('for every fleet', () => {
  test('drift is the number of the preview, or zero; and an unfeasible cluster always counts', () => {
    fc.assert(
      fc.property(fleet, ({ free, placed, placement }) => {
        const clusters = rooms(...free)
        const entries = placed.map((count, at) => [`m${at + 1}`, count] as const).filter(([, count]) => count > 0)
        const binding = aBinding('web', Object.fromEntries(entries), { placement })
        const [drift, preview] = [driftOf(binding, { clusters }), moves(binding, clusters)]
        expect([0, preview]).toContain(drift)
        if (placement === onlyTwo && placed[2]! > 0) expect(drift).toBe(preview)
      }),
      { seed: 20261122, numRuns: 400 },
    )
  })

  test('after a rebalance there is none', () => {
    fc.assert(
      fc.property(fleet, ({ free, placed, placement }) => {
        const entries = placed.map((count, at) => [`m${at + 1}`, count] as const).filter(([, count]) => count > 0)
        const binding = aBinding('web', Object.fromEntries(entries), { placement })
        const plan = planRebalance({ workloads: [workloadOf(binding)], bindings: [binding], clusters: rooms(...free) })
        const after = [...plan.targets[0]!.after]
        // The clusters report what the workload took and released.
        const had = (list: typeof after, name: string) => list.find((one) => one.name === name)?.replicas ?? 0
        const clusters = free.map((room, at) => {
          const name = `m${at + 1}`
          return aCluster(name, room + had([...plan.targets[0]!.before], name) - had(after, name))
        })
        const moved = { ...binding, spec: { ...binding.spec, clusters: after } }
        if (plan.totals.moving > 0) expect(driftOf(moved, { clusters })).toBe(0)
      }),
      { seed: 20261123, numRuns: 400 },
    )
  })
})

describe('which changes of clusters are passed on', () => {
  const settled = rooms(100, 100)
  const [one, two] = settled as [Cluster, Cluster]
  const withFree = (free: number): Cluster => {
    const allocated = { cpu: String(100 - free), pods: String(100 - free) }
    return { ...two, status: { ...two.status, resourceSummary: { ...two.status?.resourceSummary, allocated } } }
  }
  test.each<[string, Cluster[], boolean]>([
    ['the same objects', [one, two], false],
    ['another heartbeat', [one, { ...two, status: { ...two.status } }], false],
    ['a little less room', [one, withFree(96)], false],
    ['much less room', [one, withFree(90)], true],
    ['no room at all', [one, withFree(0)], true],
    ['a taint', [one, { ...two, spec: { ...two.spec, ...down } }], true],
    ['a label', [one, { ...two, metadata: { ...two.metadata, labels: { zone: 'a' } } }], true],
    ['no answer', [one, { ...two, status: { ...two.status, conditions: [] } }], true],
    ['a cluster less', [one], true],
    ['a cluster more', [one, two, aCluster('m3')], true],
  ])('%s', (_, present, isOther) => {
    expect(settleClusters(settled, present) !== settled).toBe(isOther)
  })

  test('small changes that add up are passed on, measured from the last passed one', () => {
    const seen: boolean[] = []
    let clusters: readonly Cluster[] = settled
    for (const free of [97, 94, 91, 88, 91, 94]) {
      const next = settleClusters(clusters, [one, withFree(free)])
      seen.push(next !== clusters)
      clusters = next
    }
    expect(seen).toEqual([false, true, false, true, false, true])
  })
})
