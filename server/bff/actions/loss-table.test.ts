/** The table of losses against the plain what-if of each of its rows, on small fleets. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appliedPlacementText, isSchedulingSuspended } from '@/lib/domain/placement'
import { workloadOf } from '@/lib/domain/rebalance'
import { whatIf } from '@/lib/domain/rebalance/what-if'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aCluster, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { projectLosses, projectPairs } from '@/lib/view/project/losses'
import { LossComputation } from './loss-computation'

const now = Date.parse('2026-01-02T00:00:00Z')
const NAMES = ['a', 'b', 'c', 'd', 'e']

const places = fc.record({
  region: fc.constantFrom('north', 'south'),
  zone: fc.constantFrom(undefined, '1', '2'),
  room: fc.integer({ min: 1, max: 14 }),
  ready: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
})

const workloads = fc.record({
  placed: fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 4 }), { minKeys: 1, maxKeys: 3 }),
  allowed: fc.subarray(NAMES, { minLength: 1 }),
  isDuplicated: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  /** As a queue on hold, or a user, leaves it. */
  isSuspended: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

const fleets = fc.record({
  places: fc.array(places, { minLength: NAMES.length, maxLength: NAMES.length }),
  workloads: fc.array(workloads, { minLength: 2, maxLength: 7 }),
})
type Given = typeof fleets extends fc.Arbitrary<infer T> ? T : never

function clusterOf({ region, zone, room, ready }: Given['places'][number], index: number): Cluster {
  const draft = aCluster(NAMES[index]!, {
    region,
    ...(zone !== undefined && { zone }),
    cpu: String(room),
    ready,
  }) as Cluster
  return { ...draft, metadata: { ...draft.metadata, uid: NAMES[index]!, generation: 1 } }
}

function bindingOf({ placed, allowed, isDuplicated, isSuspended }: Given['workloads'][number], index: number) {
  const clusterNames = [...new Set([...allowed, ...Object.keys(placed)])]
  const placement = { ...(isDuplicated ? duplicated() : byAvailableReplicas()), clusterAffinity: { clusterNames } }
  const counts = Object.values(placed)
  const most = Math.max(...counts)
  const draft = aBinding(`w${index}`, {
    placement,
    cpu: '1',
    replicas: isDuplicated ? most : counts.reduce((sum, count) => sum + count, 0),
    clusters: Object.entries(placed).map(([name, replicas]) => ({ name, replicas: isDuplicated ? most : replicas })),
    ...(isSuspended && { spec: { suspension: { scheduling: true } } }),
  }) as ResourceBinding
  const annotations = { [APPLIED_PLACEMENT_ANNOTATION]: appliedPlacementText(placement) }
  return {
    ...draft,
    metadata: { ...draft.metadata, uid: `w${index}`, generation: 1, annotations },
    status: { schedulerObservedGeneration: 1, lastScheduledTime: '2026-01-01T00:00:00Z' },
  }
}

type Fleet = { clusters: Cluster[]; bindings: ResourceBinding[]; now: number }

/** A row as the plain what-if of its clusters gives it, counted by replicas alone. */
function byBruteForce(fleet: Fleet, [cluster = '', ...others]: readonly string[]) {
  const lost = new Set([cluster, ...others])
  const row = { workloads: 0, losing: 0, down: 0, waiting: 0, needed: 0, placed: 0 }
  for (const { workload, before, after } of whatIf({ ...fleet, cluster, others, cause: 'fails' }).targets) {
    const { spec } = fleet.bindings.find((one) => workloadOf(one).name === workload.name)!
    const outside = (one: readonly { name: string; replicas?: number }[]) => one.filter(({ name }) => !lost.has(name))
    const sum = (one: readonly { replicas?: number }[]) => one.reduce((all, { replicas = 0 }) => all + replicas, 0)
    const running = sum(outside(after))
    const isDivided = spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided'
    // A workload that is duplicated needs another place only where none of its clusters remains.
    const isKept = !isDivided && running > 0 && outside(after).length <= outside(before).length
    const needed = isKept ? 0 : sum(before) - sum(outside(before))
    const missing = running === 0 ? needed : isDivided ? Math.min(needed, Math.max(0, sum(before) - running)) : 0
    row.workloads += 1
    row.needed += needed
    row.placed += needed - missing
    row.losing += missing > 0 ? 1 : 0
    row.down += running === 0 ? 1 : 0
    row.waiting += missing > 0 && isSchedulingSuspended(spec) ? 1 : 0
  }
  return row
}

test('every row of clusters, regions, zones and pairs equals the plain what-if of its clusters', () => {
  const seen = { region: 0, zone: 0, pairs: 0, waiting: 0, several: 0 }
  fc.assert(
    fc.property(fleets, (given) => {
      const fleet: Fleet = { clusters: given.places.map(clusterOf), bindings: given.workloads.map(bindingOf), now }
      const computation = new LossComputation(fleet)
      computation.addPairs()
      for (let step = 0; !computation.isDone; step += 1) computation.step(step)
      const { sets, singles, bindings } = computation
      const reader = { workloads: bindings, sees: () => true }
      const tables = { cluster: singles, region: sets.region, zone: sets.zone }
      for (const [kind, list] of Object.entries(tables)) {
        const named = list.map(({ clusters, place }) => ({ loss: computation.outcome(clusters)!, place }))
        const { each, survived } = projectLosses(named, reader)
        for (const row of each) {
          expect(row, `${kind} ${String(row.clusters)}`).toMatchObject(byBruteForce(fleet, row.clusters))
          seen.waiting += row.waiting
          seen.several += kind !== 'cluster' && row.clusters.length > 1 ? 1 : 0
        }
        expect(survived).toBe(list.filter(({ clusters }) => byBruteForce(fleet, clusters).losing === 0).length)
      }
      seen.region += sets.region.length
      seen.zone += sets.zone.length
      const pairs = computation.pairs!.sets.map(({ clusters }) => clusters)
      const losses = pairs.map((clusters) => computation.outcome(clusters)!)
      const { losing, needed, placed } = projectPairs(losses, new Map(), reader)
      const brute = pairs.map((clusters) => byBruteForce(fleet, clusters))
      expect(losing).toEqual(brute.map((row) => row.losing))
      expect({ needed, placed }).toEqual({
        needed: brute.reduce((sum, row) => sum + row.needed, 0),
        placed: brute.reduce((sum, row) => sum + row.placed, 0),
      })
      seen.pairs += pairs.length
    }),
    { seed: 20261126, numRuns: 40 },
  )
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(30)
})
