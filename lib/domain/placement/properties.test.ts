/**
 * Properties of every fleet, judged without the code under test: rules, capacity and sums are computed independently
 * here.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { appliedPlacementText } from './applied-placement'
import type { Binding } from './binding'
import { concludeScheduling } from './conclude'
import { explainVerdict } from './explain'
import { snapshotOf } from './facts'
import { decideReschedule } from './reschedule'
import { scheduleBinding } from './schedule-binding'
import { aBinding, aCluster } from './testing/scheduled'

const CLUSTERS = 8
const names = Array.from({ length: CLUSTERS }, (_, index) => `member${index}`)
const seed = { seed: 20260104, numRuns: 400 }
const now = Date.parse('2026-01-01T02:00:00Z')

const oneCluster = fc.record({
  room: fc.nat({ max: 20 }),
  placed: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
  tainted: fc.boolean(),
  serves: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  evicting: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  named: fc.boolean(),
  weight: fc.nat({ max: 5 }),
  region: fc.constantFrom('east', 'west', ''),
})
type OneCluster = typeof oneCluster extends fc.Arbitrary<infer T> ? T : never

const fleets = fc.record({
  clusters: fc.array(oneCluster, { minLength: CLUSTERS, maxLength: CLUSTERS }),
  replicas: fc.integer({ min: 1, max: 70 }),
  fresh: fc.boolean(),
  restricted: fc.boolean(),
  strategy: fc.constantFrom('Duplicated', 'StaticWeight', 'DynamicWeight', 'Aggregated'),
  spread: fc.constantFrom('none', 'cluster', 'region'),
  uid: fc.constantFrom(undefined, 'a', 'b'),
})
type Given = typeof fleets extends fc.Arbitrary<infer T> ? T : never

function placementOf({ clusters, restricted, strategy, spread }: Given): Placement {
  const spreadConstraints =
    spread === 'none'
      ? undefined
      : [
          { spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 4 },
          ...(spread === 'region' ? [{ spreadByField: 'region' as const, minGroups: 1, maxGroups: 2 }] : []),
        ]
  return {
    ...strategies[strategy](clusters),
    ...(restricted && { clusterAffinity: { clusterNames: namedIn(clusters) } }),
    ...(spreadConstraints && { spreadConstraints }),
  }
}

/** Returns all clusters if none is named, because an affinity without names matches all. */
function namedIn(clusters: readonly OneCluster[]): string[] {
  const named = names.filter((_, index) => clusters[index]!.named)
  return named.length > 0 ? named : names
}

const strategies: Record<Given['strategy'], (clusters: readonly OneCluster[]) => Placement> = {
  Duplicated: () => duplicated(),
  Aggregated: () => aggregated(),
  DynamicWeight: () => byAvailableReplicas(),
  StaticWeight: (clusters) => ({
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList: clusters.map(weightRule).filter(({ weight }) => weight > 0) },
    },
  }),
}

function weightRule({ weight }: OneCluster, index: number) {
  return { targetCluster: { clusterNames: [names[index]!] }, weight }
}

function clusterOf({ room, tainted, serves, region }: OneCluster, index: number): Cluster {
  const taints = tainted ? [{ key: 'down', effect: 'NoSchedule' as const }] : undefined
  const cluster = aCluster(names[index]!, room, { region, ...(taints && { taints }) })
  return serves ? cluster : { ...cluster, status: { ...cluster.status, apiEnablements: [] } }
}

function build(given: Given) {
  const { clusters: parts, replicas, fresh, uid } = given
  const running = parts.map(({ placed }, index) => [names[index]!, placed] as const).filter(([, count]) => count > 0)
  const leaving = names.filter((_, index) => parts[index]!.evicting)
  const draft = aBinding('web', Object.fromEntries(running), {
    replicas,
    placement: placementOf(given),
    gracefulEvictionTasks: leaving.map((fromCluster) => ({ fromCluster, producer: 'p', reason: 'r' })),
    ...(fresh && { rescheduleTriggeredAt: '2026-01-01T01:30:00Z' }),
  })
  const binding: Binding = { ...draft, spec: { ...draft.spec, resource: { ...draft.spec.resource, uid } } }
  const clusters = parts.map(clusterOf)
  return { binding, clusters, verdict: scheduleBinding({ binding, clusters }) }
}

/** The rules in their simplest form. */
function mayTake({ clusters, restricted, spread }: Given, name: string): boolean {
  const { placed, tainted, serves, evicting, region } = clusters[names.indexOf(name)]!
  const isPlaced = placed > 0
  const admitted = !restricted || namedIn(clusters).includes(name)
  return (isPlaced || (serves && !tainted)) && !evicting && admitted && (spread !== 'region' || region !== '')
}

const sumOf = (list: readonly TargetCluster[]): number => list.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
const countsOf = (list: readonly TargetCluster[] = []): Map<string, number> =>
  new Map(list.map(({ name, replicas = 0 }) => [name, replicas]))
const isDivided = ({ strategy }: Given): boolean => strategy !== 'Duplicated'
const byCapacity = ({ strategy }: Given): boolean => strategy === 'DynamicWeight' || strategy === 'Aggregated'
/** The distribution as an earlier scheduling would have left it: no cluster has to lose replicas. */
function settled(given: Given): Given {
  const keeping = { evicting: false, named: true, region: 'east' as const }
  return { ...given, fresh: false, clusters: given.clusters.map((one) => ({ ...one, ...keeping })) }
}
const holds = (predicate: (given: Given) => void): void => fc.assert(fc.property(fleets, predicate), seed)

describe('for any clusters, placement and current result', () => {
  test('a divided workload is placed completely, or there is a reason', () =>
    holds((given) => {
      const { verdict } = build(given)
      if (!verdict.clusters) expect(verdict.failure?.message).toBeTruthy()
      else if (isDivided(given)) expect(sumOf(verdict.clusters)).toBe(given.replicas)
    }))

  test('no selected cluster is rejected by a filter, and none is selected twice', () =>
    holds((given) => {
      const chosen = (build(given).verdict.clusters ?? []).map(({ name }) => name)
      expect(chosen.filter((name) => !mayTake(given, name))).toEqual([])
      expect(new Set(chosen).size).toBe(chosen.length)
    }))

  test('with strategies by capacity, no cluster exceeds its current replicas plus its capacity', () =>
    holds((given) => {
      if (!byCapacity(given)) return
      for (const [name, replicas] of countsOf(build(given).verdict.clusters)) {
        const { room, placed } = given.clusters[names.indexOf(name)]!
        expect(replicas).toBeLessThanOrEqual(room + placed)
      }
    }))

  test('no cluster gets a negative or an empty share', () =>
    holds((given) => {
      expect((build(given).verdict.clusters ?? []).filter(({ replicas = 0 }) => replicas <= 0)).toEqual([])
    }))

  test('every cluster is explained, consistently with the result', () =>
    holds((given) => {
      const { clusters, verdict } = build(given)
      const lines = explainVerdict(
        verdict,
        clusters.map(({ metadata }) => metadata.name),
      )
      expect(lines.map(({ cluster }) => cluster)).toEqual(names)
      for (const { cluster, fits, rejectedBy, replicas } of lines) {
        expect([fits, rejectedBy === undefined]).toEqual([mayTake(given, cluster), fits])
        if (verdict.clusters && fits) expect(replicas).toBe(countsOf(verdict.clusters).get(cluster) ?? 0)
      }
    }))
})

describe('the same input has the same result', () => {
  const shuffled = fc.tuple(
    fleets,
    fc.shuffledSubarray(
      names.map((_, index) => index),
      { minLength: CLUSTERS },
    ),
  )

  test('in any order of the clusters, and repeatedly', () => {
    fc.assert(
      fc.property(shuffled, ([given, order]) => {
        const { binding, clusters, verdict } = build(given)
        const { attempts: _runs, ...answer } = verdict
        for (const list of [clusters, order.map((index) => clusters[index]!), structuredClone(clusters)]) {
          expect(scheduleBinding({ binding, clusters: list })).toMatchObject(answer)
        }
      }),
      seed,
    )
  })

  test('for both kinds of binding', () =>
    holds((given) => {
      const { binding, clusters, verdict } = build(given)
      const { namespace: _, ...metadata } = binding.metadata
      const scoped = scheduleBinding({ binding: { ...binding, kind: 'ClusterResourceBinding', metadata }, clusters })
      expect([scoped.clusters, scoped.failure, scoped.patch]).toEqual([
        verdict.clusters,
        verdict.failure,
        verdict.patch,
      ])
    }))

  test('and the input is unchanged', () =>
    holds((given) => {
      const { binding, clusters } = build(given)
      const before = structuredClone({ binding, clusters })
      scheduleBinding({ binding, clusters })
      expect({ binding, clusters }).toEqual(before)
    }))
})

describe('a steady run moves nothing without need', () => {
  const present = (given: Given): Map<string, number> => countsOf(build(given).binding.spec.clusters)

  test('with an unchanged number, all replicas stay', () =>
    holds((drawn) => {
      const given = settled(drawn)
      if (!byCapacity(given) || given.spread !== 'none') return
      const before = present(given)
      const replicas = [...before.values()].reduce((sum, count) => sum + count, 0)
      if (replicas > 0) expect(countsOf(build({ ...given, replicas }).verdict.clusters)).toEqual(before)
    }))

  test('scaling up removes replicas from no cluster, scaling down adds replicas to none', () =>
    holds((drawn) => {
      const given = settled(drawn)
      if (!byCapacity(given) || given.spread !== 'none') return
      const { binding, verdict } = build(given)
      if (!verdict.clusters) return
      const [before, after] = [countsOf(binding.spec.clusters), countsOf(verdict.clusters)]
      const grows = given.replicas >= sumOf(binding.spec.clusters ?? [])
      for (const name of names) {
        const change = (after.get(name) ?? 0) - (before.get(name) ?? 0)
        expect(grows ? change >= 0 : change <= 0).toBe(true)
      }
    }))

  test('once placed, nothing is left to do', () =>
    holds((given) => {
      const { binding, clusters, verdict } = build(given)
      if (!verdict.clusters) return
      const { status } = concludeScheduling({ binding, verdict, now, english: english.of })
      const applied = { 'policy.karmada.io/applied-placement': appliedPlacementText(binding.spec.placement ?? {}) }
      const after: Binding = {
        ...binding,
        status,
        metadata: { ...binding.metadata, annotations: applied },
        spec: { ...binding.spec, clusters: verdict.clusters },
      }
      const decision = decideReschedule(after, snapshotOf(clusters))
      expect(decision).toMatchObject(isDivided(given) ? { act: 'leave' } : { path: 'duplicated', mode: 'Steady' })
      if (given.strategy === 'Duplicated' && given.spread === 'none') {
        expect(countsOf(scheduleBinding({ binding: after, clusters }).clusters)).toEqual(countsOf(verdict.clusters))
      }
    }))
})

describe('strategies without estimators', () => {
  const roomless = (given: Given): Given => ({ ...given, clusters: given.clusters.map((one) => ({ ...one, room: 0 })) })

  test('Duplicated assigns all replicas to every feasible cluster', () =>
    holds((drawn) => {
      const given: Given = { ...drawn, strategy: 'Duplicated', spread: 'none' }
      const expected = names.filter((name) => mayTake(given, name)).map((name) => [name, given.replicas] as const)
      const { verdict, binding } = build(given)
      // A rebalance that would remove replicas is not applied.
      if (verdict.kept) expect(expected.length).toBeLessThan(binding.spec.clusters!.length)
      else expect(countsOf(verdict.clusters)).toEqual(new Map(expected))
    }))

  test('static weights depend on neither capacity nor mode', () =>
    holds((drawn) => {
      const given: Given = { ...drawn, strategy: 'StaticWeight', spread: 'none' }
      const placed = (one: Given) => countsOf(build(one).verdict.clusters)
      expect(placed(roomless(given))).toEqual(placed(given))
      // A fresh run without a feasible cluster keeps the current result; a steady one does not.
      expect(placed({ ...given, fresh: true })).toEqual(placed({ ...given, fresh: false }))
    }))

  test('with static weights, a heavier cluster has no fewer replicas, and a cluster without weight none', () =>
    holds((drawn) => {
      const given: Given = { ...drawn, strategy: 'StaticWeight', spread: 'none' }
      const counts = countsOf(build(given).verdict.clusters)
      const weightOf = (name: string): number => given.clusters[names.indexOf(name)]!.weight
      const takers = names
        .filter((name) => mayTake(given, name))
        .map((name) => ({ weight: weightOf(name), replicas: counts.get(name) ?? 0 }))
      const weighed = takers.some(({ weight }) => weight > 0)
      for (const a of takers) {
        if (weighed && a.weight === 0) expect(a.replicas).toBe(0)
        for (const b of takers) if (a.weight > b.weight) expect(a.replicas).toBeGreaterThanOrEqual(b.replicas)
      }
    }))
})

/** Values of the right type without meaning. */
const text = fc.constantFrom('', 'abc', '-1', '1e999', '5', '0', '1Zi', '4Gi')
const number = fc.constantFrom(-1, 0, 1, 2 ** 31 - 1, 2 ** 31)
const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 3 })
const partly = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] })

const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory', 'pods', 'x.io/gpu', ''), text, { maxKeys: 4 })
const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'Near', '')
const expressions = few(fc.record({ key: text, operator, values: few(text) }, { requiredKeys: ['key', 'operator'] }))
const fields = few(fc.record({ key: fc.constantFrom('zone', 'region', 'planet'), operator }))
const affinity = partly({
  labelSelector: partly({ matchExpressions: expressions }),
  fieldSelector: partly({ matchExpressions: fields }),
  clusterNames: few(text),
})
const weightPreference = partly({
  dynamicWeight: fc.constantFrom('AvailableReplicas', 'Luck'),
  staticWeightList: few(fc.record({ targetCluster: affinity, weight: number })),
})
const oddPlacement = partly({
  clusterAffinity: affinity,
  clusterAffinities: few(partly({ affinityName: text, overflowAffinities: few(affinity) })),
  spreadConstraints: few(
    partly({ spreadByField: fc.constantFrom('cluster', 'region', 'planet'), minGroups: number, maxGroups: number }),
  ),
  replicaScheduling: partly({
    replicaSchedulingType: fc.constantFrom('Divided', 'Duplicated', 'Sprinkled'),
    replicaDivisionPreference: fc.constantFrom('Weighted', 'Aggregated', 'Luck'),
    weightPreference,
  }),
})
const oddCluster = partly({
  resourceSummary: partly({
    allocatable: amounts,
    allocated: amounts,
    allocating: amounts,
    allocatableModelings: few(fc.record({ grade: number, count: number })),
  }),
  resourceModels: few(
    fc.record({ grade: number, ranges: few(fc.record({ name: fc.constant('cpu'), min: text, max: text })) }),
  ),
})
const nonsense = fc.record({
  placement: oddPlacement,
  replicas: fc.constantFrom(-1, 0, 1, 7, 2 ** 31 - 1),
  request: amounts,
  oddities: few(oddCluster),
  fresh: fc.boolean(),
})
type Nonsense = typeof nonsense extends fc.Arbitrary<infer T> ? T : never

function buildNonsense({ placement, replicas, request, oddities, fresh }: Nonsense) {
  const binding = aBinding(
    'web',
    { member0: 2, gone: 1 },
    {
      placement: placement as Placement,
      replicas,
      replicaRequirements: { resourceRequest: request },
      ...(fresh && { rescheduleTriggeredAt: '2026-01-01T01:30:00Z' }),
    },
  )
  const clusters = oddities.map(({ resourceSummary, resourceModels }, index) => {
    const cluster = aCluster(names[index]!, 1, { ...(resourceModels && { resourceModels }) })
    return { ...cluster, status: { ...cluster.status, resourceSummary } }
  })
  return { binding, clusters }
}

test('meaningless input never throws, and always has a result or a reason', () => {
  fc.assert(
    fc.property(nonsense, (given) => {
      const { binding, clusters } = buildNonsense(given)
      decideReschedule(binding, snapshotOf(clusters))
      const verdict = scheduleBinding({ binding, clusters })
      const hasNoGroups = given.placement.clusterAffinities?.length === 0
      expect(verdict.clusters !== undefined || verdict.failure !== undefined || hasNoGroups).toBe(true)
      expect(['forget', 'unschedulable', 'backoff']).toContain(
        concludeScheduling({ binding, verdict, now, english: english.of }).queue,
      )
      explainVerdict(
        verdict,
        clusters.map(({ metadata }) => metadata.name),
      )
    }),
    { ...seed, numRuns: 1000 },
  )
})
